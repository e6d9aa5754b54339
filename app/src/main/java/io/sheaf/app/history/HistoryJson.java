package io.sheaf.app.history;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.Regret;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/** Prints what earlier runs came to, as JSON. */
final class HistoryJson {
    private static final int VERSION = 1;
    private static final double HOUR = 3_600_000;
    private static final int PLACES = 6;
    private static final int[] PERCENTS = {10, 50, 90, 100};

    private HistoryJson() {}

    static void print(
            List<PastRun> runs, List<CategoryFigures> categories, List<CategoryFigures> known, PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object().field("version", VERSION).array("runs");
            runs.forEach(run -> run(run, out));
            out.end().array("categories");
            categories.forEach(each -> category(each, out));
            out.end().array("planned");
            known.forEach(each -> category(each, out));
            out.end().end();
        }
    }

    private static void run(PastRun run, JsonOut out) {
        RunRecord record = run.record();
        out.object()
                .field("folder", run.folder())
                .field("workflow", record.workflow().name())
                .field("on", run.on())
                .field("strategy", record.strategy())
                .field("state", run.state().word())
                .field("begun", Instant.ofEpochMilli(record.start()).toString())
                .field("tasks", record.workflow().size())
                .field("done", run.done())
                .field("failures", run.failures())
                .field("jobs", record.jobs().size())
                .field("jobsExpired", record.expired())
                .seconds("makespanSeconds", record.makespanMillis() * 1000)
                .seconds("waitSeconds", record.waitMillis() * 1000)
                .seconds("perceivedWaitSeconds", record.perceivedWaitMillis() * 1000)
                .decimal("nodeHoursHeld", record.heldNodeMillis() / HOUR, PLACES)
                .decimal("nodeHoursUsed", record.usedNodeMillis() / HOUR, PLACES)
                .decimal("nodeHoursWasted", run.wasted() / HOUR, PLACES)
                .array("starts");
        for (StartFigures each : run.predictions()) {
            out.object()
                    .field("by", each.by())
                    .field("jobs", each.jobs())
                    .seconds("medianErrorSeconds", each.median() * 1000)
                    .decimal("meanErrorSeconds", each.mean() / 1000.0, 3)
                    .seconds("worstErrorSeconds", each.worst() * 1000)
                    .end();
        }
        out.end();
        regret(run.regret(), out);
        out.end();
    }

    private static void regret(Regret regret, JsonOut out) {
        Regret.Try own = regret.own();
        Regret.Try best = regret.best();
        out.object("regret").field("ran", regret.ran());
        if (own != null && best != null) {
            out.field("best", best.strategy()).decimal("regretSeconds", (own.makespan() - best.makespan()) / 1000.0, 3);
        }
        out.array("played");
        for (Regret.Try each : regret.tries()) {
            out.object()
                    .field("strategy", each.strategy())
                    .field("completed", each.completed())
                    .seconds("makespanSeconds", each.makespan() * 1000)
                    .decimal("nodeHoursHeld", each.held() / HOUR, PLACES)
                    .decimal("nodeHoursUsed", each.used() / HOUR, PLACES)
                    .field("jobs", each.jobs())
                    .end();
        }
        out.end().array("unknown");
        regret.unknown().forEach(out::value);
        out.end().end();
    }

    private static void category(CategoryFigures each, JsonOut out) {
        out.object()
                .field("workflow", each.workflow())
                .field("category", each.category())
                .field("done", each.done())
                .field("failed", each.failed())
                .field("lost", each.lost());
        if (each.done() > 0) {
            out.object("seconds");
            for (int percent : PERCENTS) {
                out.seconds("p" + percent, each.time(percent) * 1000);
            }
            out.end();
        }
        if (!each.memory().isEmpty()) {
            out.object("memoryBytes");
            for (int percent : PERCENTS) {
                out.field("p" + percent, each.memory(percent));
            }
            out.end();
        }
        out.end();
    }
}
