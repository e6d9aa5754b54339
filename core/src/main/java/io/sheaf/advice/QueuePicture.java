package io.sheaf.advice;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import java.time.Duration;

/**
 * A batch queue as seen at one instant: what runs for how long yet, and what waits in which order.
 *
 * <pre>{@code
 * QueuePicture queue = new QueuePicture(Policy.easy(), 64)
 *         .running(48, Duration.ofHours(3))
 *         .waiting(32, Duration.ofHours(6));
 * }</pre>
 *
 * <p>Times are those that jobs asked for: what a batch system plans with, and what {@code squeue} shows.
 */
public final class QueuePicture {
    /** Instants in the picture count from here. */
    static final long NOW = 0;

    private final BatchEngine engine;
    private final int nodes;
    private int busy;

    /** An empty cluster of {@code nodes} nodes under a scheduling policy. */
    public QueuePicture(Policy policy, int nodes) {
        engine = new BatchEngine(policy, nodes);
        this.nodes = nodes;
    }

    /** A background job runs on {@code units} nodes and may go on for {@code left}. */
    public QueuePicture running(int units, Duration left) {
        Submission job = Submission.of(units, left.toMillis());
        if (units > nodes - busy) {
            throw new IllegalArgumentException(
                    "a job on " + units + " nodes cannot run where " + busy + " of " + nodes + " are busy");
        }
        busy += units;
        engine.adopt(NOW, job, NOW);
        return this;
    }

    /** A background job of {@code units} nodes × {@code limit} waits, behind those added before it. */
    public QueuePicture waiting(int units, Duration limit) {
        return waiting(Submission.of(units, limit.toMillis()));
    }

    /** The same for a job with a priority, an owner, or an instant before which it may not start. */
    public QueuePicture waiting(Submission job) {
        if (engine.submit(NOW, job) < 0) {
            throw new IllegalArgumentException(
                    "a job of " + job.units() + " nodes cannot wait on a cluster of " + nodes + " under this policy");
        }
        return this;
    }

    /** The most nodes that a job may have. */
    public int nodes() {
        return nodes;
    }

    /** The queue after what can start now has started; independent of this picture. */
    BatchEngine settled() {
        BatchEngine copy = engine.fork();
        copy.pass(NOW, new int[copy.queued()]);
        return copy;
    }
}
