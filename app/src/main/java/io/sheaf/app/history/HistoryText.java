package io.sheaf.app.history;

import io.sheaf.app.cli.Table;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.text.Rounded;
import io.sheaf.text.SizeText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints what earlier runs came to, as tables. */
final class HistoryText {
    private static final String NOTHING = "-";
    private static final int MEDIAN = 50;
    private static final int HIGH = 90;
    private static final int MOST = 100;

    private HistoryText() {}

    static void print(
            List<PastRun> runs, List<CategoryFigures> categories, List<CategoryFigures> known, PrintWriter out) {
        out.println(runs.size() == 1 ? "1 run" : runs.size() + " runs");
        runs(runs, out);
        if (!categories.isEmpty()) {
            out.println();
            out.println("tasks of these runs, by category");
            categories(categories, out);
        }
        if (!known.isEmpty()) {
            out.println();
            out.println("what later runs are planned with");
            categories(known, out);
        }
        starts(runs, out);
        for (PastRun run : runs) {
            regret(run, out);
        }
    }

    private static void runs(List<PastRun> runs, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        for (PastRun run : runs) {
            rows.add(List.of(
                    run.name(),
                    run.on(),
                    run.record().strategy(),
                    run.state().word(),
                    run.done() + " of " + run.record().workflow().size(),
                    Integer.toString(run.failures()),
                    Integer.toString(run.record().jobs().size()),
                    Rounded.time(run.record().makespanMillis()),
                    Rounded.time(run.record().perceivedWaitMillis()),
                    Rounded.hours(run.record().heldNodeMillis()),
                    Rounded.hours(run.record().usedNodeMillis()),
                    Rounded.hours(run.wasted())));
        }
        Table.print(
                out,
                List.of(
                        "run",
                        "on",
                        "strategy",
                        "state",
                        "tasks",
                        "failures",
                        "jobs",
                        "makespan",
                        "of it waits",
                        "node-hours",
                        "used",
                        "wasted"),
                rows,
                "<<<<>>>>>>>>");
    }

    private static void categories(List<CategoryFigures> categories, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        for (CategoryFigures each : categories) {
            rows.add(List.of(
                    each.workflow(),
                    each.category().isEmpty() ? NOTHING : each.category(),
                    Integer.toString(each.done()),
                    Integer.toString(each.failed()),
                    Integer.toString(each.lost()),
                    time(each.time(MEDIAN)),
                    time(each.time(HIGH)),
                    time(each.time(MOST)),
                    size(each.memory(MEDIAN)),
                    size(each.memory(MOST))));
        }
        Table.print(
                out,
                List.of(
                        "workflow",
                        "category",
                        "done",
                        "failed",
                        "lost",
                        "median",
                        "90 %",
                        "longest",
                        "memory",
                        "most"),
                rows,
                "<<>>>>>>>>");
    }

    private static String time(long millis) {
        return millis == CategoryFigures.UNKNOWN ? NOTHING : Rounded.time(millis);
    }

    private static String size(long bytes) {
        return bytes == CategoryFigures.UNKNOWN ? NOTHING : SizeText.text(bytes);
    }

    private static void starts(List<PastRun> runs, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        for (PastRun run : runs) {
            for (StartFigures each : run.predictions()) {
                if (each.jobs() > 0) {
                    rows.add(List.of(
                            run.name(),
                            each.by(),
                            Integer.toString(each.jobs()),
                            Rounded.time(each.median()),
                            Rounded.later(each.mean()),
                            Rounded.time(each.worst())));
                }
            }
        }
        if (!rows.isEmpty()) {
            out.println();
            out.println("starts of jobs against what was predicted");
            Table.print(out, List.of("run", "by", "jobs", "median error", "on average", "worst"), rows, "<<>>>>");
        }
    }

    private static String than(long millis) {
        return millis == 0 ? "the same" : Rounded.later(millis);
    }

    private static void regret(PastRun run, PrintWriter out) {
        Regret regret = run.regret();
        out.println();
        out.println("what other strategies would have achieved in the place of " + run.name());
        Regret.Try own = regret.own();
        if (own == null) {
            out.println("  not played again: " + String.join("; ", regret.unknown()));
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "as it was",
                Rounded.time(run.record().makespanMillis()),
                NOTHING,
                Rounded.hours(run.record().heldNodeMillis()),
                Rounded.hours(run.record().usedNodeMillis()),
                Integer.toString(run.record().jobs().size())));
        for (Regret.Try each : regret.tries()) {
            rows.add(List.of(
                    each.strategy() + (each.equals(own) ? " (ran)" : ""),
                    each.completed() ? Rounded.time(each.makespan()) : "not completed",
                    each.equals(own) || !each.completed() ? NOTHING : than(each.makespan() - own.makespan()),
                    Rounded.hours(each.held()),
                    Rounded.hours(each.used()),
                    Integer.toString(each.jobs())));
        }
        Table.print(
                out,
                List.of("strategy", "makespan", "than the one that ran", "node-hours", "used", "jobs"),
                rows,
                "<>>>>>");
        Regret.Try best = regret.best();
        if (best != null) {
            long lost = own.makespan() - best.makespan();
            out.println(
                    lost <= 0 ? "no regret" : "regret " + Rounded.time(lost) + ": " + best.strategy() + " ends first");
        }
        if (!regret.unknown().isEmpty()) {
            out.println("not known: " + String.join("; ", regret.unknown()));
        }
    }
}
