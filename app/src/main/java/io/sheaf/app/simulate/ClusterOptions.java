package io.sheaf.app.simulate;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.UsageException;
import io.sheaf.sim.Conventions;
import io.sheaf.text.InputException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a simulated cluster (background jobs, size, policy), shared by all commands that simulate one. */
@HelpHeading(HelpHeading.LOG)
public final class ClusterOptions {
    private static final int DAYS = 30;
    private static final int MAX_DAYS = 3_650;

    @Option(
            names = "--model",
            completionCandidates = Candidates.Models.class,
            paramLabel = "NAME",
            description = "Use a generated load instead of a log; 'sheaf replay --list' lists the models.")
    public @Nullable String model;

    @Option(
            names = "--days",
            paramLabel = "D",
            description = "Length of the generated load in days (default: " + DAYS + ").")
    public int days;

    @Option(names = "--seed", paramLabel = "S", description = "Random seed (default: ${DEFAULT-VALUE}).")
    public long seed;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster (default: from the log's header, or the model).")
    public @Nullable Integer nodes;

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = "--profile",
            completionCandidates = Candidates.ProfileNames.class,
            paramLabel = "NAME",
            description =
                    "Conventions: own, thesis (as in the GLUME thesis) or thesis-contiguous (with contiguous nodes); sets the defaults of other options (default: ${DEFAULT-VALUE}).")
    String profile = "own";

    @Mixin
    public PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    public TraceOptions trace = new TraceOptions();

    /** Rejects options that do not fit together, with a log or without one. */
    public void checkUse(@Nullable String log) {
        UsageException.unless(
                (log == null) != (model == null),
                "give either a log or --model; 'sheaf replay --list' lists the models");
        checkDays(days, log);
    }

    /** Rejects an impossible length of a generated load; 0 is the default. */
    public static void checkDays(int days, @Nullable String log) {
        UsageException.unless(days >= 0 && days <= MAX_DAYS, "--days: must be between 1 and " + MAX_DAYS);
        UsageException.unless(log == null || days == 0, "--days can only be used with --model");
    }

    /** Checks the values of the options before a long log is read. */
    public void check() {
        if (nodes != null && nodes < 1) {
            throw new InputException("--nodes: must be at least 1, is " + nodes);
        }
        scheduling.policy(conventions());
        scheduling.memory();
        trace.rules(1, conventions());
        trace.reading.unit();
        trace.reading.zone();
    }

    /** Reads the log, or generates the model's. */
    public LoadedTrace load(@Nullable String log, PrintWriter err) {
        if (model != null) {
            return LoadedTrace.model(model, seed, days > 0 ? days : DAYS, 0);
        }
        return LoadedTrace.read(List.of(log == null ? "" : log), trace.reading, err);
    }

    /** The conventions of the profile. */
    public Conventions conventions() {
        return Choice.of("--profile", profile, Conventions.class);
    }

    /** The cluster with its background jobs; time 0 is the start of the replayed period. */
    public Background background(@Nullable String log, PrintWriter err) {
        check();
        return Background.of(load(log, err), nodes, conventions(), scheduling, trace);
    }
}
