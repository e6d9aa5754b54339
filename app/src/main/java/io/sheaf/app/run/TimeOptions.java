package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.UsageException;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.MemoryUse;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.run.CommandKinds;
import io.sheaf.runtime.run.TimeKeeper;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the source of planned run times and memory requests. */
@HelpHeading(HelpHeading.PLANNING)
final class TimeOptions {
    private static final String GIVEN = "given";
    private static final String HISTORY = "history";
    private static final List<String> SOURCES = List.of(GIVEN, HISTORY);

    @Option(
            names = "--times",
            paramLabel = "HOW",
            description =
                    "Run times used for planning: given (from the workflow; from earlier runs where missing) or history (from earlier runs first) (default: ${DEFAULT-VALUE}).")
    String times = GIVEN;

    @Option(
            names = "--time-quantile",
            paramLabel = "Q",
            defaultValue = "0.9",
            description = "Quantile of recorded run times used for walltimes (default: ${DEFAULT-VALUE}).")
    double quantile = ExpectedRunTimes.HistoryRule.DEFAULT.quantile();

    @Option(
            names = "--memory",
            paramLabel = "HOW",
            description =
                    "Memory requests: given (from the workflow) or history (from the peaks of earlier runs, where there are enough) (default: ${DEFAULT-VALUE}).")
    String memory = GIVEN;

    /** The workflow with the requests in use. */
    Workflow withMemory(Workflow workflow, RunSpec spec, Session session) {
        if (!memory.equals(HISTORY)) {
            return workflow;
        }
        SharedHistory history = new SharedHistory(
                SharedHistory.folder(
                        session.state().resolve("history"), spec.where().system(), workflow.name()),
                System::currentTimeMillis,
                session.err()::println);
        MemoryUse memoryUse = new MemoryUse();
        history.records().forEach(memoryUse::learn);
        Path files = Path.of(spec.workFolder());
        return memoryUse.applied(
                workflow,
                spec.node().memory(),
                new CommandKinds(workflow),
                task -> TimeKeeper.inputBytes(workflow, task, files));
    }

    void check() {
        UsageException.unless(SOURCES.contains(times), "--times " + times + ": use given or history");
        UsageException.unless(SOURCES.contains(memory), "--memory " + memory + ": use given or history");
        UsageException.unless(quantile >= 0.5 && quantile < 1, "--time-quantile: must be at least 0.5 and less than 1");
    }

    ExpectedRunTimes.HistoryRule rule() {
        return new ExpectedRunTimes.HistoryRule(times.equals(HISTORY), quantile);
    }
}
