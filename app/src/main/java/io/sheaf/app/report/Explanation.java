package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.Order;
import io.sheaf.report.ChosenCores;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The decisions of a run: options by estimated makespan, the one chosen, and what happened; as text and as JSON. Instants count from the run's start. */
public final class Explanation {
    /** The maximum number of options shown per decision, besides the chosen one. */
    private static final int MAX_OPTIONS = 8;

    static final Fields<DecisionRecord.Option> OPTIONS = new Fields<DecisionRecord.Option>()
            .text("option", "what", DecisionRecord.Option::label)
            .count("nodes", "nodes", DecisionRecord.Option::nodes)
            .time("walltime", "walltimeSeconds", DecisionRecord.Option::walltime)
            .time("queue wait", "waitSeconds", DecisionRecord.Option::queueWait)
            .right("makespan", option -> option.hasMakespan() ? Rounded.time(option.makespan()) : "-")
            .field((out, option) -> {
                if (option.hasMakespan()) {
                    out.seconds("makespanSeconds", option.makespan() * 1000);
                }
            });

    /** The cores of moldable tasks. */
    public static final Fields<ChosenCores> CORES = new Fields<ChosenCores>()
            .text("category", "category", ChosenCores::category)
            .count("cores", "cores", ChosenCores::cores)
            .count("attempts", "attempts", ChosenCores::attempts)
            .count("max. running at once", "beside", ChosenCores::beside);

    private static final Fields<RunRecord> NODE_HOURS = new Fields<RunRecord>()
            .time("waitSeconds", RunRecord::waitMillis)
            .time("perceivedWaitSeconds", RunRecord::perceivedWaitMillis)
            .nodeHours("nodeHoursUsed", 4, RunRecord::usedNodeMillis)
            .nodeHours("nodeHoursHeld", 4, RunRecord::allocatedNodeMillis)
            .nodeHours("nodeHoursIdle", 4, run -> run.allocatedNodeMillis() - run.usedNodeMillis());

    private final RunRecord run;
    private final Map<Long, JobRecord> jobs = new HashMap<>();

    public Explanation(RunRecord run) {
        this.run = run;
        run.jobs().forEach(job -> jobs.put(job.token(), job));
    }

    public void print(PrintWriter out) {
        for (int i = 0; i < run.decisions().size(); i++) {
            DecisionRecord decision = run.decisions().get(i);
            out.println();
            out.println((i + 1) + ". after " + Rounded.time(decision.at() - run.start()) + ": " + decision.summary());
            printOptions(decision, out);
            printOrders(decision, out);
            if (decision.expectedEnd() != JobRecord.NEVER) {
                long expected = decision.expectedEnd() - run.start();
                out.println("   estimated makespan " + Rounded.time(expected) + actual(expected));
            }
        }
        out.println();
        printCores(out);
        printTotals(out);
    }

    /** The rule of the choice is that of the manager: a share of the cores, and there the count with the earliest end. */
    private void printCores(PrintWriter out) {
        List<ChosenCores> chosen = ChosenCores.of(run.workflow(), run.attempts());
        if (chosen.isEmpty()) {
            return;
        }
        out.println("cores of moldable tasks: "
                + (run.strategy().startsWith("auto")
                        ? "each task got the count with the earliest end within its share of the running jobs' cores"
                        : "as declared; auto chooses them"));
        indented(out, CORES, chosen);
        out.println();
    }

    private void printOptions(DecisionRecord decision, PrintWriter out) {
        List<DecisionRecord.Option> options = decision.options();
        if (options.isEmpty()) {
            return;
        }
        Fields<Integer> rows = new Fields<Integer>()
                .left("", i -> i == decision.chosenOption() ? "*" : "")
                .of(OPTIONS, options::get);
        List<Integer> ranked = ranked(options);
        List<Integer> shown = ranked.stream()
                .filter(i -> ranked.indexOf(i) < MAX_OPTIONS || i == decision.chosenOption())
                .toList();
        indented(out, rows, shown);
        if (shown.size() < ranked.size()) {
            out.println("   and " + (ranked.size() - shown.size()) + " more options (--json prints all)");
        }
    }

    /** Sorts by estimated makespan; options without one come last, in their original order. */
    private static List<Integer> ranked(List<DecisionRecord.Option> options) {
        return IntStream.range(0, options.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        i -> options.get(i).hasMakespan() ? options.get(i).makespan() : Long.MAX_VALUE))
                .toList();
    }

    private void printOrders(DecisionRecord decision, PrintWriter out) {
        List<JobRecord> submitted = new ArrayList<>();
        for (DecisionRecord.Ordered ordered : decision.orders()) {
            JobRecord job = jobs.get(ordered.token());
            if (ordered.order() instanceof Order.Submit && job != null) {
                submitted.add(job);
            } else if (ordered.order() instanceof Order.Shorten shorten) {
                out.println("   job " + ordered.token() + " shortened to " + Rounded.time(shorten.walltime()));
            } else if (ordered.order() instanceof Order.Cancel) {
                out.println("   job " + ordered.token() + " cancelled");
            } else if (ordered.order() instanceof Order.Drain) {
                out.println("   job " + ordered.token() + " drained: no more tasks start in it");
            }
        }
        if (!submitted.isEmpty()) {
            indented(out, JobFigures.of(run.start()), submitted);
        }
    }

    /** The actual makespan beside an estimate; empty for an incomplete run. */
    private String actual(long expected) {
        return run.completed()
                ? "; actual " + Rounded.time(run.makespanMillis()) + " ("
                        + Rounded.later(run.makespanMillis() - expected) + ")"
                : "";
    }

    private void printTotals(PrintWriter out) {
        OptionalLong first = firstExpectedEnd(run);
        String expected = first.isPresent()
                ? "; first estimate " + Rounded.time(first.getAsLong() - run.start())
                        + (run.completed() ? " (" + Rounded.later(run.end() - first.getAsLong()) + ")" : "")
                : "; not estimated";
        out.println(Fields.line(
                run.completed() ? "makespan" : "elapsed",
                Rounded.time(run.makespanMillis())
                        + expected
                        + (run.completed() ? "" : "; the workflow is not complete")));
        List<JobRecord> compared = compared();
        if (!compared.isEmpty()) {
            out.println(Fields.line(
                    "start estimates",
                    compared.size() + " of " + run.jobs().size() + " jobs compared: " + started(compared, -1)
                            + " started earlier, "
                            + started(compared, 0) + " as estimated, " + started(compared, 1) + " later; mean error "
                            + Rounded.time(meanDifference(compared))));
        }
        out.println(Fields.line("node-hours", StatusReport.nodeHours(run)));
    }

    private static long started(List<JobRecord> compared, int sign) {
        return compared.stream()
                .filter(job -> Rounded.sign(job.started() - job.expectedStart()) == sign)
                .count();
    }

    public void fields(JsonOut out) {
        out.field("workflow", run.workflow().name())
                .field("strategy", run.strategy())
                .seconds("makespanSeconds", run.makespanMillis() * 1000);
        OptionalLong first = firstExpectedEnd(run);
        if (first.isPresent()) {
            out.seconds("expectedMakespanSeconds", (first.getAsLong() - run.start()) * 1000);
        }
        NODE_HOURS.fields(out, run);
        out.field("jobsCompared", compared().size());
        if (!compared().isEmpty()) {
            out.decimal("meanStartDifferenceSeconds", meanDifference(compared()) / 1000.0, 3);
        }
        List<ChosenCores> chosen = ChosenCores.of(run.workflow(), run.attempts());
        if (!chosen.isEmpty()) {
            CORES.array(out, "chosenCores", chosen);
        }
        decisions(out);
    }

    /** Writes {@code decisions[]} into an open object. */
    public void decisions(JsonOut out) {
        out.objects("decisions", run.decisions(), decision -> {
            out.seconds("atSeconds", (decision.at() - run.start()) * 1000).field("chosen", decision.chosen());
            if (decision.chosenOption() != DecisionRecord.NONE) {
                out.field("taken", decision.chosenOption());
            }
            JobFigures.instant(out, "expectedEndSeconds", decision.expectedEnd(), run.start());
            OPTIONS.array(out, "options", decision.options());
            out.objects("orders", decision.orders(), ordered -> order(out, ordered));
        });
    }

    private void order(JsonOut out, DecisionRecord.Ordered ordered) {
        if (ordered.order() instanceof Order.Submit submit) {
            out.field("order", "submit")
                    .field("job", ordered.token())
                    .field("nodes", submit.request().units())
                    .seconds("walltimeSeconds", submit.request().walltime() * 1000);
            JobFigures.instant(out, "expectedStartSeconds", ordered.expectedStart(), run.start());
            JobRecord job = jobs.get(ordered.token());
            if (job != null) {
                out.optional("pool", job.pool()).field("tasks", job.claim());
                JobFigures.instant(out, "startSeconds", job.started(), run.start());
                JobFigures.instant(out, "endSeconds", job.ended(), run.start());
                out.field("ended", job.end().word());
            }
        } else if (ordered.order() instanceof Order.Shorten shorten) {
            out.field("order", "shorten")
                    .field("job", ordered.token())
                    .seconds("walltimeSeconds", shorten.walltime() * 1000);
        } else {
            out.field("order", ordered.order() instanceof Order.Drain ? "drain" : "cancel")
                    .field("job", ordered.token());
        }
    }

    /** The estimated end of the first decision of a run that has one. */
    public static OptionalLong firstExpectedEnd(RunRecord run) {
        return run.decisions().stream()
                .mapToLong(DecisionRecord::expectedEnd)
                .filter(end -> end != JobRecord.NEVER)
                .findFirst();
    }

    private List<JobRecord> compared() {
        return run.jobs().stream()
                .filter(job -> job.hasStarted() && job.wasExpected())
                .toList();
    }

    private static long meanDifference(List<JobRecord> compared) {
        return compared.stream()
                        .mapToLong(job -> Math.abs(job.started() - job.expectedStart()))
                        .sum()
                / compared.size();
    }

    private static <R> void indented(PrintWriter out, Fields<R> columns, List<R> rows) {
        StringWriter text = new StringWriter();
        columns.table(new PrintWriter(text), rows);
        text.toString().lines().forEach(line -> out.println("   " + line));
    }
}
