package io.sheaf.app.cli;

import io.sheaf.batch.JobLimits;
import io.sheaf.text.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the limits that a cluster sets for each job. */
@HelpHeading(HelpHeading.BATCH)
public final class LimitOptions {
    @Option(
            names = "--max-time",
            paramLabel = "TIME",
            description = "Maximum walltime of a job, e.g. 6h (default: no limit).")
    public @Nullable String time;

    @Option(
            names = "--max-nodes",
            paramLabel = "N",
            description = "Maximum number of nodes of a job (default: no limit).")
    public @Nullable Integer nodes;

    public JobLimits limits() {
        long walltime = time == null ? Long.MAX_VALUE : OptionText.millis("--max-time", time);
        if (walltime < 1) {
            throw new InputException("--max-time: must be greater than 0, e.g. 6h");
        }
        if (nodes != null && nodes < 1) {
            throw new InputException("--max-nodes: must be at least 1, is " + nodes);
        }
        return new JobLimits(nodes == null ? Integer.MAX_VALUE : nodes, walltime);
    }

    /** The limits as part of a cluster's description: empty if there are none. */
    public String text() {
        return (time == null ? "" : ", at most " + time) + (nodes == null ? "" : ", at most " + nodes + " nodes");
    }
}
