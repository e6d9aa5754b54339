package io.sheaf.manager;

/**
 * Settings of a manager for failures and task times.
 *
 * @param keepGoing whether tasks that do not depend on a failed one still run
 * @param sharedFiles whether all attempts of a task write to the same files, so that an attempt overwrites earlier results
 * @param mostLosses the number of attempts of a task that may be cut off or lost before it counts as failed
 * @param mostTimeouts how often a task may be cut off by a walltime after at least twice its previous time before it counts as failed; each next
 *     request is longer. 0: cut-offs count as losses and do not change requests
 * @param callWithin the maximum time that a pilot job may run before one of its nodes comes up, in milliseconds
 * @param gpusPerNode GPUs of a node; {@link #UNCOUNTED} if unknown
 * @param brief tasks of at most this expected run time, in milliseconds, may be prefetched to a node; 0: none
 * @param ample whether task times are upper limits of a user rather than expected times ({@link ObservedTimes})
 * @param hold the maximum time for which idle nodes are kept while more tasks are expected, in milliseconds ({@link IdleRetention})
 * @param walltime the maximum walltime of a pilot job, in milliseconds; {@link Long#MAX_VALUE} if there is no limit
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
        long hold,
        long walltime) {
    /** An unlimited number of GPUs. */
    public static final int UNCOUNTED = Integer.MAX_VALUE;

    /**
     * Stop at the first failure; separate files of attempts; 20 losses; cut-offs count as losses; ten minutes to connect; GPUs not counted; no
     * prefetching; expected times; no idle retention; no limit of walltimes.
     */
    public static final Rules DEFAULT = new Rules(false, false, 20, 0, 600_000, UNCOUNTED, 0, false, 0, Long.MAX_VALUE);

    public Rules keepGoing(boolean value) {
        return new Rules(
                value, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold, walltime);
    }

    public Rules sharedFiles(boolean shared) {
        return new Rules(
                keepGoing, shared, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold, walltime);
    }

    public Rules mostLosses(int most) {
        return new Rules(
                keepGoing, sharedFiles, most, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold, walltime);
    }

    public Rules mostTimeouts(int most) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, most, callWithin, gpusPerNode, brief, ample, hold, walltime);
    }

    public Rules gpusPerNode(int gpus) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpus, brief, ample, hold, walltime);
    }

    public Rules brief(long millis) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                gpusPerNode,
                millis,
                ample,
                hold,
                walltime);
    }

    public Rules ample(boolean told) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, told, hold, walltime);
    }

    public Rules hold(long millis) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                gpusPerNode,
                brief,
                ample,
                millis,
                walltime);
    }

    public Rules walltime(long most) {
        return new Rules(
                keepGoing, sharedFiles, mostLosses, mostTimeouts, callWithin, gpusPerNode, brief, ample, hold, most);
    }
}
