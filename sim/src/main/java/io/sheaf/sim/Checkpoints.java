package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.batch.Policy;

/**
 * The background played once, with a fork kept at each instant from which something is to be tried.
 *
 * <p>The fork for an instant s has seen everything before s and nothing of s itself: whoever starts there opens s
 * ({@link SimulatedQueue#open}), finds the background of that instant, submits, and makes the one pass of s.
 *
 * <h2>Threads</h2>
 * All is built before the constructor returns and never changed: the forks kept are private and only forked from, which reads
 * them. So any number of threads may share one of these, each with a queue of its own to fork into. That queue comes from
 * {@link #fork}, and can be used for all instants.
 */
public final class Checkpoints {
    private final long[] instants;
    private final SimulatedQueue[] kept;
    private final Baseline baseline;

    /**
     * Plays a log on a cluster and keeps forks.
     *
     * @param instants where to keep one, ascending
     * @param until how far to play to know what the background does without us, at least to the last instant;
     *     {@link io.sheaf.batch.BatchScheduler#NEVER} for all of the log
     */
    public Checkpoints(JobLog background, Policy policy, int nodes, long[] instants, long until) {
        this.instants = instants.clone();
        kept = new SimulatedQueue[instants.length];
        SimulatedQueue queue = new SimulatedQueue(background, policy, nodes);
        Baseline.Recorder recorder = new Baseline.Recorder(background);
        for (int i = 0; i < instants.length; i++) {
            if (instants[i] < queue.now() || (i > 0 && instants[i] < instants[i - 1])) {
                throw new IllegalArgumentException(
                        "instants must ascend and not be before the log; " + instants[i] + " does not fit");
            }
            if (instants[i] > queue.now()) {
                queue.advanceTo(instants[i] - 1, recorder);
            }
            kept[i] = queue.fork();
        }
        if (until == NEVER) {
            queue.playOut(recorder);
        } else {
            queue.advanceTo(Math.max(queue.now(), until), recorder);
        }
        baseline = recorder.playedUntil(until == NEVER ? NEVER : queue.now());
    }

    public int size() {
        return instants.length;
    }

    public long instant(int i) {
        return instants[i];
    }

    /** What the background does without us. */
    public Baseline baseline() {
        return baseline;
    }

    /** What it does from an instant of these on, until a later one; of what happened before, nothing is told. */
    public Baseline baseline(int i, long until) {
        SimulatedQueue queue = kept[i].fork();
        Baseline.Recorder recorder = new Baseline.Recorder(queue.background());
        queue.advanceTo(Math.max(queue.now(), until), recorder);
        return recorder.playedUntil(queue.now());
    }

    /** A new queue as it is just before an instant. */
    public SimulatedQueue fork(int i) {
        return kept[i].fork();
    }

    /** Makes a queue that came from here what it is just before an instant. */
    public void forkInto(int i, SimulatedQueue scratch) {
        kept[i].forkInto(scratch);
    }
}
