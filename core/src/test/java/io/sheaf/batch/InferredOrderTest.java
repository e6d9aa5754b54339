package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue order that estimates infer from the starts of jobs. */
class InferredOrderTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long STEP = 20 * MINUTE;

    private static void pass(BatchEngine engine, long at) {
        engine.pass(at, new int[16]);
    }

    /**
     * One job uses all nodes for an hour. Three small jobs are submitted after a minute, a large one a minute later.
     * After an hour, either the large job or the small jobs start.
     */
    private static BatchEngine afterAnHour(QueueOrder order) {
        BatchEngine engine = new BatchEngine(Policy.easy().withOrder(order), 4);
        int first = engine.submit(0, Submission.of(4, HOUR));
        pass(engine, 0);
        for (int i = 0; i < 3; i++) {
            engine.submit(MINUTE, Submission.of(1, HOUR / 2));
        }
        engine.submit(2 * MINUTE, Submission.of(4, HOUR));
        engine.complete(first, HOUR);
        pass(engine, HOUR);
        return engine;
    }

    /**
     * The large job is ahead: 4 node-hours count as 24 minutes of waiting, half a node-hour as 3. In the order of
     * arrival the small jobs would have started first.
     */
    @Test
    void theOrderIsInferredFromALargeJobThatOvertakes() {
        BatchEngine engine = afterAnHour(QueueOrder.LARGE.unknown());
        assertThat(InferredOrder.contradictions(engine, QueueOrder.ARRIVAL)).isEqualTo(3);
        assertThat(InferredOrder.contradictions(engine, QueueOrder.LARGE)).isZero();
        assertThat(new InferredOrder(engine).observe()).isEqualTo(QueueOrder.LARGE);
    }

    @Test
    void withoutEvidenceTheOrderOfArrivalIsAssumed() {
        assertThat(new InferredOrder(afterAnHour(QueueOrder.ARRIVAL.unknown())).observe())
                .isEqualTo(QueueOrder.ARRIVAL);
    }

    /**
     * The large job runs until 2 h. A job of 80 node-hours counts as 8 hours of waiting. It is ahead of the small jobs
     * and starts at 2 h. In the order of arrival it would start when the small jobs have ended, at 2:30.
     */
    @Test
    void estimatesUseTheInferredOrder() {
        BatchEngine engine = afterAnHour(QueueOrder.LARGE.unknown());
        Submission large = Submission.of(4, 20 * HOUR);
        BatchEngine assumed = new InferredOrder(engine).engine();
        assertThat(assumed.estimate(HOUR + MINUTE, large)).isEqualTo(2 * HOUR);
        BatchEngine arrival = new BatchEngine(Policy.easy(), 4);
        engine.reorderInto(arrival);
        assertThat(arrival.estimate(HOUR + MINUTE, large)).isEqualTo(2 * HOUR + HOUR / 2);
    }

    @Test
    void aKnownOrderIsNotInferred() {
        BatchEngine engine = afterAnHour(QueueOrder.LARGE);
        assertThat(new InferredOrder(engine).engine()).isSameAs(engine);
    }

    /**
     * No start contradicts the true order if each pass makes new reservations. If large jobs go first, some starts
     * contradict the order of arrival. Walltimes are in whole steps, so that no pass is late.
     */
    @Test
    void theTrueOrderIsNeverContradicted() {
        int wrong = 0;
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            List<QueueOrder> orders = List.of(QueueOrder.ARRIVAL, QueueOrder.MAUI_FCFS, QueueOrder.LARGE);
            QueueOrder order = orders.get(seed % 3);
            Policy policy = List.of(Policy.fcfs(), Policy.easy(), Policy.depth(3))
                    .get(random.nextInt(3))
                    .withOrder(order);
            BatchEngine engine = new BatchEngine(policy, 8);
            List<Integer> running = new ArrayList<>();
            for (long t = 0; t < 100 * HOUR; t += STEP) {
                for (Integer job : List.copyOf(running)) {
                    if (engine.limit(job) <= t || random.nextInt(8) == 0) {
                        engine.complete(job, t);
                        running.removeIf(job::equals);
                    }
                }
                if (random.nextInt(2) == 0) {
                    engine.submit(t, Submission.of(1 + random.nextInt(8), (1 + random.nextInt(18)) * STEP));
                }
                int[] started = new int[engine.queued()];
                int count = engine.pass(t, started);
                for (int i = 0; i < count; i++) {
                    running.add(started[i]);
                }
                assertThat(InferredOrder.contradictions(engine, order))
                        .as("seed %d at %d", seed, t)
                        .isZero();
                wrong += order.equals(QueueOrder.LARGE) ? InferredOrder.contradictions(engine, QueueOrder.ARRIVAL) : 0;
            }
        }
        assertThat(wrong).isGreaterThan(100);
    }
}
