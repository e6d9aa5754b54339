package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
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

    /** Warns of start times after the end of the log, where the cluster is empty. */
    public void warnBeyond(long lastStart, PrintWriter err) {
        if (jobs.size() == 0 || jobs.submit(jobs.size() - 1) < lastStart) {
            err.println("sheaf: " + name
                    + ": the log ends before the last start time; later starts see an emptier cluster than in reality");
            err.flush();
        }
    }

    /** A short description of all parts. */
    public String text() {
        return name + ", " + scheduling + ", " + Rounded.count(nodes) + " nodes"
                + (conventions == Conventions.OWN ? "" : ", profile " + Choice.name(conventions));
    }
}
