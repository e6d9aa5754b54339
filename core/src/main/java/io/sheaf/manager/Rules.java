package io.sheaf.manager;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.function.Consumer;

/** Settings of a manager for failures, resources and task times; immutable: only {@link #with} writes fields, of a copy that is not seen yet. */
public final class Rules {
    /**
     * Stop at the first failure; separate files of attempts; 20 losses; cut-offs count as losses; ten minutes to connect; cores counted only; no
     * prefetching; expected times; no idle retention; no limit of walltimes; no growth of requests; no pools.
     */
    public static final Rules DEFAULT = new Rules();

    /** Whether tasks that do not depend on a failed one still run. */
    boolean keepGoing;

    /** Whether all attempts of a task write to the same files, so that an attempt overwrites earlier results. */
    boolean sharedFiles;

    /** The number of attempts of a task that may be cut off or lost before it counts as failed. */
    int maxLosses = 20;

    /**
     * How often a task may be cut off by a walltime after at least twice its previous time before it counts as failed; each
     * next request is longer. 0: cut-offs count as losses and do not change requests.
     */
    int maxTimeouts;

    /** The maximum time that a pilot job may run before one of its nodes comes up, in milliseconds. */
    long callWithin = 600_000;

    private Resources node = Resources.node(1);
    /** Tasks of at most this expected run time, in milliseconds, may be prefetched to a node; 0: none. */
    long brief;

    /** Whether task times are upper limits of a user rather than expected times ({@link ObservedTimes}). */
    boolean ample;

    /** The maximum time for which idle nodes are kept while more tasks are expected, in milliseconds ({@link IdleRetention}). */
    long hold;

    private JobLimits limits = JobLimits.NONE;
    /** Limits of named resources for the whole run; a name that has a limit neither here nor on a node is not counted. */
    NamedAmounts perRun = NamedAmounts.NONE;

    /** How the memory request of a task grows after an out-of-memory kill. */
    MemoryGrowth growth = MemoryGrowth.NONE;

    private Pools pools = Pools.NONE;

    private Rules() {}

    /** A changed copy; only the copy is changed, before it is seen. */
    private Rules with(Consumer<Rules> change) {
        Rules copy = new Rules();
        copy.keepGoing = keepGoing;
        copy.sharedFiles = sharedFiles;
        copy.maxLosses = maxLosses;
        copy.maxTimeouts = maxTimeouts;
        copy.callWithin = callWithin;
        copy.node = node;
        copy.brief = brief;
        copy.ample = ample;
        copy.hold = hold;
        copy.limits = limits;
        copy.perRun = perRun;
        copy.growth = growth;
        copy.pools = pools;
        change.accept(copy);
        return copy;
    }

    public Rules keepGoing(boolean value) {
        return with(rules -> rules.keepGoing = value);
    }

    public Rules sharedFiles(boolean value) {
        return with(rules -> rules.sharedFiles = value);
    }

    public Rules maxLosses(int value) {
        return with(rules -> rules.maxLosses = value);
    }

    public Rules maxTimeouts(int value) {
        return with(rules -> rules.maxTimeouts = value);
    }

    public Rules callWithin(long value) {
        return with(rules -> rules.callWithin = value);
    }

    /** What a node has, unless the node reports other amounts. */
    public Resources node() {
        return node;
    }

    public Rules node(Resources value) {
        return with(rules -> rules.node = value);
    }

    public Rules brief(long value) {
        return with(rules -> rules.brief = value);
    }

    public Rules ample(boolean value) {
        return with(rules -> rules.ample = value);
    }

    public Rules hold(long value) {
        return with(rules -> rules.hold = value);
    }

    /** The maximum walltime of a pilot job, in milliseconds; {@link Long#MAX_VALUE} if there is no limit. */
    public long walltime() {
        return limits.walltime();
    }

    public Rules walltime(long value) {
        return with(rules -> rules.limits = limits.lasting(value));
    }

    /** The limits of walltimes and node-time of a pilot job. That of its nodes is an argument of {@link Manager}. */
    public JobLimits limits() {
        return limits;
    }

    public Rules limits(JobLimits value) {
        return with(rules -> rules.limits = value);
    }

    public Rules perRun(NamedAmounts value) {
        return with(rules -> rules.perRun = value);
    }

    /** The node pools of the cluster; none if every job may use every node. */
    public Pools pools() {
        return pools;
    }

    public Rules pools(Pools value) {
        return with(rules -> rules.pools = value);
    }

    public Rules growth(MemoryGrowth value) {
        return with(rules -> rules.growth = value);
    }
}
