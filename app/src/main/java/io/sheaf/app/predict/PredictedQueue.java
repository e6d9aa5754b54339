package io.sheaf.app.predict;

import io.sheaf.app.cli.UsageException;
import io.sheaf.app.simulate.Background;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.app.simulate.PolicyOptions;
import io.sheaf.app.simulate.TraceOptions;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.sim.Conventions;
import io.sheaf.text.InputException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The queue of a log or model for which waits are estimated. */
final class PredictedQueue {
    private static final int DAYS = 60;

    @Option(
            names = "--trace",
            paramLabel = "LOG",
            description = "Job log: SWF, or the output of 'sacct --parsable2'; may be gzipped.")
    @Nullable
    String trace;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Use a generated load instead of a log; 'sheaf replay --list' lists the models.")
    @Nullable
    String model;

    @Option(
            names = "--days",
            paramLabel = "D",
            description = "Length of the generated load in days (default: " + DAYS + ").")
    int days;

    @Option(names = "--seed", paramLabel = "S", description = "Random seed (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--nodes-in-cluster",
            paramLabel = "N",
            description = "Nodes of the cluster (default: from the log's header, or the model).")
    @Nullable
    Integer clusterNodes;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    TraceOptions rules = new TraceOptions();

    private @Nullable LoadedTrace loaded;

    void check() {
        UsageException.unless(
                (trace == null) != (model == null),
                "give either --trace or --model; 'sheaf replay --list' lists the models");
        UsageException.unless(days >= 0, "--days: must be at least 1");
        UsageException.unless(trace == null || days == 0, "--days can only be used with --model");
    }

    /** The cluster with all jobs; its time begins with the first. */
    Background background(PrintWriter err) {
        Conventions conventions = Conventions.OWN;
        if (clusterNodes != null && clusterNodes < 1) {
            throw new InputException("--nodes-in-cluster: must be at least 1, is " + clusterNodes);
        }
        scheduling.policy(conventions);
        scheduling.memory();
        rules.rules(1, conventions);
        LoadedTrace read = model != null
                ? LoadedTrace.model(model, seed, days > 0 ? days : DAYS, 0)
                : LoadedTrace.read(trace == null ? "" : trace, rules.reading, err);
        loaded = read;
        return Background.of(read, clusterNodes, conventions, scheduling, rules);
    }

    /** The recorded waits by job number, in milliseconds; omits jobs without one. */
    Map<Integer, Long> logged() {
        Map<Integer, Long> waits = new HashMap<>();
        SwfLog log = loaded == null || model != null ? null : loaded.log();
        for (int i = 0; log != null && i < log.size(); i++) {
            if (log.waited(i) >= 0) {
                waits.put(log.job(i), log.waited(i));
            }
        }
        return waits;
    }
}
