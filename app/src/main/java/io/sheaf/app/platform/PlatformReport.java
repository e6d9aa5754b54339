package io.sheaf.app.platform;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.page.Page;
import io.sheaf.platform.Objective;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.PortfolioRound.Candidate;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Comparator;
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
                .objects("rounds", rounds, round -> print(round, out))
                .objects("tasks", scenario.size(), task -> print(task, out));
    }

    private static void print(PortfolioRound round, JsonOut out) {
        out.decimal("dateSeconds", round.date(), 6)
                .field("chosen", "A" + round.chosen())
                .objects("candidates", round.candidates(), each -> out.field("algorithm", "A" + each.algorithm())
                        .decimal("simulated", each.simulated(), 6)
                        .decimal("reported", each.reported(), 6)
                        .field("givenUp", each.givenUp()));
    }

    private void print(int task, JsonOut out) {
        out.field("id", scenario.workflow().id(task))
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
                .decimal("endSeconds", execution.end(task), 6);
    }

    /** Writes a page: figures, a Gantt chart of nodes, and the choices of a portfolio. */
    void write(Writer out) throws IOException {
        PlatformGantt gantt = new PlatformGantt(scenario, execution, rounds);
        String title = scenario.workflow().name();
        Page.of(PlatformReport.class, "platform.html", title + " · Sheaf platform")
                .text("title", title)
                .text("subtitle", subtitle())
                .facts(facts())
                .text("omitted", gantt.omitted())
                .html("gantt", gantt.svg())
                .html("rounds", rounds.isEmpty() ? "" : roundsHtml())
                .style(Page.resource(PlatformReport.class, "platform.css"))
                .write(out);
    }

    /** The basis of each choice: the best candidates with their simulated values. */
    private String roundsHtml() {
        String unit = objective == Objective.MAKESPAN ? "s" : "J";
        StringBuilder out = new StringBuilder("<section><h2>Algorithm selections</h2>\n<table class=\"rounds\">"
                + "<tr><th>time</th><th>selected</th><th>estimate</th><th>second best</th><th>worst</th></tr>\n");
        for (PortfolioRound round : rounds) {
            List<Candidate> sorted = round.candidates().stream()
                    .sorted(Comparator.comparingDouble(Candidate::reported))
                    .toList();
            Candidate best = sorted.get(0);
            out.append("<tr><td>" + DecimalText.fixed(round.date(), 1) + " s</td><td>A" + round.chosen() + "</td><td>"
                    + value(best, unit) + "</td><td>" + named(sorted.get(Math.min(1, sorted.size() - 1)), unit)
                    + "</td><td>" + named(sorted.get(sorted.size() - 1), unit) + "</td></tr>\n");
        }
        return out.append("</table></section>").toString();
    }

    private static String named(Candidate candidate, String unit) {
        return "A" + candidate.algorithm() + ": " + value(candidate, unit);
    }

    private static String value(Candidate candidate, String unit) {
        return (candidate.givenUp() ? "over " : "") + DecimalText.fixed(candidate.reported(), 1) + " " + unit;
    }
}
