package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.Multifactor;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueOrder;
import io.sheaf.batch.Submission;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests queues that are small enough to work out by hand: four nodes, times in milliseconds. */
class SimulatedQueueTest {
    private final List<String> recorded = new ArrayList<>();
    private final SimulatedQueue.JobListener reports = new SimulatedQueue.JobListener() {
        @Override
        public void started(int handle) {
            recorded.add("own starts");
        }

        @Override
        public void expired(int handle) {
            recorded.add("own expires");
        }

        @Override
        public void backgroundStarted(int job, long at) {
            recorded.add(job + " starts at " + at);
        }

        @Override
        public void backgroundLeft(int job, long at, JobOutcome outcome) {
            recorded.add(job + " " + outcome + " at " + at);
        }
    };

    /** Job 0 uses all nodes from 0 to 100 and requested 150; job 1 arrives at 10 and requests all nodes for 50. */
    private final JobLog log =
            JobLog.builder().add(1, 0, 100, 150, 4, 7).add(2, 10, 50, 50, 4, 7).build();

    private final SimulatedQueue queue = new SimulatedQueue(log, Policy.conservative(), 4);

    @Test
    void anOwnJobWaitsItsTurnAndExpires() {
        assertThat(queue.now()).isZero();
        assertThat(queue.next()).isZero();
        queue.advanceTo(20);
        assertThat(queue.now()).isEqualTo(20);
        assertThat(queue.next()).as("end of job 0").isEqualTo(100);
        int own = queue.submit(Submission.of(2, 30));
        assertThat(queue.engine().start(own))
                .as("behind jobs 0 and 1: 150 + 50")
                .isEqualTo(200);
        queue.pass(reports);
        queue.open(100, reports);
        queue.pass(reports);
        assertThat(queue.engine().start(own)).as("job 0 ended 50 early").isEqualTo(150);
        queue.open(150, reports);
        queue.pass(reports);
        assertThat(queue.next()).as("limit of the own job").isEqualTo(180);
        assertThat(queue.ownJobs()).isEqualTo(1);
        queue.open(180, reports);
        queue.pass(reports);
        assertThat(recorded)
                .containsExactly(
                        "0 COMPLETED at 100", "1 starts at 100", "1 COMPLETED at 150", "own starts", "own expires");
        assertThat(queue.ownJobs()).isZero();
        assertThat(queue.next()).isEqualTo(NEVER);
    }

    @Test
    void aJobThatEndsAtItsLimitIsNotKilled() {
        queue.advanceTo(5);
        int own = queue.submit(Submission.of(4, 60));
        // Job 1 arrives at 10. Job 0 ends at 100, and the own job is first in the queue.
        for (long at : new long[] {10, 100}) {
            queue.open(at, reports);
            queue.pass(reports);
        }
        assertThat(queue.next()).as("limit of the own job").isEqualTo(160);
        queue.ends(160, reports);
        queue.complete(own);
        queue.kills(reports);
        queue.arrivals(reports);
        queue.pass(reports);
        assertThat(recorded).containsExactly("0 COMPLETED at 100", "own starts", "1 starts at 160");
        assertThat(queue.ownJobs()).isZero();
    }

    @Test
    void ownJobsCanBeCancelledAndShortened() {
        JobLog later = JobLog.builder().add(1, 50, 10, 10, 4, 0).build();
        SimulatedQueue empty = new SimulatedQueue(later, Policy.conservative(), 4);
        empty.open(5, reports);
        int running = empty.submit(Submission.of(3, 40));
        int queued = empty.submit(Submission.of(2, 30));
        empty.pass(reports);
        assertThat(empty.engine().start(queued)).isEqualTo(45);
        empty.shorten(queued, 6);
        assertThat(empty.engine().walltime(queued)).isEqualTo(6);
        assertThat(empty.next()).isEqualTo(45);
        empty.open(10, reports);
        empty.cancel(running);
        empty.pass(reports);
        assertThat(recorded).containsExactly("own starts", "own starts");
        assertThat(empty.next()).as("limit of the second").isEqualTo(16);
        empty.complete(queued);
        assertThat(empty.next())
                .as("no event of own jobs, only the next arrival")
                .isEqualTo(50);
    }

    /** Job 1 of user 7 is queued behind job 0 of the same user, so a user without usage comes before it. */
    @Test
    void ownJobsHaveAUserOfTheirOwn() {
        Policy fair = Policy.easy().withOrder(QueueOrder.ARRIVAL.withFairShare(3_600_000, 1_000_000));
        SimulatedQueue strict = new SimulatedQueue(log, fair, 4);
        strict.advanceTo(20);
        assertThat(strict.submit(Submission.of(5, 10))).isEqualTo(BatchEngine.TOO_LARGE);
        int own = strict.submit(Submission.of(4, 10).user(7));
        assertThat(strict.engine().queued(0)).as("not user 7").isEqualTo(own);
        SimulatedQueue shared = new SimulatedQueue(log, fair, 4, 7);
        shared.advanceTo(20);
        own = shared.submit(Submission.of(4, 10));
        assertThat(shared.engine().queued(1)).as("user 7").isEqualTo(own);
    }

    @Test
    void invalidOperationsAreRefused() {
        queue.advanceTo(20);
        assertThatThrownBy(() -> queue.open(101, reports)).hasMessageContaining("something happens at 100");
        assertThatThrownBy(() -> queue.open(19, reports)).hasMessageContaining("from 20 to 19");
        assertThatThrownBy(() -> queue.advanceTo(19)).hasMessageContaining("before 20");
        assertThatThrownBy(() -> queue.cancel(0)).as("job 0's").hasMessageContaining("handle 0 is not that of an own");
        assertThatThrownBy(() -> queue.complete(99)).hasMessageContaining("not that of an own job");
        int own = queue.submit(Submission.of(1, 5));
        assertThatThrownBy(() -> queue.advanceTo(30)).hasMessageContaining("1 own jobs are in the system");
        queue.cancel(own);
        assertThatThrownBy(() -> queue.cancel(own)).hasMessageContaining("not that of an own job");
        SimulatedQueue other = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), 4);
        assertThatThrownBy(() -> queue.forkInto(other)).hasMessageContaining("same log");
    }

    /**
     * One node, and only fair share counts. An own job uses it from 0 to 100. At 110 a job of user 7, without usage,
     * arrives, and starts before the second own job. Of two users the first has the factor 1, the second 1/2.
     */
    @Test
    void ownUseLowersOwnPriority() {
        JobLog background = JobLog.builder()
                .add(1, 100, 20, 20, 1, 3)
                .add(2, 110, 50, 50, 1, 7)
                .build();
        QueueOrder order = QueueOrder.of(new Multifactor(0, 1000, 0, false, 100, 100_000, 1, 1, true));
        SimulatedQueue shared = new SimulatedQueue(background, Policy.easy().withOrder(order), 1);
        shared.submit(Submission.of(1, 100));
        shared.pass(reports);
        shared.open(100, reports);
        shared.pass(reports);
        shared.open(110, reports);
        int own = shared.submit(Submission.of(1, 30));
        long[] estimate = new long[1];
        shared.pass(reports);
        shared.engine().estimate(110, new JobShapes().add(Pools.ANY, 1, 30), estimate);
        assertThat(estimate[0]).as("behind user 7 and the queued own job").isEqualTo(120 + 50 + 30);
        SimulatedQueue copy =
                SimulatedQueue.of(shared.engine(), 110, JobLog.builder().build());
        copy.engine().estimate(110, new JobShapes().add(Pools.ANY, 1, 30), estimate);
        assertThat(estimate[0]).as("a copy has the own user").isEqualTo(120 + 50 + 30);
        SimulatedQueue fork = shared.fork();
        for (SimulatedQueue each : List.of(shared, fork)) {
            recorded.clear();
            each.open(120, reports);
            each.pass(reports);
            assertThat(recorded).containsExactly("0 COMPLETED at 120", "1 starts at 120");
            assertThat(each.engine().isRunning(own)).isFalse();
        }
    }

    /**
     * The account of users 3 and 7 used as much as the own one, which has 5 of 6 shares: the own job starts before that
     * of user 7.
     */
    @Test
    void ownJobsHaveTheirOwnAccount() {
        JobLog background = JobLog.builder()
                .add(1, 0, 100, 100, 1, 3)
                .account(1)
                .add(2, 110, 50, 50, 1, 7)
                .account(1)
                .build();
        QueueOrder order = QueueOrder.of(new Multifactor(0, 1000, 0, false, 100, 100_000, 1, 5, true));
        SimulatedQueue shared = new SimulatedQueue(background, Policy.easy().withOrder(order), 1);
        shared.open(0, reports);
        shared.submit(Submission.of(1, 100));
        shared.pass(reports);
        shared.open(100, reports);
        shared.pass(reports);
        shared.open(110, reports);
        int own = shared.submit(Submission.of(1, 30));
        shared.pass(reports);
        shared.open(200, reports);
        shared.pass(reports);
        assertThat(shared.engine().isRunning(own)).as("5 of 6 shares").isTrue();
    }

    /**
     * User 3 has a job until 100 and another of 50 in the queue. The own user has no usage and is first, if estimates
     * consider that.
     */
    @Test
    void estimatesMayIgnoreOwnPriority() {
        JobLog background = JobLog.builder()
                .add(1, 0, 100, 100, 1, 3)
                .add(2, 10, 50, 50, 1, 3)
                .build();
        long[] estimate = new long[1];
        for (boolean known : new boolean[] {true, false}) {
            QueueOrder order = QueueOrder.of(new Multifactor(0, 1000, 0, false, 100, 100_000, 1, 1, known));
            SimulatedQueue shared = new SimulatedQueue(background, Policy.easy().withOrder(order), 1);
            shared.advanceTo(20);
            shared.engine().estimate(20, new JobShapes().add(Pools.ANY, 1, 30), estimate);
            assertThat(estimate[0]).isEqualTo(known ? 100 : 150);
            SimulatedQueue copy =
                    SimulatedQueue.of(shared.engine(), 20, JobLog.builder().build());
            for (SimulatedQueue each : List.of(shared, copy)) {
                int own = each.submit(Submission.of(1, 30));
                each.pass(reports);
                each.open(100, reports);
                each.pass(reports);
                assertThat(each.engine().isRunning(own)).isEqualTo(known || each == shared);
            }
        }
    }
}
