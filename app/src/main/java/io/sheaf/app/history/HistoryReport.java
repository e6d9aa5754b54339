package io.sheaf.app.history;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.history.PastRun.StartFigures;
import io.sheaf.predict.MemoryUse;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.text.Rounded;
import io.sheaf.text.SizeText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The figures of recorded runs, as tables and as JSON.
 *
 * @param categories the tasks of these runs
 * @param known the task times that later runs are planned with
 */
record HistoryReport(List<PastRun> runs, List<CategoryFigures> categories, List<CategoryFigures> known) {
    private static final int VERSION = 1;
    private static final int PLACES = 6;
    private static final int[] PERCENTS = {10, 50, 90, 100};

    private static final Fields<PastRun> RUNS = new Fields<PastRun>()
            .left("run", PastRun::name)
            .field((out, run) -> out.field("folder", run.folder())
                    .field("workflow", run.record().workflow().name()))
            .text("system", "on", PastRun::system)
            .text("strategy", "strategy", run -> run.record().strategy())
            .text("state", "state", run -> run.state().word())
            .field((out, run) -> out.field(
                            "begun", Instant.ofEpochMilli(run.record().start()).toString())
                    .field("tasks", run.record().workflow().size())
                    .field("done", run.done()))
            .right(
                    "tasks done",
                    run -> run.done() + " of " + run.record().workflow().size())
            .count("failures", "failures", PastRun::failures)
            .count("jobs", "jobs", run -> run.record().jobs().size())
            .count("jobsExpired", run -> run.record().expired())
            .time("makespan", "makespanSeconds", run -> run.record().makespanMillis())
            .time("waitSeconds", run -> run.record().waitMillis())
            .time("no job running", "perceivedWaitSeconds", run -> run.record().perceivedWaitMillis())
            .nodeHours("node-hours allocated", "nodeHoursHeld", PLACES, run -> run.record()
                    .allocatedNodeMillis())
            .nodeHours("used", "nodeHoursUsed", PLACES, run -> run.record().usedNodeMillis())
            .nodeHours("wasted", "nodeHoursWasted", PLACES, PastRun::wasted);

    private static final Fields<CategoryFigures> CATEGORIES = new Fields<CategoryFigures>()
            .text("workflow", "workflow", CategoryFigures::workflow)
            .left("category", each -> each.category().isEmpty() ? "-" : each.label())
            .field((out, each) -> out.field("category", each.category()))
            .count("done", "done", CategoryFigures::done)
            .count("failed", "failed", CategoryFigures::failed)
            .count("lost", "lost", CategoryFigures::lost)
            .right("median time", each -> time(each.time(50)))
            .right("p90 time", each -> time(each.time(90)))
            .right("maximum time", each -> time(each.time(100)))
            .right("median memory", each -> size(each.memory(50)))
            .right("maximum memory", each -> size(each.memory(100)))
            .right("memory requested", each -> each.requested() == 0 ? "-" : SizeText.rounded(each.requested()))
            .right("memory suggested", each -> each.suggested() == 0 ? "-" : SizeText.rounded(each.suggested()))
            .field(HistoryReport::percentiles);

    private static final Fields<StartFigures> STARTS = new Fields<StartFigures>()
            .text("estimator", "by", StartFigures::source)
            .count("jobs", "jobs", StartFigures::jobs)
            .time("median error", "medianErrorSeconds", StartFigures::median)
            .right("mean error", StartFigures::meanText)
            .decimal("meanErrorSeconds", 3, each -> each.mean() / 1000.0)
            .time("maximum error", "worstErrorSeconds", StartFigures::worst);

    private static final Fields<Regret.StrategyResult> TRIES = new Fields<Regret.StrategyResult>()
            .field((out, each) -> out.field("strategy", each.strategy()).field("completed", each.completed()))
            .time("makespanSeconds", Regret.StrategyResult::makespan)
            .nodeHours("nodeHoursHeld", PLACES, Regret.StrategyResult::held)
            .nodeHours("nodeHoursUsed", PLACES, Regret.StrategyResult::used)
            .count("jobs", Regret.StrategyResult::jobs);

    private static String time(long millis) {
        return millis == CategoryFigures.UNKNOWN ? "-" : Rounded.time(millis);
    }

    private static String size(long bytes) {
        return bytes == CategoryFigures.UNKNOWN ? "-" : SizeText.rounded(bytes);
    }

    private static void percentiles(JsonOut out, CategoryFigures figures) {
        if (figures.done() > 0) {
            out.object("seconds");
            for (int percent : PERCENTS) {
                out.seconds("p" + percent, figures.time(percent) * 1000);
            }
            out.end();
        }
        if (!figures.memory().isEmpty()) {
            out.object("memoryBytes");
            for (int percent : PERCENTS) {
                out.field("p" + percent, figures.memory(percent));
            }
            out.end();
        }
        out.field("requestedMemoryBytes", figures.requested()).field("suggestedMemoryBytes", figures.suggested());
    }

    void fields(JsonOut out) {
        out.field("version", VERSION).objects("runs", runs, run -> {
            RUNS.fields(out, run);
            STARTS.array(out, "starts", run.predictions());
            regret(run.regret(), out);
        });
        CATEGORIES.array(out, "categories", categories);
        CATEGORIES.array(out, "planned", known);
    }

    private static void regret(Regret regret, JsonOut out) {
        Regret.StrategyResult own = regret.own();
        Regret.StrategyResult best = regret.best();
        out.object("regret").field("ran", regret.ran());
        if (own != null && best != null) {
            out.field("best", best.strategy()).decimal("regretSeconds", (own.makespan() - best.makespan()) / 1000.0, 3);
        }
        if (!regret.earlier().isEmpty()) {
            out.object("earlierWithSuggestedMemorySeconds");
            new TreeMap<>(regret.earlier()).forEach((category, millis) -> out.decimal(category, millis / 1000.0, 3));
            out.end();
        }
        TRIES.array(out, "played", regret.tries());
        out.texts("unknown", regret.unknown()).end();
    }

    void print(PrintWriter out) {
        out.println(runs.size() == 1 ? "1 run" : runs.size() + " runs");
        RUNS.table(out, runs);
        if (!categories.isEmpty()) {
            out.println();
            out.println("tasks of these runs by category");
            CATEGORIES.table(out, categories);
            categories.forEach(each -> advise(each, out));
        }
        if (!known.isEmpty()) {
            out.println();
            out.println("recorded task times used for planning later runs");
            CATEGORIES.table(out, known);
        }
        for (PastRun run : runs) {
            List<StartFigures> compared =
                    run.predictions().stream().filter(each -> each.jobs() > 0).toList();
            if (!compared.isEmpty()) {
                out.println();
                out.println("start-time estimates of " + run.name() + ": actual minus estimated start");
                STARTS.table(out, compared);
            }
        }
        runs.forEach(run -> strategies(run, out));
    }

    /** Advises on a memory request that is far from the memory that was used. */
    private void advise(CategoryFigures figures, PrintWriter out) {
        long suggested = figures.suggested();
        long peak = figures.memory(MemoryUse.QUANTILE);
        if (suggested > 0 && figures.requested() >= MemoryUse.FAR * suggested) {
            out.println("'" + figures.category() + "' requested " + SizeText.rounded(figures.requested())
                    + " of memory, the "
                    + MemoryUse.QUANTILE + "th percentile of its peaks is " + SizeText.rounded(peak) + "; memory: "
                    + SizeText.rounded(suggested) + " is enough, or run with --memory history"
                    + earlier(figures.category()));
        }
    }

    /** How much earlier tasks of a category would have started with less memory, in the newest run that can be simulated; may be empty. */
    private String earlier(String category) {
        for (PastRun run : runs) {
            long millis = run.regret().earlier().getOrDefault(category, 0L);
            if (millis > 0) {
                return "; its tasks would have started " + Rounded.time(millis)
                        + " earlier on average, simulated in the queue of " + run.name();
            }
        }
        return "";
    }

    private static void strategies(PastRun run, PrintWriter out) {
        Regret regret = run.regret();
        out.println();
        out.println("simulated makespan of other strategies in the queue of " + run.name());
        Regret.StrategyResult own = regret.own();
        if (own == null) {
            out.println("  not simulated: " + String.join("; ", regret.unknown()));
            return;
        }
        Fields<Regret.StrategyResult> table = new Fields<Regret.StrategyResult>()
                .left("strategy", each -> each.strategy() + (each.equals(own) ? " (ran)" : ""))
                .right("makespan", each -> each.completed() ? Rounded.time(each.makespan()) : "not completed")
                .right("difference", each -> difference(each, own))
                .right("node-hours allocated", each -> Rounded.hours(each.held()))
                .right("used", each -> Rounded.hours(each.used()))
                .right("jobs", each -> Integer.toString(each.jobs()));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "measured",
                Rounded.time(run.record().makespanMillis()),
                "-",
                Rounded.hours(run.record().allocatedNodeMillis()),
                Rounded.hours(run.record().usedNodeMillis()),
                Integer.toString(run.record().jobs().size())));
        regret.tries().forEach(each -> rows.add(table.cells(each)));
        table.tableOf(out, rows);
        Regret.StrategyResult best = regret.best();
        if (best != null) {
            long lost = own.makespan() - best.makespan();
            out.println(
                    lost <= 0
                            ? "no strategy has a shorter makespan"
                            : "shortest makespan: " + best.strategy() + ", " + Rounded.time(lost) + " shorter");
        }
        if (!regret.unknown().isEmpty()) {
            out.println("not included: " + String.join("; ", regret.unknown()));
        }
    }

    private static String difference(Regret.StrategyResult each, Regret.StrategyResult own) {
        long longer = each.makespan() - own.makespan();
        if (each.equals(own) || !each.completed()) {
            return "-";
        }
        return Rounded.sign(longer) == 0
                ? "the same"
                : Rounded.time(Math.abs(longer)) + (longer > 0 ? " longer" : " shorter");
    }
}
