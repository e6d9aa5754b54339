package io.sheaf.app.report;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.manager.Order;
import io.sheaf.report.Decided;
import io.sheaf.report.Job;
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

/** A run's decisions for people and programs: options by rank, what was taken, and what then really happened. */
public final class Explanation {
    /** So many of a decision's options are shown to people, and the one taken; programs get all. */
    private static final int MOST_OPTIONS = 8;

    private static final double HOUR = 3_600_000;

    private final RunRecord run;
    private final Map<Long, Job> jobs = new HashMap<>();

    public Explanation(RunRecord run) {
        this.run = run;
        run.jobs().forEach(job -> jobs.put(job.token(), job));
    }

    public void print(PrintWriter out) {
        for (int i = 0; i < run.decisions().size(); i++) {
            Decided decision = run.decisions().get(i);
            out.println();
            out.println((i + 1) + ". after " + Rounded.time(decision.at() - run.start()) + ": " + decision.summary());
            printOptions(decision, out);
            printOrders(decision, out);
            if (decision.expectedEnd() != Job.NEVER) {
                long expected = decision.expectedEnd() - run.start();
                out.println("   the workflow was to end after " + Rounded.time(expected) + came(expected));
            }
        }
        out.println();
        printSum(out);
    }

    private void printOptions(Decided decision, PrintWriter out) {
        List<Decided.Option> options = decision.options();
        if (options.isEmpty()) {
            return;
        }
        int taken = decision.taken();
        List<List<String>> rows = new ArrayList<>();
        int left = 0;
        for (int i : ranked(options)) {
            if (rows.size() >= MOST_OPTIONS && i != taken) {
                left++;
                continue;
            }
            Decided.Option option = options.get(i);
            rows.add(List.of(
                    i == taken ? "*" : "",
                    option.what(),
                    Rounded.count(option.nodes()),
                    Rounded.time(option.walltime()),
                    Rounded.time(option.queueWait()),
                    option.hasMakespan() ? Rounded.time(option.makespan()) : "-"));
        }
        indented(out, List.of("", "option", "nodes", "walltime", "wait", "makespan"), rows, "<<>>>>");
        if (left > 0) {
            out.println("   and " + left + " more; --json has all");
        }
    }

    /** By makespan where it was estimated; options without it stay in the order in which they were considered, at the end. */
    private static List<Integer> ranked(List<Decided.Option> options) {
        return IntStream.range(0, options.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        i -> options.get(i).hasMakespan() ? options.get(i).makespan() : Long.MAX_VALUE))
                .toList();
    }

    private void printOrders(Decided decision, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        for (Decided.Ordered ordered : decision.orders()) {
            Job job = jobs.get(ordered.token());
            if (ordered.order() instanceof Order.Submit && job != null) {
                rows.add(row(job));
            } else if (ordered.order() instanceof Order.Shorten shorten) {
                out.println("   job " + ordered.token() + " is shortened to " + Rounded.time(shorten.walltime()));
            } else if (ordered.order() instanceof Order.Cancel) {
                out.println("   job " + ordered.token() + " is cancelled");
            } else if (ordered.order() instanceof Order.Drain) {
                out.println("   job " + ordered.token() + " takes no more tasks");
            }
        }
        if (!rows.isEmpty()) {
            indented(
                    out,
                    List.of(
                            "job",
                            "for",
                            "nodes",
                            "walltime",
                            "expected start",
                            "start",
                            "",
                            "latest end",
                            "end",
                            "how"),
                    rows,
                    "><>>>><>><");
        }
    }

    private List<String> row(Job job) {
        return List.of(
                Long.toString(job.token()),
                job.claim(),
                Rounded.count(job.nodes()),
                Rounded.time(job.walltime()),
                job.wasExpected() ? Rounded.time(job.expectedStart() - run.start()) : "not known",
                job.hasStarted() ? Rounded.time(job.started() - run.start()) : "never",
                job.hasStarted() && job.wasExpected() ? Rounded.later(job.started() - job.expectedStart()) : "",
                job.wasExpected() ? Rounded.time(job.expectedStart() + job.walltime() - run.start()) : "not known",
                job.hasEnded() ? Rounded.time(job.ended() - run.start()) : "",
                job.how().word());
    }

    /** When the end came that was expected; a run that is not complete has none to compare. */
    private String came(long expected) {
        return run.completed()
                ? "; it did after " + Rounded.time(run.makespanMillis()) + " ("
                        + Rounded.later(run.makespanMillis() - expected) + ")"
                : "";
    }

    private void printSum(PrintWriter out) {
        OptionalLong first = firstExpectedEnd();
        String expected = first.isPresent()
                ? "; the first estimate was " + Rounded.time(first.getAsLong() - run.start())
                : "; no decision estimated it";
        out.println(
                run.completed()
                        ? "makespan     " + Rounded.time(run.makespanMillis()) + expected
                                + (first.isPresent() ? ": " + Rounded.later(run.end() - first.getAsLong()) : "")
                        : "so far       " + Rounded.time(run.makespanMillis()) + expected
                                + "; the workflow is not complete");
        List<Job> both = compared();
        if (!both.isEmpty()) {
            out.println("starts       " + both.size() + " of " + run.jobs().size() + " jobs can be compared: "
                    + both.stream()
                            .filter(job -> job.started() < job.expectedStart())
                            .count() + " earlier, "
                    + both.stream()
                            .filter(job -> job.started() == job.expectedStart())
                            .count() + " as expected, "
                    + both.stream()
                            .filter(job -> job.started() > job.expectedStart())
                            .count() + " later; "
                    + Rounded.time(meanDifference(both)) + " off in the mean");
        }
        out.println("node-hours   " + Rounded.hours(run.usedNodeMillis()) + " used, "
                + Rounded.hours(run.heldNodeMillis() - run.usedNodeMillis()) + " idle");
    }

    public void printJson(PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .field("workflow", run.workflow().name())
                    .field("strategy", run.strategy())
                    .seconds("makespanSeconds", run.makespanMillis() * 1000);
            OptionalLong first = firstExpectedEnd();
            if (first.isPresent()) {
                out.seconds("expectedMakespanSeconds", (first.getAsLong() - run.start()) * 1000);
            }
            out.seconds("waitSeconds", run.waitMillis() * 1000)
                    .seconds("perceivedWaitSeconds", run.perceivedWaitMillis() * 1000)
                    .decimal("nodeHoursUsed", run.usedNodeMillis() / HOUR, 4)
                    .decimal("nodeHoursHeld", run.heldNodeMillis() / HOUR, 4)
                    .decimal("nodeHoursIdle", (run.heldNodeMillis() - run.usedNodeMillis()) / HOUR, 4)
                    .field("jobsCompared", compared().size());
            if (!compared().isEmpty()) {
                out.decimal("meanStartDifferenceSeconds", meanDifference(compared()) / 1000.0, 3);
            }
            DecisionsJson.print(out, run);
            out.end();
        }
    }

    /** When the first decision that estimated it thought the workflow would end. */
    private OptionalLong firstExpectedEnd() {
        return run.decisions().stream()
                .mapToLong(Decided::expectedEnd)
                .filter(end -> end != Job.NEVER)
                .findFirst();
    }

    private List<Job> compared() {
        return run.jobs().stream()
                .filter(job -> job.hasStarted() && job.wasExpected())
                .toList();
    }

    private static long meanDifference(List<Job> both) {
        long sum = 0;
        for (Job job : both) {
            sum += Math.abs(job.started() - job.expectedStart());
        }
        return sum / both.size();
    }

    private static void indented(PrintWriter out, List<String> head, List<List<String>> rows, String alignment) {
        StringWriter text = new StringWriter();
        try (PrintWriter table = new PrintWriter(text)) {
            Table.print(table, head, rows, alignment);
        }
        text.toString().lines().forEach(line -> out.println("   " + line));
    }
}
