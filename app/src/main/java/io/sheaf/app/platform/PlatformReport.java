package io.sheaf.app.platform;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.platform.Course;
import io.sheaf.platform.Objective;
import io.sheaf.platform.Round;
import io.sheaf.platform.Round.Candidate;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an execution on a platform came to, for people, programs and browsers. */
record PlatformReport(Scenario scenario, String algorithm, Course course, List<Round> rounds, Objective objective) {
    private static final double GIGA = 1e9;
    private static final double HOUR = 3600;

    private String subtitle() {
        return algorithm + " on " + scenario.platform().name() + ", "
                + Rounded.count(scenario.platform().cores()) + " cores, model "
                + scenario.model().text();
    }

    private Map<String, String> facts() {
        double idle = course.idleCoreSeconds();
        double all = scenario.platform().cores() * course.makespan();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("makespan", DecimalText.fixed(course.makespan(), 2) + " s");
        facts.put("tasks", Rounded.count(scenario.size()));
        facts.put(
                "data transferred",
                DecimalText.fixed(course.bytes() / GIGA, 2) + " GB, "
                        + DecimalText.fixed(course.remoteBytes() / GIGA, 2) + " GB of it between clusters");
        facts.put(
                "idle",
                DecimalText.fixed(idle / HOUR, 2) + " core-hours, " + Rounded.percent(all > 0 ? idle / all : 0));
        facts.put("energy", DecimalText.fixed(course.joules() / 1e6, 3) + " MJ");
        if (!rounds.isEmpty()) {
            long different = rounds.stream().mapToInt(Round::chosen).distinct().count();
            facts.put("choices", rounds.size() + ", " + different + " different algorithms");
        }
        return facts;
    }

    void print(PrintWriter out) {
        out.println(scenario.workflow().name() + " with " + subtitle());
        out.println();
        facts().forEach((label, text) -> out.println(Fields.line(label, text)));
    }

    PlatformPage page() {
        return new PlatformPage(scenario.workflow().name(), subtitle(), facts(), scenario, course, rounds, objective);
    }

    void fields(JsonOut out) {
        out.decimal("makespanSeconds", course.makespan(), 6)
                .field("platform", scenario.platform().name())
                .field("model", scenario.model().text())
                .field("algorithm", algorithm)
                .decimal("bytesMoved", course.bytes(), 0)
                .decimal("remoteBytes", course.remoteBytes(), 0)
                .decimal("idleCoreSeconds", course.idleCoreSeconds(), 3)
                .decimal("energyJoules", course.joules(), 3)
                .array("rounds");
        rounds.forEach(round -> print(round, out));
        out.end().array("tasks");
        for (int task = 0; task < scenario.size(); task++) {
            print(task, out);
        }
        out.end();
    }

    private static void print(Round round, JsonOut out) {
        out.object()
                .decimal("dateSeconds", round.date(), 6)
                .field("chosen", "A" + round.chosen())
                .array("candidates");
        for (Candidate candidate : round.candidates()) {
            out.object()
                    .field("algorithm", "A" + candidate.algorithm())
                    .decimal("simulated", candidate.simulated(), 6)
                    .decimal("reported", candidate.reported(), 6)
                    .field("givenUp", candidate.givenUp())
                    .end();
        }
        out.end().end();
    }

    private void print(int task, JsonOut out) {
        out.object()
                .field("id", scenario.workflow().id(task))
                .field(
                        "cluster",
                        scenario.platform().clusters().get(course.cluster(task)).name())
                .field("node", course.node(task))
                .field("cores", course.cores(task))
                .decimal("startSeconds", course.start(task), 6)
                .decimal("readSeconds", course.read(task), 6)
                .decimal("computedSeconds", course.computed(task), 6)
                .decimal("endSeconds", course.end(task), 6)
                .end();
    }
}
