package io.sheaf.app;

import io.sheaf.text.InputException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A simulated cluster: who else uses it, how large it is, how it schedules; the same options for every command that has one. */
final class ClusterOptions {
    private static final int DAYS = 30;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Instead of a log: made up load; see 'sheaf replay --list'.")
    @Nullable
    String model;

    @Option(names = "--days", paramLabel = "D", description = "How many days of the model (" + DAYS + ").")
    int days;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Where the model's random numbers start (${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster; by default those in the log's header, or the model's.")
    @Nullable
    Integer nodes;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    TraceOptions trace = new TraceOptions();

    /** What is used in a wrong way, in a few words; null if nothing is. */
    @Nullable
    String misuse(@Nullable String log) {
        if ((log == null) == (model == null)) {
            return "name a log or a --model, one of them; 'sheaf replay --list' tells the models";
        }
        if (days < 0) {
            return "--days: give 1 or more";
        }
        return log != null && days > 0 ? "--days is for models; a log has its own" : null;
    }

    /** Tells of a wrong option before a long log is read. */
    void check() {
        if (nodes != null && nodes < 1) {
            throw new InputException("--nodes: a cluster has at least 1 node, not " + nodes);
        }
        scheduling.policy();
        trace.rules(1);
        trace.unit();
        trace.zone();
    }

    /** Reads the log, or makes the model's. */
    LoadedTrace load(@Nullable String log, PrintWriter err) {
        if (model != null) {
            return LoadedTrace.model(model, seed, days > 0 ? days : DAYS, 0);
        }
        return LoadedTrace.read(log == null ? "" : log, trace, err);
    }

    /** The cluster with everybody else's jobs, as the options have it. */
    Background background(@Nullable String log, PrintWriter err) {
        check();
        LoadedTrace loaded = load(log, err);
        int size = loaded.nodes(nodes, trace);
        return new Background(
                loaded.name(), trace.rules(size).apply(loaded.log()), scheduling.policy(), scheduling.text(), size);
    }
}
