package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;
import org.junit.jupiter.api.Test;

/**
 * Tests the cost of a run to background jobs. All jobs request all four nodes, first come first served; times in
 * seconds. Without the run:
 *
 * <pre>
 *   job  submit  starts  ends
 *   0       0       0     100   (runs when the run begins: not counted)
 *   1      10     100     150
 *   2      60     150     160
 *   3      70     160     260
 *   4      75     260     270
 *   5     190     270     280   (arrives after the run: not counted)
 * </pre>
 *
 * The run submits a job of 30 s on all nodes at 50, which runs from 150 to 180: jobs 2, 3 and 4 start 30 s later.
 */
class BackgroundCostTest {
    private static final long S = 1000;

    private static JobLog.Builder job(JobLog.Builder log, long submit, long run, long patience) {
        return log.add(log.size(), submit * S, run * S, run * S, 4, 0, patience);
    }

    private static JobLog log(long patienceOfJob2) {
        JobLog.Builder log = JobLog.builder();
        job(log, 0, 100, JobLog.PATIENT);
        job(log, 10, 50, JobLog.PATIENT);
        job(log, 60, 10, patienceOfJob2);
        job(log, 70, 100, JobLog.PATIENT);
        job(log, 75, 10, JobLog.PATIENT);
        job(log, 190, 10, JobLog.PATIENT);
        return log.build();
    }

    private static BackgroundCost cost(JobLog log, int nodes, long baselineUntil, long patience) {
        Checkpoints checkpoints = new Checkpoints(log, Policy.fcfs(), 4, new long[] {50 * S}, baselineUntil);
        BackgroundCost cost = new BackgroundCost(checkpoints.baseline(), patience);
        // Twice, to check that the second run does not depend on the first.
        for (int i = 0; i < 2; i++) {
            run(checkpoints.fork(0), nodes, cost);
        }
        return cost;
    }

    /** A baseline simulated on demand from the start of the run gives the same cost as one of the whole log. */
    @Test
    void theBaselineMayBeComputedOnDemand() {
        JobLog log = log(JobLog.PATIENT);
        Checkpoints checkpoints = new Checkpoints(log, Policy.fcfs(), 4, new long[] {50 * S}, 50 * S);
        BackgroundCost cost = new BackgroundCost(until -> checkpoints.baseline(0, until), 1000 * S);
        run(checkpoints.fork(0), 4, cost);
        BackgroundCost whole = cost(log, 4, NEVER, 1000 * S);
        assertThat(cost.jobs()).isEqualTo(whole.jobs()).isEqualTo(4);
        assertThat(cost.meanSeconds()).isEqualTo(whole.meanSeconds()).isEqualTo(22.5);
    }

    private static void run(SimulatedQueue queue, int nodes, BackgroundCost cost) {
        cost.begin(queue);
        SimulatedQueue.JobListener reports = new SimulatedQueue.JobListener() {
            @Override
            public void started(int handle) {}

            @Override
            public void expired(int handle) {}

            @Override
            public void backgroundStarted(int job, long at) {
                cost.backgroundStarted(job, at);
            }

            @Override
            public void backgroundLeft(int job, long at, JobOutcome outcome) {
                cost.backgroundLeft(job, at, outcome);
            }
        };
        queue.open(50 * S, reports);
        queue.submit(Submission.of(nodes, 30 * S));
        queue.pass(reports);
        assertThatThrownBy(() -> cost.finish(queue)).hasMessageContaining("the run has not ended");
        while (queue.ownJobs() > 0) {
            queue.open(queue.next(), reports);
            queue.pass(reports);
        }
        cost.finish(queue);
    }

    @Test
    void theCostIsTheMeanOverJobsQueuedDuringTheRun() {
        BackgroundCost cost = cost(log(JobLog.PATIENT), 4, NEVER, 3600 * S);
        assertThat(cost.jobs()).isEqualTo(4);
        assertThat(cost.meanSeconds()).as("(0 + 30 + 30 + 30) / 4").isEqualTo(22.5);
    }

    @Test
    void waitsAreCutOffAtTheHorizon() {
        BackgroundCost cost = cost(log(JobLog.PATIENT), 4, NEVER, 50 * S);
        assertThat(cost.meanSeconds())
                .as("horizon 230: job 4 still waits in both cases, (0 + 30 + 30 + 0) / 4")
                .isEqualTo(15);
        assertThat(cost(log(JobLog.PATIENT), 4, 280 * S, NEVER).meanSeconds())
                .as("the baseline ends at 280: (0 + 30 + 30 + 20) / 4")
                .isEqualTo(20);
    }

    /**
     * Job 2 is cancelled at 160. Without the run it starts at 150; with it, it waits 10 s longer, and 3 and 4 start 20
     * s later.
     */
    @Test
    void aCancellationEndsAWait() {
        BackgroundCost cost = cost(log(100 * S), 4, NEVER, 3600 * S);
        assertThat(cost.jobs()).isEqualTo(4);
        assertThat(cost.meanSeconds()).as("(0 + 10 + 20 + 20) / 4").isEqualTo(12.5);
    }

    @Test
    void theCostIsZeroForARunWithoutSubmissions() {
        RandomStream random = new RandomStream(8);
        for (int i = 0; i < 50; i++) {
            JobLog log = RandomLogs.log(random, 60);
            Policy policy = RandomLogs.policy(random);
            Checkpoints checkpoints = new Checkpoints(log, policy, RandomLogs.NODES, new long[] {100}, NEVER);
            BackgroundCost cost = new BackgroundCost(checkpoints.baseline(), 10_000);
            SimulatedQueue fork = checkpoints.fork(0);
            cost.begin(fork);
            fork.advanceTo(200, cost);
            cost.finish(fork);
            assertThat(cost.meanSeconds()).isZero();
            assertThat(cost.jobs()).isBetween(1, 59);
        }
    }
}
