package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.TraceRules.Cancelled;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.text.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for reading a job log and selecting its jobs, shared by all commands that replay one. */
@HelpHeading(HelpHeading.LOG)
public final class TraceOptions {
    @Option(
            names = "--cancelled",
            paramLabel = "HOW",
            description =
                    "Jobs that never ran: drop, full (run for their walltime) or cancel (cancel after the recorded wait) (default: drop; full with a thesis profile).")
    private @Nullable String cancelled;

    @Option(
            names = "--estimates",
            paramLabel = "WHICH",
            description =
                    "Walltimes of jobs: requested (from the log) or accurate (their run time) (default: ${DEFAULT-VALUE}).")
    String estimates = "requested";

    @Option(
            names = "--scale-load",
            paramLabel = "F",
            defaultValue = "1",
            description = "Divide inter-arrival times by F; 1.2 means 20 %% more load (default: ${DEFAULT-VALUE}).")
    double scaleLoad = 1;

    @Option(names = "--from", paramLabel = "TIME", description = "Exclude jobs submitted before this time.")
    public @Nullable String from;

    @Mixin
    public LogOptions reading = new LogOptions();

    /** The rules for a cluster of this size; defaults come from the conventions. */
    public TraceRules rules(int nodes, Conventions conventions) {
        if (!(scaleLoad > 0) || Double.isInfinite(scaleLoad)) {
            throw new InputException("--scale-load: must be greater than 0, e.g. 1.2");
        }
        return TraceRules.forNodes(nodes)
                .withProcsPerNode(reading.procsPerNode())
                .with(cancelled == null ? conventions.cancelled() : cancelled(cancelled))
                .with(conventions.loader())
                .with(Choice.of("--estimates", estimates, Estimates.class))
                .withScaleLoad(scaleLoad)
                .withPeriod(from == null ? 0 : OptionText.millis("--from", from), Long.MAX_VALUE);
    }

    /** Parses the option; {@code withdraw} is an alias of {@code cancel}. */
    private static Cancelled cancelled(String name) {
        return name.equalsIgnoreCase("cancel") ? Cancelled.WITHDRAW : Choice.of("--cancelled", name, Cancelled.class);
    }
}
