package io.sheaf.batch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An engine's queue as estimates see it: in its own order if that is known, else in the order that best explains which of its jobs started before which.
 *
 * <h2>Evidence</h2>
 * Wherever a job starts, one with no more units and no longer walltime would have fitted, too. So of two jobs that were queued together, if the larger one started first, it was ahead in the
 * queue, whatever the backfilling. (With standing reservations there are rare exceptions: one that moves leaves a gap, which a larger job may get.) An order that has the smaller one ahead contradicts that start. Running jobs against each other and against queued ones give such pairs.
 *
 * <h2>Inference</h2>
 * The order of arrival holds unless several starts contradict it and another order has less than half as many contradictions. An order that favours small jobs cannot be distinguished from arrival in this way: there, only small jobs overtake,
 * as they do when they are backfilled.
 *
 * <p>For one thread.
 */
public final class InferredOrder {
    private static final List<QueueOrder> ORDERS = List.of(QueueOrder.ARRIVAL, QueueOrder.MAUI_FCFS, QueueOrder.LARGE);

    /** With fewer contradictions the order of arrival holds. */
    private static final int MIN = 3;

    /** The weight of evidence from one observation to the next. */
    private static final double FADING = 0.95;

    private final BatchEngine origin;
    private @Nullable BatchEngine copy;
    private long copied;
    /** The contradictions of each order. */
    private final double[] evidence = new double[ORDERS.size()];

    public InferredOrder(BatchEngine origin) {
        this.origin = origin;
    }

    /** The engine to estimate with: the original if its order is known, else a copy of its present state with the inferred order. Handles are the same. */
    public BatchEngine engine() {
        if (origin.policy().order().known()) {
            return origin;
        }
        BatchEngine last = copy;
        if (last == null || copied != origin.stamp) {
            QueueOrder likely = observe();
            if (last == null || !last.policy().order().equals(likely)) {
                last = new BatchEngine(origin.policy().withOrder(likely), origin.size());
            }
            origin.reorderInto(last);
            copy = last;
            copied = origin.stamp;
        }
        return last;
    }

    /** Takes the evidence of the present jobs, or earlier evidence if that was stronger, and returns the order that explains it best. */
    QueueOrder observe() {
        QueueOrder likely = QueueOrder.ARRIVAL;
        double fewest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ORDERS.size(); i++) {
            evidence[i] = Math.max(FADING * evidence[i], contradictions(origin, ORDERS.get(i)));
            if (evidence[i] < fewest) {
                fewest = i > 0 ? evidence[i] : evidence[0] < MIN ? 0 : evidence[0] / 2;
                likely = ORDERS.get(i);
            }
        }
        return likely;
    }

    /** The number of pairs in which the larger job started first although an order has the smaller one ahead. */
    static int contradictions(BatchEngine engine, QueueOrder order) {
        JobTable jobs = engine.plan.jobs;
        int found = 0;
        for (int first = 0; first < jobs.top; first++) {
            if (jobs.state[first] == JobTable.RUNNING) {
                long rank = rank(jobs, first, order);
                for (int later = 0; later < jobs.top; later++) {
                    found += wasPassed(jobs, later, first) && rank(jobs, later, order) < rank ? 1 : 0;
                }
            }
        }
        return found;
    }

    /** Whether a job was queued when a larger one of its pool started. */
    private static boolean wasPassed(JobTable jobs, int later, int first) {
        long start = jobs.start[first];
        boolean waited = jobs.state[later] == JobTable.QUEUED
                ? jobs.after[later] < 0
                : jobs.state[later] == JobTable.RUNNING && jobs.start[later] > start;
        return waited
                && Math.max(jobs.submit[later], jobs.notBefore[later]) < start
                && jobs.pool[later] == jobs.pool[first]
                && jobs.units[later] <= jobs.units[first]
                && jobs.walltime[later] <= jobs.walltime[first]
                && jobs.memory[later] <= jobs.memory[first];
    }

    private static long rank(JobTable jobs, int j, QueueOrder order) {
        return order.rank(jobs.submit[j], jobs.units[j], jobs.walltime[j], jobs.priority[j]);
    }
}
