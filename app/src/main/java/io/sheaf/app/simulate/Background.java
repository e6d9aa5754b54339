package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;
import io.sheaf.text.Rounded;
import org.jspecify.annotations.Nullable;

/**
 * A simulated cluster: background jobs, scheduling policy and size.
 *
 * @param name the name of the log or model in the output
 * @param scheduling a short description of the policy
 */
public record Background(
        String name, JobLog jobs, Conventions conventions, Policy policy, String scheduling, int nodes) {
    /** The jobs of a log on its cluster; time 0 is the start of the replayed period. */
    public static Background of(
            LoadedTrace loaded,
            @Nullable Integer nodes,
            Conventions conventions,
            PolicyOptions scheduling,
            TraceOptions trace) {
        int size = loaded.nodes(nodes, trace.reading);
        return new Background(
                loaded.name(),
                trace.rules(size, conventions)
                        .with(TraceRules.Times.FROM_PERIOD)
                        .apply(loaded.log())
                        .jobs(),
                conventions,
                scheduling.policy(conventions, size),
                scheduling.text(conventions),
                size);
    }

    /** A short description of all parts. */
    public String text() {
        return name + ", " + scheduling + ", " + Rounded.count(nodes) + " nodes"
                + (conventions == Conventions.OWN ? "" : ", profile " + Choice.name(conventions));
    }
}
