package io.sheaf.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Event;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics of a run, worked out by hand, and the chosen options of its decisions. */
class RunRecordTest {
    private static final Claim ALL = Claim.levels(0, 1);

    private static final Resources TWO_NODES = new Resources(1, 0, 0, 2);

    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("pair");
        int a = builder.task("a");
        int b = builder.task("b");
        builder.resources(a, TWO_NODES);
        builder.edge(a, b);
        return builder.build();
    }

    /**
     * Nodes of two cores, from 100 on. Job 1 (2 nodes × 50) is submitted at 100 and runs from 120 to 170, when it expires: task a, a core of each node,
     * is cut off there. Job 2 is refused, job 3 cancelled at 180. Job 4 (3 nodes × 90) is submitted at 180 and runs from 200 to 260: a from 200 to 230,
     * b from 230 to 260.
     */
    private static RunLog log() {
        RunLog log = new RunLog(Pools.NONE);
        log.submitted(1, Request.of(2, 50), 100);
        log.started(1, 120);
        log.taskStarted(1, new int[] {0, 1}, 0, 120, TWO_NODES);
        log.taskEnded(0, 170, Event.Outcome.CUT_OFF);
        log.ended(1, 170, Event.End.EXPIRED);
        log.submitted(2, Request.of(9, 50), 170);
        log.refused(2, 170);
        log.submitted(3, Request.of(2, 50), 170);
        log.shortened(3, 40);
        log.ended(3, 180, Event.End.CANCELLED);
        log.submitted(4, Request.of(3, 90), 180);
        log.started(4, 200);
        log.taskStarted(4, new int[] {0, 2}, 0, 200, TWO_NODES);
        log.taskEnded(0, 230, Event.Outcome.SUCCEEDED);
        log.taskStarted(4, new int[] {1}, 1, 230, Resources.ONE_CORE);
        log.taskEnded(1, 260, Event.Outcome.SUCCEEDED);
        log.ended(4, 260, Event.End.RELEASED);
        return log;
    }

    private static RunRecord record(DecisionLog decisions) {
        RunLog log = log();
        return new RunRecord(
                workflow(), "any", 8, 2, true, 100, 260, log.jobs(), log.attempts(), decisions.decisions());
    }

    @Test
    void metricsMatchTheLog() {
        RunRecord run = record(new DecisionLog());
        assertThat(run.makespanMillis()).isEqualTo(160);
        assertThat(run.waitMillis()).as("20 for job 1, 20 for job 4").isEqualTo(40);
        assertThat(run.perceivedWaitMillis()).as("100-120 and 170-200").isEqualTo(50);
        assertThat(run.allocatedNodeMillis()).as("2 × 50 + 3 × 60").isEqualTo(280);
        assertThat(run.usedNodeMillis())
                .as("a: 30 on a core of two nodes, b: 30 on one core; two cores a node")
                .isEqualTo(45);
        assertThat(run.expired()).isEqualTo(1);
        assertThat(run.retries()).isEqualTo(1);
        assertThat(run.jobs())
                .extracting(JobRecord::end)
                .containsExactly(
                        JobRecord.End.EXPIRED, JobRecord.End.REFUSED, JobRecord.End.CANCELLED, JobRecord.End.RELEASED);
        assertThat(run.jobs().get(2).walltime()).isEqualTo(40);
        assertThat(run.attempts().get(1).nodes()).containsExactly(0, 2);
    }

    /** A job of 60 s is released after its walltime stopped a task; another one loses a node after 10 s. */
    @Test
    void aJobWhoseWalltimeStoppedATaskHasExpired() {
        RunLog log = new RunLog(Pools.NONE);
        for (long token = 1; token <= 2; token++) {
            log.submitted(token, Request.of(1, 60_000), 0);
            log.started(token, 0);
            log.taskStarted(token, new int[] {0}, (int) token, 0, Resources.ONE_CORE);
        }
        log.taskEnded(2, 10_000, Event.Outcome.CUT_OFF);
        log.ended(2, 10_100, Event.End.RELEASED);
        log.taskEnded(1, 59_900, Event.Outcome.CUT_OFF);
        log.ended(1, 60_100, Event.End.RELEASED);
        assertThat(log.jobs())
                .extracting(JobRecord::end)
                .containsExactly(JobRecord.End.EXPIRED, JobRecord.End.RELEASED);
    }

    /** A failure that is not repeated is no retry; a task that ran three times has two. */
    @Test
    void retriesAreAttemptsAfterTheFirst() {
        RunLog log = new RunLog(Pools.NONE);
        log.submitted(1, Request.of(1, 50), 0);
        log.started(1, 0);
        for (int i = 0; i < 3; i++) {
            log.taskStarted(1, new int[] {0}, 0, i, Resources.ONE_CORE);
            log.taskEnded(0, i + 1, Event.Outcome.FAILED);
        }
        log.taskStarted(1, new int[] {0}, 1, 3, Resources.ONE_CORE);
        log.taskEnded(1, 4, Event.Outcome.FAILED);
        RunRecord run = new RunRecord(workflow(), "any", 8, 2, false, 0, 4, log.jobs(), log.attempts(), List.of());
        assertThat(run.retries()).isEqualTo(2);
    }

    /** Job 1 runs from 20 to 50; job 2 waits from 0 to 60, job 3 from 40 to 100: 30 + 10 while 1 runs, 40 while 2 does. */
    @Test
    void queueWaitBehindARunningJobIsOverlapped() {
        RunLog log = new RunLog(Pools.NONE);
        long[][] times = {{0, 20, 50}, {0, 60, 200}, {40, 100, 200}};
        for (int i = 0; i < times.length; i++) {
            log.submitted(i + 1, Request.of(1, 500), times[i][0]);
            log.started(i + 1, times[i][1]);
            log.ended(i + 1, times[i][2], Event.End.RELEASED);
        }
        RunRecord run = new RunRecord(workflow(), "any", 8, 2, true, 0, 200, log.jobs(), List.of(), List.of());
        assertThat(run.waitMillis()).isEqualTo(20 + 60 + 60);
        assertThat(run.overlappedWaitMillis()).isEqualTo(30 + 10 + 40);
    }

    @Test
    void jobsRecordTheirClaimAndExpectedStart() {
        DecisionLog decisions = new DecisionLog();
        decisions.begin(100);
        decisions.ordered(new Order.Submit(Request.of(2, 50), ALL), 1, 115);
        decisions.begin(180);
        decisions.ordered(new Order.Cancel(3), 3, JobRecord.NEVER);
        decisions.ordered(new Order.Submit(Request.of(3, 90), Claim.task(1, 1)), 4, JobRecord.NEVER);
        RunRecord run = record(decisions);
        assertThat(run.jobs()).extracting(JobRecord::claim).containsExactly("levels 0-1", "", "", "task b");
        assertThat(run.jobs()).extracting(JobRecord::expectedStart).containsExactly(115L, -1L, -1L, -1L);
        assertThat(run.decisions())
                .extracting(DecisionRecord::summary)
                .containsExactly("1 job submitted", "1 job submitted, 1 job cancelled");
    }

    /**
     * Two options request the same job, and the one with the shorter makespan counts. Decisions without an effect are
     * not recorded.
     */
    @Test
    void theChosenOptionIsTheOneThatMatchesTheSubmission() {
        DecisionLog decisions = new DecisionLog();
        decisions.begin(50);
        decisions.option("nothing came of it", 1, 10, 0, 5);
        decisions.begin(100);
        decisions.option("other nodes", 1, 50, 0, 60);
        decisions.option("same, longer", 2, 50, 15, 90);
        decisions.option("same, shorter", 2, 50, 15, 70);
        decisions.option("same, not estimated", 2, 50, 15, -1);
        decisions.chosen("because");
        decisions.ordered(new Order.Submit(Request.of(2, 50), ALL), 1, 115);
        decisions.begin(120);
        decisions.option("as wide", 7, 50, 15, 90);
        decisions.ordered(new Order.Submit(Request.of(2, 50), ALL), 2, 115);
        assertThat(decisions.decisions()).hasSize(2);
        DecisionRecord first = decisions.decisions().get(0);
        assertThat(first.chosenOption()).isEqualTo(2);
        assertThat(first.expectedEnd()).isEqualTo(170);
        assertThat(first.summary()).isEqualTo("because");
        DecisionRecord second = decisions.decisions().get(1);
        assertThat(List.of(second.chosenOption(), (int) second.expectedEnd())).containsExactly(-1, -1);
    }
}
