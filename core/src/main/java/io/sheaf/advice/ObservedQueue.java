package io.sheaf.advice;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import java.time.Duration;

/**
 * A queue snapshot: running jobs with their remaining times, and queued jobs in order.
 *
 * <pre>{@code
 * ObservedQueue queue = new ObservedQueue(Policy.easy(), 64)
 *         .running(48, Duration.ofHours(3))
 *         .waiting(32, Duration.ofHours(6));
 * }</pre>
 *
 * <p>Times are requested walltimes, as {@code squeue} shows them and the batch system plans with them.
 */
public final class ObservedQueue {
    /** The origin of all instants in the snapshot. */
    static final long NOW = 0;

    private final BatchEngine engine;
    private final int nodes;
    private int busy;

    /** An empty cluster of {@code nodes} nodes under a scheduling policy. */
    public ObservedQueue(Policy policy, int nodes) {
        engine = new BatchEngine(policy, nodes);
        this.nodes = nodes;
    }

    /** Adds a background job that runs on {@code units} nodes for at most {@code remaining} longer. */
    public ObservedQueue running(int units, Duration remaining) {
        Submission job = Submission.of(units, remaining.toMillis());
        if (units > nodes - busy) {
            throw new IllegalArgumentException(
                    "a job on " + units + " nodes cannot run where " + busy + " of " + nodes + " are busy");
        }
        busy += units;
        engine.adopt(NOW, job, NOW);
        return this;
    }

    /** Adds a queued background job of {@code units} nodes × {@code limit}, behind those added before it. */
    public ObservedQueue waiting(int units, Duration limit) {
        return waiting(Submission.of(units, limit.toMillis()));
    }

    /** Adds a queued job with a priority, an owner, or an earliest start. */
    public ObservedQueue waiting(Submission job) {
        if (engine.submit(NOW, job) < 0) {
            throw new IllegalArgumentException(
                    "a job of " + job.units() + " nodes cannot wait on a cluster of " + nodes + " under this policy");
        }
        return this;
    }

    /** The maximum number of nodes of a job. */
    public int nodes() {
        return nodes;
    }

    /** The queue after all jobs that can start now have started; independent of this snapshot. */
    BatchEngine settled() {
        BatchEngine copy = engine.fork();
        copy.pass(NOW, new int[copy.queued()]);
        return copy;
    }
}
