package io.sheaf.app.run;

import io.sheaf.app.cli.Session;
import io.sheaf.app.simulate.SimulationOptions;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.MemoryUse;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.run.CommandKinds;
import io.sheaf.runtime.run.TimeKeeper;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for the source of planned run times and memory requests. */
final class TimeOptions {
    private static final String HISTORY = "history";

    @Option(
            names = "--times",
            paramLabel = "HOW",
            description =
                    "Run times used for planning: given (from the workflow; from earlier runs where missing) or history (from earlier runs first) (default: ${DEFAULT-VALUE}).")
    String times = SimulationOptions.GIVEN;

    @Option(
            names = "--time-quantile",
            paramLabel = "Q",
            defaultValue = "0.9",
            description = "Quantile of recorded run times used for walltimes (default: ${DEFAULT-VALUE}).")
    double quantile = ExpectedRunTimes.Rule.DEFAULT.quantile();

    @Option(
            names = "--memory",
            paramLabel = "HOW",
            description =
                    "Memory requests: given (from the workflow) or history (from the peaks of earlier runs, where there are enough) (default: ${DEFAULT-VALUE}).")
    String memory = SimulationOptions.GIVEN;

    /** The workflow with the requests in use. */
    Workflow withMemory(Workflow workflow, RunSpec spec, Session session) {
        if (!memory.equals(HISTORY)) {
            return workflow;
        }
        Path state = StateFolder.of(session.environment());
        SharedHistory history = new SharedHistory(
                SharedHistory.folder(state.resolve("history"), spec.where().system(), workflow.name()),
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

    void check(CommandLine commandLine) {
        if (!times.equals(HISTORY) && !times.equals(SimulationOptions.GIVEN)) {
            throw new ParameterException(commandLine, "--times " + times + ": use given or history");
        }
        if (!memory.equals(HISTORY) && !memory.equals(SimulationOptions.GIVEN)) {
            throw new ParameterException(commandLine, "--memory " + memory + ": use given or history");
        }
        if (!(quantile >= 0.5 && quantile < 1)) {
            throw new ParameterException(commandLine, "--time-quantile: must be at least 0.5 and less than 1");
        }
    }

    ExpectedRunTimes.Rule rule() {
        return new ExpectedRunTimes.Rule(times.equals(HISTORY), quantile);
    }
}
