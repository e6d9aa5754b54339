package io.sheaf.manager;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;

/**
 * Settings of a manager for failures and task times.
 *
 * @param keepGoing whether tasks that do not depend on a failed one still run
 * @param sharedFiles whether all attempts of a task write to the same files, so that an attempt overwrites earlier results
 * @param mostLosses the number of attempts of a task that may be cut off or lost before it counts as failed
 * @param mostTimeouts how often a task may be cut off by a walltime after at least twice its previous time before it counts as failed; each next
 *     request is longer. 0: cut-offs count as losses and do not change requests
 * @param callWithin the maximum time that a pilot job may run before one of its nodes comes up, in milliseconds
 * @param node what a node has besides its cores, unless the node reports other amounts
 * @param brief tasks of at most this expected run time, in milliseconds, may be prefetched to a node; 0: none
 * @param ample whether task times are upper limits of a user rather than expected times ({@link ObservedTimes})
 * @param hold the maximum time for which idle nodes are kept while more tasks are expected, in milliseconds ({@link IdleRetention})
 * @param walltime the maximum walltime of a pilot job, in milliseconds; {@link Long#MAX_VALUE} if there is no limit
 * @param perRun limits of named resources for the whole run; a name that has a limit neither here nor on a node is not counted
 * @param growth how the memory request of a task grows after an out-of-memory kill
 */
public record Rules(
        boolean keepGoing,
        boolean sharedFiles,
        int mostLosses,
        int mostTimeouts,
        long callWithin,
        Resources node,
        long brief,
        boolean ample,
        long hold,
        long walltime,
        NamedAmounts perRun,
        MemoryGrowth growth) {

    /**
     * Stop at the first failure; separate files of attempts; 20 losses; cut-offs count as losses; ten minutes to connect; cores counted only; no
     * prefetching; expected times; no idle retention; no limit of walltimes; no growth of requests.
     */
    public static final Rules DEFAULT = new Rules(
            false,
            false,
            20,
            0,
            600_000,
            Resources.node(1),
            0,
            false,
            0,
            Long.MAX_VALUE,
            NamedAmounts.NONE,
            MemoryGrowth.NONE);

    public Rules keepGoing(boolean value) {
        return new Rules(
                value,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules sharedFiles(boolean value) {
        return new Rules(
                keepGoing,
                value,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules mostLosses(int value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                value,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules mostTimeouts(int value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                value,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules callWithin(long value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                value,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules gpusPerNode(int gpus) {
        return node(node.gpus(gpus));
    }

    public Rules node(Resources value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                value,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules brief(long value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                value,
                ample,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules ample(boolean value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                value,
                hold,
                walltime,
                perRun,
                growth);
    }

    public Rules hold(long value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                value,
                walltime,
                perRun,
                growth);
    }

    public Rules walltime(long value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                value,
                perRun,
                growth);
    }

    public Rules perRun(NamedAmounts value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                value,
                growth);
    }

    public Rules growth(MemoryGrowth value) {
        return new Rules(
                keepGoing,
                sharedFiles,
                mostLosses,
                mostTimeouts,
                callWithin,
                node,
                brief,
                ample,
                hold,
                walltime,
                perRun,
                value);
    }
}
