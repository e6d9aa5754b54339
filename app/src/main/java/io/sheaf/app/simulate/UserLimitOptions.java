package io.sheaf.app.simulate;

import io.sheaf.batch.UserLimits;
import io.sheaf.text.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the limits that a cluster sets for each user. */
public final class UserLimitOptions {
    @Option(
            names = "--max-user-jobs",
            paramLabel = "N",
            description =
                    "Maximum number of running jobs of a user, as Slurm's MaxJobsPerUser (default: no limit). replay applies it to every user, other commands to the workflow's user only.")
    @Nullable
    Integer jobs;

    @Option(
            names = "--max-user-nodes",
            paramLabel = "N",
            description =
                    "Maximum number of nodes that a user has in use, as node=N of Slurm's MaxTRESPerUser (default: no limit). Applies to the same users as --max-user-jobs.")
    @Nullable
    Integer nodes;

    /** The limits of the workflow's user: jobs of a log ran under the limits of their own site. */
    UserLimits limits() {
        return new UserLimits(max("--max-user-jobs", jobs), max("--max-user-nodes", nodes), UserLimits.Scope.OWN);
    }

    private static int max(String option, @Nullable Integer max) {
        if (max != null && max < 1) {
            throw new InputException(option + ": must be at least 1, is " + max);
        }
        return max == null ? Integer.MAX_VALUE : max;
    }

    /** The limits as part of a cluster's description: empty if there are none. */
    String text() {
        return (jobs == null ? "" : ", at most " + jobs + (jobs == 1 ? " running job" : " running jobs") + " per user")
                + (nodes == null ? "" : ", at most " + nodes + (nodes == 1 ? " node" : " nodes") + " per user");
    }
}
