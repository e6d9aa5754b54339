package io.sheaf.app.simulate;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.Choice;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;
import io.sheaf.text.InputException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A simulated cluster: who else uses it, how large it is, how it schedules; the same options for every command that has one. */
public final class ClusterOptions {
    private static final int DAYS = 30;

    @Option(
            names = "--model",
            completionCandidates = Candidates.Models.class,
            paramLabel = "NAME",
            description = "Instead of a log: made up load; see 'sheaf replay --list'.")
    @Nullable
    public String model;

    @Option(names = "--days", paramLabel = "D", description = "How many days of the model (" + DAYS + ").")
    public int days;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Where the model's random numbers start (${DEFAULT-VALUE}).")
    public long seed;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster; by default those in the log's header, or the model's.")
    @Nullable
    public Integer nodes;

    @Option(
            names = "--profile",
            completionCandidates = Candidates.Profiles.class,
            paramLabel = "NAME",
            defaultValue = "own",
            description =
                    "own, thesis or thesis-contiguous: as in the GLUME thesis, on any nodes or on blocks; sets what is"
                            + " not given here (${DEFAULT-VALUE}).")
    String profile = "own";

    @Mixin
    public PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    public TraceOptions trace = new TraceOptions();

    /** What is used in a wrong way, in a few words; null if nothing is. */
    @Nullable
    public String misuse(@Nullable String log) {
        if ((log == null) == (model == null)) {
            return "name a log or a --model, one of them; 'sheaf replay --list' tells the models";
        }
        if (days < 0) {
            return "--days: give 1 or more";
        }
        return log != null && days > 0 ? "--days is for models; a log has its own" : null;
    }

    /** Tells of a wrong option before a long log is read. */
    public void check() {
        if (nodes != null && nodes < 1) {
            throw new InputException("--nodes: a cluster has at least 1 node, not " + nodes);
        }
        scheduling.policy(conventions());
        trace.rules(1, conventions());
        trace.unit();
        trace.zone();
    }

    /** Reads the log, or makes the model's. */
    public LoadedTrace load(@Nullable String log, PrintWriter err) {
        if (model != null) {
            return LoadedTrace.model(model, seed, days > 0 ? days : DAYS, 0);
        }
        return LoadedTrace.read(log == null ? "" : log, trace, err);
    }

    /** What the profile stands for. */
    public Conventions conventions() {
        return Choice.of("--profile", profile, Conventions.class);
    }

    /** The cluster with everybody else's jobs, as the options have it; its time begins where the period replayed does. */
    public Background background(@Nullable String log, PrintWriter err) {
        check();
        LoadedTrace loaded = load(log, err);
        int size = loaded.nodes(nodes, trace);
        Conventions conventions = conventions();
        JobLog jobs = trace.rules(size, conventions)
                .with(TraceRules.Times.FROM_PERIOD)
                .apply(loaded.log())
                .jobs();
        return new Background(
                loaded.name(), jobs, conventions, scheduling.policy(conventions), scheduling.text(conventions), size);
    }
}
