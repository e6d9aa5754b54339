package io.sheaf.app.simulate;

import io.sheaf.batch.UserLimits;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the limits that a cluster sets for each user. */
public final class UserLimitOptions {
    private static final int HOUR = 3_600_000;
    private static final double MAX_HOURS = 1e9;

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

    @Option(
            names = "--max-user-node-hours",
            paramLabel = "H",
            description =
                    "Maximum of nodes x walltime of a user's running jobs in hours, similar to node=M of Slurm's MaxTRESRunMinsPerUser; a job counts in full until it ends (default: no limit). Applies to the same users as --max-user-jobs.")
    @Nullable
    Double nodeHours;

    /** The limits of the workflow's user: jobs of a log ran under the limits of their own site. */
    UserLimits limits() {
        return new UserLimits(
                max("--max-user-jobs", jobs),
                max("--max-user-nodes", nodes),
                nodeHours == null ? Long.MAX_VALUE : nodeTime(nodeHours),
                UserLimits.LimitScope.OWN);
    }

    private static long nodeTime(double hours) {
        if (!(hours >= 1.0 / 60 && hours <= MAX_HOURS)) {
            throw new InputException("--max-user-node-hours: must be from a node-minute to a billion, is " + hours);
        }
        return Math.round(hours * HOUR);
    }

    private static int max(String option, @Nullable Integer max) {
        if (max != null && max < 1) {
            throw new InputException(option + ": must be at least 1, is " + max);
        }
        return max == null ? Integer.MAX_VALUE : max;
    }

    private static String hours(double hours) {
        return DecimalText.fixed(hours, hours == Math.rint(hours) ? 0 : 2);
    }

    /** The limits as part of a cluster's description: empty if there are none. */
    String text() {
        return (jobs == null ? "" : ", at most " + jobs + (jobs == 1 ? " running job" : " running jobs") + " per user")
                + (nodes == null ? "" : ", at most " + nodes + (nodes == 1 ? " node" : " nodes") + " per user")
                + (nodeHours == null ? "" : ", at most " + hours(nodeHours) + " node-hours per user");
    }
}
