package io.sheaf.manager;

/**
 * How a manager deals with what goes wrong, and with what it is told of tasks.
 *
 * @param keepGoing whether tasks that do not depend on a failed one are run all the same
 * @param sharedFiles whether all attempts of a task write to the same files: an attempt then destroys what an earlier one wrote
 * @param mostLosses how many attempts of a task may be cut off or lost without its fault before it counts as failed
 * @param mostTimeouts how often a task may be cut off by a walltime after at least twice the time it had before, until it counts as failed; what
 *     is asked for after a cut-off is longer each time. 0: cut-offs are losses like others, and requests are left as they are
 * @param callWithin how long a pilot job may run without any of its nodes coming up, in milliseconds
 * @param gpusPerNode how many GPUs a node has; {@link #UNCOUNTED} if unknown
 * @param brief tasks that are expected to take no longer, in milliseconds, may be given to a node before it has a core for them; 0: none are
 * @param ample whether the times of tasks are what a user allows for, as in a request to a batch system, and not what is expected ({@link ObservedTimes})
 * @param hold how long nodes are kept at most that have nothing to do while more tasks are likely to come, in milliseconds ({@link IdleRetention})
 */
public record Rules(
        boolean keepGoing,
        boolean sharedFiles,
        int mostLosses,
        int mostTimeouts,
        long callWithin,
        int gpusPerNode,
        long brief,
        boolean ample,
        long hold) {
    /** As many GPUs as anybody may want. */
    public static final int UNCOUNTED = Integer.MAX_VALUE;

    /**
     * Ends at the first failure; files of attempts apart; 20 losses; cut-offs are nothing special; ten minutes; GPUs are not counted; no task is brief; times are what is
     * expected; nothing is kept.
     */
    public static final Rules DEFAULT = new Rules(false, false, 20, 0, 600_000, UNCOUNTED, 0, false, 0);

    public Rules keepGoing(boolean wished) {
        return new Rules(wished, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold);
    }

    public Rules sharedFiles(boolean shared) {
        return new Rules(keepGoing, shared, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold);
    }

    public Rules mostLosses(int most) {
        return new Rules(keepGoing, sharedFiles, most, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold);
    }

    public Rules mostTimeouts(int most) {
        return new Rules(keepGoing, sharedFiles, mostLosses, most, callWithin, gpusPerNode, brief, ample, hold);
    }

    public Rules gpusPerNode(int gpus) {
        return new Rules(keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpus, brief, ample, hold);
    }

    public Rules brief(long millis) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, millis, ample, hold);
    }

    public Rules ample(boolean told) {
        return new Rules(keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, told, hold);
    }

    public Rules hold(long millis) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, millis);
    }
}
