package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Batch engine on small queues that are worked out by hand, with four nodes unless stated otherwise. */
class BatchEngineTest {
    private final int[] started = new int[16];

    private static BatchEngine cluster(Policy policy) {
        return new BatchEngine(policy, 4);
    }

    private static int submit(BatchEngine engine, long at, int units, long walltime) {
        return engine.submit(at, Submission.of(units, walltime));
    }

    /** A runs on 3 of 4 nodes until 10. B wants 4: from 10. C (1 × 10) fits beside A; D (1 × 11) would delay B. */
    @Test
    void easyBackfillsOnlyJobsThatDoNotDelayTheFirst() {
        BatchEngine engine = cluster(Policy.easy());
        int a = submit(engine, 0, 3, 10);
        int b = submit(engine, 0, 4, 5);
        int d = submit(engine, 0, 1, 11);
        int c = submit(engine, 0, 1, 10);
        assertThat(engine.pass(0, started)).isEqualTo(2);
        assertThat(started).startsWith(a, c);
        assertThat(engine.start(b)).isEqualTo(10);
        assertThat(engine.start(d)).isEqualTo(BatchEngine.NEVER);
        assertThat(engine.nextPass()).isEqualTo(10);
    }

    /** The same queue: under FCFS nothing passes B. */
    @Test
    void fcfsStopsAtTheFirstJobThatCannotStart() {
        BatchEngine engine = cluster(Policy.fcfs());
        submit(engine, 0, 3, 10);
        submit(engine, 0, 4, 5);
        submit(engine, 0, 1, 1);
        assertThat(engine.pass(0, started)).isEqualTo(1);
        assertThat(engine.nextPass()).isEqualTo(BatchEngine.NEVER);
    }

    /**
     * A (2 × 10) and B (2 × 20) run; C (4 × 5) is planned at 20, D (2 × 10) at 10. B ends at 5. C is replanned first:
     * at 10, D's reservation leaves too few nodes, so that C stays. D moves to 5. Planning both from scratch would have
     * put C at 10 and D at 15.
     */
    @Test
    void anEarlyEndReplansEachJobInTurn() {
        BatchEngine engine = cluster(Policy.conservative());
        submit(engine, 0, 2, 10);
        int b = submit(engine, 0, 2, 20);
        engine.pass(0, started);
        int c = submit(engine, 0, 4, 5);
        int d = submit(engine, 0, 2, 10);
        assertThat(engine.start(c)).isEqualTo(20);
        assertThat(engine.start(d)).isEqualTo(10);
        engine.complete(b, 5);
        assertThat(engine.start(c)).isEqualTo(20);
        assertThat(engine.start(d)).isEqualTo(5);
    }

    @Test
    void aDependentJobReservesAStartOrWaitsForItsPredecessor() {
        BatchEngine engine = cluster(Policy.conservative());
        int first = submit(engine, 0, 4, 10);
        engine.pass(0, started);
        int reserving = engine.submit(0, Submission.of(1, 5).reservingAfter(first));
        int eligible = engine.submit(0, Submission.of(1, 5).eligibleAfter(first));
        int other = submit(engine, 0, 4, 10);
        assertThat(engine.start(reserving)).isEqualTo(10);
        assertThat(engine.start(eligible)).isEqualTo(BatchEngine.NEVER);
        assertThat(engine.start(other)).isEqualTo(15);
        engine.complete(first, 4);
        assertThat(engine.start(reserving)).isEqualTo(4);
        // It is ahead of the other job in the queue, so it is planned first: at 4, beside the reserving job.
        assertThat(engine.start(eligible)).isEqualTo(4);
        assertThat(engine.start(other)).isEqualTo(9);
    }

    @Test
    void aReservationMovesPlannedStarts() {
        BatchEngine engine = cluster(Policy.conservative());
        submit(engine, 0, 4, 10);
        engine.pass(0, started);
        int job = submit(engine, 0, 2, 10);
        assertThat(engine.start(job)).isEqualTo(10);
        engine.reserve(Pools.ANY, 4, 15, 30, 1);
        assertThat(engine.start(job)).isEqualTo(30);
    }

    /** A has not ended at its limit, 10. The engine extends the limit by a second, and B waits. */
    @Test
    void aJobBeyondItsWalltimeKeepsItsNodes() {
        for (Policy policy : new Policy[] {Policy.conservative(), Policy.easy(), Policy.fcfs()}) {
            BatchEngine engine = cluster(policy);
            int a = submit(engine, 0, 4, 10);
            engine.pass(0, started);
            int b = submit(engine, 0, 1, 10);
            assertThat(engine.pass(10, started)).as("%s", policy).isZero();
            assertThat(engine.limit(a)).isEqualTo(1010);
            engine.complete(a, 500);
            assertThat(engine.pass(500, started)).as("%s", policy).isEqualTo(1);
            assertThat(started[0]).isEqualTo(b);
        }
    }

    /** At most 2 jobs and 3 units of a user, of 10 units. */
    @Test
    void limitsPerUserBlockUntilAJobOfTheUserEnds() {
        Policy policy = Policy.conservative().withLimits(new UserLimits(2, 3, UserLimits.LimitScope.ALL));
        BatchEngine engine = new BatchEngine(policy, 10);
        Submission two = Submission.of(2, 10).user(7);
        int a = engine.submit(0, two);
        int b = engine.submit(0, two);
        int c = engine.submit(0, Submission.of(1, 10).user(7));
        int d = engine.submit(0, Submission.of(3, 10).user(8));
        // More units than the limit of a user.
        assertThat(engine.submit(0, Submission.of(4, 1).user(7))).isEqualTo(BatchEngine.TOO_LARGE);
        // 2 + 2 units are too many for one user, 2 + 1 are not; another user has its own 3.
        assertThat(engine.start(a)).isZero();
        assertThat(engine.start(b)).isEqualTo(BatchEngine.NEVER);
        assertThat(engine.start(c)).isZero();
        assertThat(engine.start(d)).isZero();
        engine.pass(0, started);
        engine.complete(a, 6);
        assertThat(engine.start(b)).isEqualTo(6);
    }

    /** At most 40 unit-milliseconds of a user's jobs, of 10 units; a running job counts with its whole walltime. */
    @Test
    void aLimitOfUnitTimeBlocksUntilAJobOfTheUserEnds() {
        for (Policy each : List.of(Policy.easy(), Policy.conservative())) {
            Policy policy = each.withLimits(new UserLimits(9, 9, 40, UserLimits.LimitScope.ALL));
            BatchEngine engine = new BatchEngine(policy, 10);
            int a = engine.submit(0, Submission.of(2, 10).user(7));
            int b = engine.submit(0, Submission.of(3, 8).user(7));
            int c = engine.submit(0, Submission.of(1, 20).user(7));
            assertThat(engine.submit(0, Submission.of(1, 41).user(7))).isEqualTo(BatchEngine.TOO_LARGE);
            // 20 + 24 are too many, 20 + 20 are not.
            assertThat(engine.pass(0, started)).isEqualTo(2);
            assertThat(engine.isRunning(a)).isTrue();
            assertThat(engine.isRunning(c)).isTrue();
            assertThat(engine.pass(5, started)).as("10 + 15 remain").isZero();
            long[] out = new long[2];
            engine.own(7, 0, 5);
            // A job of 4 × 1 waits for the first job, until 10; b is planned for 10, and ends at 18.
            engine.estimate(5, new JobShapes().add(0, 1, 1).add(0, 4, 1), out);
            assertThat(out[0]).as("%s", each).isGreaterThanOrEqualTo(10);
            engine.shorten(b, 6, 5);
            assertThat(engine.pass(5, started)).as("20 + 20 + 18").isZero();
            engine.complete(a, 6);
            assertThat(engine.pass(6, started)).as("20 + 18").isEqualTo(1);
            assertThat(engine.isRunning(b)).isTrue();
        }
    }

    /**
     * Our user may run one job at a time. It runs until 10, so that another one is estimated at 10, not never. Other
     * users are exempt.
     */
    @Test
    void aJobBeyondOurLimitIsEstimatedAtTheEndOfOurJob() {
        for (Policy each : List.of(Policy.fcfs(), Policy.easy(), Policy.conservative())) {
            UserLimits limits = new UserLimits(1, 4, UserLimits.LimitScope.OWN);
            BatchEngine engine = new BatchEngine(each.withLimits(limits), 10);
            engine.own(7, 0, 0);
            int first = engine.submit(0, Submission.of(2, 10).user(7));
            engine.submit(0, Submission.of(3, 30).user(1).exempt());
            engine.submit(0, Submission.of(5, 20).user(1).exempt());
            assertThat(engine.pass(0, started)).isEqualTo(3);
            long[] out = new long[3];
            // No unit is free before 10; then 2 are, and 7 from 20 on. 5 units are more than our user may have.
            engine.estimate(0, new JobShapes().add(0, 2, 5).add(0, 4, 5).add(0, 5, 5), out);
            assertThat(out).containsExactly(10, 20, BatchEngine.NEVER);
            int second = engine.submit(0, Submission.of(2, 5).user(7));
            engine.expect(0, -1, new int[] {second}, 1, new JobShapes().add(0, 1, 5), out);
            // The second job runs from 10 to 15; a third job waits for it, though 1 unit is free.
            assertThat(out).startsWith(10, 15);
            engine.complete(first, 4);
            assertThat(engine.pass(4, started)).isEqualTo(1);
            assertThat(started[0]).isEqualTo(second);
            BatchEngine fork = engine.fork();
            fork.submit(4, Submission.of(1, 1).user(7));
            assertThat(fork.pass(4, started)).isZero();
            assertThat(fork.ownUser()).isEqualTo(7);
        }
    }

    /** Four units, at most three of them and 100 ms for a job; jobs of a log or a snapshot are exempt. */
    @Test
    void aJobBeyondTheJobLimitsIsRefusedAndItsEstimateIsNever() {
        for (Policy each : List.of(Policy.fcfs(), Policy.easy(), Policy.conservative())) {
            Policy policy = each.withLimits(new JobLimits(3, 100));
            BatchEngine engine = new BatchEngine(policy, 4);
            assertThat(engine.submit(0, Submission.of(4, 100))).isEqualTo(BatchEngine.TOO_LARGE);
            assertThat(engine.submit(0, Submission.of(3, 101))).isEqualTo(BatchEngine.TOO_LARGE);
            assertThat(engine.submit(0, Submission.of(4, 101).exempt())).isGreaterThanOrEqualTo(0);
            engine.pass(0, started);
            long[] starts = new long[3];
            engine.estimate(0, Lockstep.shapes(new int[] {3, 4, 3}, new long[] {100, 100, 101}, 0), starts);
            assertThat(starts).as("%s", each).containsExactly(101, BatchEngine.NEVER, BatchEngine.NEVER);
            engine.expect(0, -1, new int[0], 0, new JobShapes().add(Pools.ANY, 3, 101), starts);
            assertThat(starts[0]).as("%s", each).isEqualTo(BatchEngine.NEVER);
            assertThat(engine.estimate(0, Submission.of(3, 101))).isEqualTo(BatchEngine.NEVER);
            assertThat(engine.estimate(0, Submission.of(3, 101).exempt())).isEqualTo(101);
        }
    }

    /**
     * One processor-hour counts as 6 minutes of waiting: a job of 10 × 1 h overtakes jobs submitted up to an hour
     * earlier.
     */
    @Test
    void largeJobsOvertakeUpToTheCap() {
        long hour = QueueOrder.HOUR;
        assertThat(QueueOrder.LARGE.rank(hour, 10, hour, 0)).isEqualTo(0);
        assertThat(QueueOrder.SMALL.rank(hour, 10, hour, 0)).isEqualTo(2 * hour);
        assertThat(QueueOrder.LARGE.rank(0, 480, hour, 0)).isEqualTo(-48 * hour);
        assertThat(QueueOrder.LARGE.rank(0, 10_000, 100 * hour, 0)).isEqualTo(-48 * hour);
        assertThat(QueueOrder.MAUI_FCFS.rank(0, 10_000, 100 * hour, 0)).isEqualTo(-48 * hour / 100);
        assertThat(QueueOrder.EXTERNAL.rank(5, 1, 1, 3)).isLessThan(QueueOrder.EXTERNAL.rank(0, 1, 1, 2));
    }

    /** User 0 used 4 nodes for an hour, with a half-life of an hour. User 1 submits later and starts first. */
    @Test
    void fairShareStartsTheUserWithLessUsageFirst() {
        long hour = QueueOrder.HOUR;
        QueueOrder order = QueueOrder.ARRIVAL.withFairShare(hour, hour);
        BatchEngine engine = cluster(Policy.easy().withOrder(order));
        int first = engine.submit(0, Submission.of(4, hour).user(0));
        engine.pass(0, started);
        int second = engine.submit(1, Submission.of(4, hour).user(0));
        int other = engine.submit(2, Submission.of(4, hour).user(1));
        engine.complete(first, hour);
        assertThat(engine.pass(hour, started)).isEqualTo(1);
        assertThat(started[0]).isEqualTo(other);
        assertThat(engine.queued(0)).isEqualTo(second);
    }

    @Test
    void adoptsRunningJobs() {
        BatchEngine engine = cluster(Policy.conservative());
        int running = engine.adopt(1_000, Submission.of(3, 60_000), -30_000);
        int overdue = engine.adopt(1_000, Submission.of(1, 500), 0);
        assertThat(engine.limit(running)).isEqualTo(30_000);
        assertThat(engine.limit(overdue)).isEqualTo(2_000);
        assertThat(engine.estimate(1_000, Submission.of(1, 10))).isEqualTo(2_000);
        assertThat(engine.estimate(1_000, Submission.of(2, 10))).isEqualTo(30_000);
        assertThat(engine.idle()).isZero();
    }

    @Test
    void refusesInvalidCalls() {
        BatchEngine engine = cluster(Policy.easy());
        assertThatThrownBy(() -> engine.complete(0, 0)).hasMessageContaining("not that of a running job");
        assertThatThrownBy(() -> Submission.of(0, 1)).hasMessageContaining("0 units");
        submit(engine, 5, 1, 1);
        assertThatThrownBy(() -> submit(engine, 4, 1, 1)).hasMessageContaining("time 4 is before 5");
        assertThatThrownBy(() -> engine.forkInto(cluster(Policy.fcfs()))).hasMessageContaining("same policy");
    }
}
