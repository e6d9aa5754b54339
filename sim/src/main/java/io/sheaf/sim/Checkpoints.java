package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.Policy;

/**
 * A simulation of the background with a fork at each requested instant.
 *
 * <p>The fork for an instant s includes everything before s and nothing at s. A run that starts there opens s ({@link SimulatedQueue#open}), submits,
 * and makes the pass of s.
 *
 * <h2>Threads</h2>
 * Immutable after construction: the forks are private and only read. Any number of threads may share an instance, each with a queue of its own from
 * {@link #fork}, which can be reused for all instants.
 */
public final class Checkpoints {
    private final long[] instants;
    private final SimulatedQueue[] kept;
    private final Baseline baseline;

    /**
     * Simulates a log on a cluster and keeps forks.
     *
     * @param instants of the forks, ascending
     * @param until the end of the baseline, at least the last instant; {@link io.sheaf.batch.BatchEngine#NEVER} for all of the log
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
            queue.runToEnd(recorder);
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

    /** The background without own jobs. */
    public Baseline baseline() {
        return baseline;
    }

    /** The background from one of the instants until a later one, without earlier events. */
    public Baseline baseline(int i, long until) {
        SimulatedQueue queue = kept[i].fork();
        Baseline.Recorder recorder = new Baseline.Recorder(queue.background());
        queue.advanceTo(Math.max(queue.now(), until), recorder);
        return recorder.playedUntil(queue.now());
    }

    /** A new queue in the state just before an instant. */
    public SimulatedQueue fork(int i) {
        return kept[i].fork();
    }

    /** Sets a queue from here to the state just before an instant. */
    public void forkInto(int i, SimulatedQueue scratch) {
        kept[i].forkInto(scratch);
    }
}
