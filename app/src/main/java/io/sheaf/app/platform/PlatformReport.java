package io.sheaf.app.platform;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.platform.Objective;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.PortfolioRound.Candidate;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of an execution on a platform, as text, JSON and a page. */
record PlatformReport(
        Scenario scenario,
        String algorithm,
        PlatformExecution execution,
        List<PortfolioRound> rounds,
        Objective objective) {
    private static final double GIGA = 1e9;
    private static final double HOUR = 3600;

    String subtitle() {
        return algorithm + " on " + scenario.platform().name() + ", "
                + Rounded.count(scenario.platform().cores()) + " cores, model "
                + scenario.model().text();
    }

    Map<String, String> facts() {
        double idle = execution.idleCoreSeconds();
        double all = scenario.platform().cores() * execution.makespan();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("makespan", DecimalText.fixed(execution.makespan(), 2) + " s");
        facts.put("tasks", Rounded.count(scenario.size()));
        facts.put(
                "data transferred",
                DecimalText.fixed(execution.bytes() / GIGA, 2) + " GB, "
                        + DecimalText.fixed(execution.remoteBytes() / GIGA, 2) + " GB between clusters");
        facts.put(
                "idle",
                DecimalText.fixed(idle / HOUR, 2) + " core-hours, " + Rounded.percent(all > 0 ? idle / all : 0));
        facts.put("energy", DecimalText.fixed(execution.joules() / 1e6, 3) + " MJ");
        if (!rounds.isEmpty()) {
            long different =
                    rounds.stream().mapToInt(PortfolioRound::chosen).distinct().count();
            facts.put("selections", rounds.size() + ", " + different + " different algorithms");
        }
        return facts;
    }

    void print(PrintWriter out) {
        out.println(scenario.workflow().name() + " with " + subtitle());
        out.println();
        facts().forEach((label, text) -> out.println(Fields.line(label, text)));
    }

    void fields(JsonOut out) {
        out.decimal("makespanSeconds", execution.makespan(), 6)
                .field("platform", scenario.platform().name())
                .field("model", scenario.model().text())
                .field("algorithm", algorithm)
                .decimal("bytesMoved", execution.bytes(), 0)
                .decimal("remoteBytes", execution.remoteBytes(), 0)
                .decimal("idleCoreSeconds", execution.idleCoreSeconds(), 3)
                .decimal("energyJoules", execution.joules(), 3)
                .array("rounds");
        rounds.forEach(round -> print(round, out));
        out.end().array("tasks");
        for (int task = 0; task < scenario.size(); task++) {
            print(task, out);
        }
        out.end();
    }

    private static void print(PortfolioRound round, JsonOut out) {
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
                        scenario.platform()
                                .clusters()
                                .get(execution.cluster(task))
                                .name())
                .field("node", execution.node(task))
                .field("cores", execution.cores(task))
                .decimal("startSeconds", execution.start(task), 6)
                .decimal("readSeconds", execution.read(task), 6)
                .decimal("computedSeconds", execution.computed(task), 6)
                .decimal("endSeconds", execution.end(task), 6)
                .end();
    }
}
