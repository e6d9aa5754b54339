package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.CUT_OFF;
import static io.sheaf.manager.Event.Outcome.FAILED;
import static io.sheaf.manager.Event.Outcome.NODE_LOST;
import static io.sheaf.manager.Event.Outcome.OUT_OF_MEMORY;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static io.sheaf.manager.Event.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Cancelled;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.Grown;
import io.sheaf.manager.Event.NodeLost;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Outcome;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that fail, time out or are lost, and the tasks that depend on them. */
class FailuresTest {
    private static final Rules KEEP_GOING = Rules.DEFAULT.keepGoing(true);

    private static Workflow single(int retries) {
        WorkflowBuilder builder = new WorkflowBuilder("single");
        builder.retries(builder.task("a"), retries);
        return builder.build();
    }

    @Test
    void aFailureUsesUpARetry() {
        Rig rig = new Rig(single(1), Rules.DEFAULT, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, Outcome.FAILED))).containsExactly("start t0 on 1.0 again");
        assertThat(rig.on(new TaskEnded(2, 1, 0, 2, Outcome.FAILED))).containsExactly("release 1");
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.FAILED);
        assertThat(rig.manager.isFailed()).isTrue();
    }

    /** Three nodes and a minute were requested; two nodes and half a minute are used. */
    @Test
    void aPilotJobUsesTheGrantedNodesAndTime() {
        WorkflowBuilder builder = new WorkflowBuilder("three");
        for (int i = 0; i < 3; i++) {
            builder.time(builder.task("t" + i), 60_000_000);
        }
        Rig rig = new Rig(builder.build(), Rules.DEFAULT, 3);
        rig.on(new Started(0, 1, false));
        rig.on(new Event.Granted(0, 1, 2, 30_000));
        assertThat(rig.on(new NodeUp(1, 1, 0), new NodeUp(1, 1, 1), new NodeUp(1, 1, 2)))
                .containsExactly("start t0 on 1.0", "start t1 on 1.1");
        assertThat(rig.manager.pilotJob(0).limit()).isEqualTo(30_000);
        assertThat(rig.manager.pilotJob(0).request().units()).isEqualTo(2);
        assertThat(rig.on(new TaskEnded(2, 1, 0, 1, SUCCEEDED))).containsExactly("start t2 on 1.0");
    }

    /** The task has no memory request that a retry could raise. */
    @Test
    void anOutOfMemoryKillIsNotRepeatedUnchanged() {
        Rig rig = new Rig(single(1), Rules.DEFAULT, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, Outcome.OUT_OF_MEMORY))).containsExactly("release 1");
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.FAILED);
    }

    /** With a memory rule, 'times: 1' is one retry; without, the request grows up to the largest node. */
    @ParameterizedTest
    @CsvSource({"200, FAILED", "0, RUNNING"})
    void aMemoryRetryRuleLimitsTheRetries(int percent, TaskState afterTwoKills) {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        int task = builder.task("t");
        builder.resources(task, new Resources(1, 1 << 20, 0, 1))
                .retries(task, 1)
                .retry(task, new Retry(percent, 100, true, true, false));
        Rig rig = new Rig(builder.build(), Rules.DEFAULT.growth(new MemoryGrowth(200, 1L << 30)), 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, OUT_OF_MEMORY))).containsExactly("start t0 on 1.0 again");
        rig.on(new TaskEnded(2, 1, 0, 2, OUT_OF_MEMORY));
        assertThat(rig.manager.state(0)).isEqualTo(afterTwoKills);
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE_LOST", "UNKNOWN", "STOPPED"})
    void lostAttemptsHaveALimitOfTheirOwn(Outcome outcome) {
        Rig rig = new Rig(single(0), Rules.DEFAULT.maxLosses(2), 1);
        rig.on(new Started(0, 1));
        rig.on(new TaskEnded(1, 1, 0, 1, outcome));
        assertThat(rig.on(new TaskEnded(2, 1, 0, 2, outcome))).containsExactly("start t0 on 1.0 again");
        rig.on(new TaskEnded(3, 1, 0, 3, outcome));
        assertThat(rig.manager.isFailed()).as("two losses, not three").isTrue();
    }

    /** Neither a reported attempt nor a job that ends with its task counts, and no request becomes longer. */
    @Test
    void preemptionCountsNeitherAsAFailureNorAsALoss() {
        Rig rig = new Rig(single(0), Rules.DEFAULT.maxLosses(0).maxTimeouts(1), 1, 1);
        for (int attempt = 1; attempt <= 6; attempt += 2) {
            long token = rig.manager.pilotJob(0).token();
            rig.on(new Started(attempt, token));
            rig.on(new TaskEnded(attempt, token, 0, attempt, Outcome.PREEMPTED));
            assertThat(rig.manager.state(0)).isEqualTo(TaskState.READY);
            rig.on(new Ended(attempt, token, End.PREEMPTED));
            rig.next(Rig.submit(1));
            rig.settle(attempt);
            long next = rig.manager.pilotJob(0).token();
            rig.on(new Started(attempt, next));
            rig.on(new Ended(attempt, next, End.PREEMPTED));
            rig.next(Rig.submit(1));
            rig.settle(attempt);
        }
        assertThat(rig.manager.attempts(0)).isEqualTo(6);
        assertThat(rig.manager.isFailed()).isFalse();
        assertThat(rig.manager.paused()).isNull();
        assertThat(rig.manager.pilotJob(0).request().walltime()).isEqualTo(60_000);
    }

    @Test
    void lossesAndRetriesAreCountedSeparately() {
        Rig rig = new Rig(single(1), Rules.DEFAULT.maxLosses(1), 1);
        rig.on(new Started(0, 1));
        rig.on(new TaskEnded(1, 1, 0, 1, UNKNOWN));
        assertThat(rig.on(new TaskEnded(2, 1, 0, 2, FAILED))).containsExactly("start t0 on 1.0 again");
        rig.on(new TaskEnded(3, 1, 0, 3, SUCCEEDED));
        assertThat(rig.manager.committed(0)).isEqualTo(3);
    }

    @Test
    void aPilotJobWhoseTasksTimeOutIsReleasedAsExpired() {
        Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 2);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(59_000, 1, 0, 1, CUT_OFF))).isEmpty();
        assertThat(rig.on(new TaskEnded(59_000, 1, 1, 1, CUT_OFF))).containsExactly("release 1");
        rig.on(new Ended(59_500, 1, End.RELEASED));
        assertThat(rig.manager.expiries()).isEqualTo(1);
        assertThat(rig.manager.isReady(0)).isTrue();
    }

    @Test
    void aTimedOutTaskIsRetriedWithMoreTimeUpToALimit() {
        Rig rig = new Rig(single(0), Rules.DEFAULT.maxTimeouts(2), 1);
        rig.on(new Started(0, 1));
        rig.on(new TaskEnded(50_000, 1, 0, 1, CUT_OFF));
        rig.next(Rig.submit(1));
        // The minute that the strategy requests, and twice the 50 s that the task had.
        rig.on(new Ended(50_000, 1, End.RELEASED));
        assertThat(rig.settle(50_000)).containsExactly("submit 2 1x160000");
        rig.on(new Started(100_000, 2));
        rig.on(new TaskEnded(160_000, 2, 0, 2, CUT_OFF));
        rig.next(Rig.submit(1));
        rig.on(new Ended(160_000, 2, End.RELEASED));
        assertThat(rig.settle(160_000))
                .as("60 s are less than twice 50 s: the request stays")
                .containsExactly("submit 3 1x160000");
        rig.on(new Started(200_000, 3));
        rig.next(Rig.submit(1));
        rig.on(new Ended(360_000, 3, End.EXPIRED));
        assertThat(rig.settle(360_000)).containsExactly("submit 4 1x380000");
        rig.on(new Started(400_000, 4));
        rig.on(new TaskEnded(770_000, 4, 0, 4, CUT_OFF));
        assertThat(rig.manager.isFailed()).as("the third timeout that counts").isTrue();
    }

    /** No manager ran when the task was cut off; the report arrives 450 s later. */
    @Test
    void aTimedOutTaskGetsTwiceItsTimeEvenIfReportedLate() {
        Rig rig = new Rig(single(0), Rules.DEFAULT.maxTimeouts(2), 1);
        rig.on(new Started(0, 1));
        rig.on(new TaskEnded(500_000, 1, 0, 1, CUT_OFF, 50_000));
        rig.next(Rig.submit(1));
        rig.on(new Ended(500_000, 1, End.RELEASED));
        assertThat(rig.settle(500_000)).containsExactly("submit 2 1x160000");
    }

    /** 0 → 2 ← 1, and 1 → 3 → 4; 5 has no edges. */
    private static Workflow branches() {
        WorkflowBuilder builder = new WorkflowBuilder("branches");
        for (int i = 0; i < 6; i++) {
            builder.task("t" + i);
        }
        return builder.edge(0, 2).edge(1, 2).edge(1, 3).edge(3, 4).build();
    }

    @Test
    void withKeepGoingOnlyDependentsOfAFailedTaskAreSkipped() {
        Rig rig = new Rig(branches(), KEEP_GOING, 2);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, FAILED))).containsExactly("start t5 on 1.0");
        assertThat(rig.manager.state(2)).isEqualTo(TaskState.SKIPPED);
        assertThat(rig.manager.isDone(2)).as("a skipped task is done").isTrue();
        assertThat(rig.on(new TaskEnded(2, 1, 1, 1, SUCCEEDED))).containsExactly("start t3 on 1.1");
        assertThat(rig.on(new TaskEnded(3, 1, 3, 1, SUCCEEDED))).containsExactly("start t4 on 1.1");
        rig.on(new TaskEnded(4, 1, 4, 1, SUCCEEDED));
        assertThat(rig.manager.isFinished()).isFalse();
        assertThat(rig.on(new TaskEnded(5, 1, 5, 1, SUCCEEDED))).containsExactly("release 1");
        assertThat(rig.manager.isFinished()).isTrue();
        assertThat(rig.manager.isFailed()).isTrue();
    }

    @Test
    void withoutKeepGoingRunningTasksFinishAndNoneStarts() {
        Rig rig = new Rig(branches(), Rules.DEFAULT, 2, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, FAILED))).isEmpty();
        assertThat(rig.manager.isFinished()).isTrue();
        assertThat(rig.settle(1)).containsExactly("cancel 2");
        rig.on(new TaskEnded(2, 1, 1, 1, SUCCEEDED));
        assertThat(rig.manager.committed(1)).isEqualTo(1);
        assertThat(rig.settle(2)).containsExactly("cancel 1");
    }

    @Test
    void queuedPilotJobsAreCancelledWhenAllTasksAreDone() {
        Rig rig = new Rig(single(0), Rules.DEFAULT, 1, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(1, 1, 0, 1, SUCCEEDED))).containsExactly("release 1");
        assertThat(rig.settle(1)).containsExactly("cancel 2");
    }

    @Test
    void addedTasksThatDependOnAFailedTaskAreSkipped() {
        Workflow small = branches();
        Rig rig = new Rig(small, KEEP_GOING, 2);
        rig.on(new Started(0, 1), new TaskEnded(1, 1, 0, 1, FAILED));
        rig.on(new Grown(2, Rig.more("t6", "t7").after(2, 0).after(1, 1)));
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.FAILED);
        assertThat(rig.manager.state(6)).isEqualTo(TaskState.SKIPPED);
        assertThat(rig.manager.state(7)).isEqualTo(TaskState.WAITING);
        assertThat(rig.on(new TaskEnded(3, 1, 1, 1, SUCCEEDED))).containsExactly("start t3 on 1.1");
    }

    @Test
    void cancellingARunCancelsAllPilotJobs() {
        Rig rig = new Rig(branches(), Rules.DEFAULT, 2, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new Cancelled(1))).containsExactly("cancel 1", "cancel 2");
        assertThat(rig.on(new Started(2, 2), new TaskEnded(2, 1, 0, 1, SUCCEEDED)))
                .containsExactly("cancel 2");
        assertThat(rig.settle(3)).isEmpty();
        rig.on(new Ended(4, 1, End.CANCELLED), new Ended(4, 2, End.CANCELLED));
        assertThat(rig.manager.isFinished() && rig.manager.isCancelled()).isTrue();
        assertThat(rig.manager.isFailed()).isFalse();
        assertThat(rig.manager.pilotJobs()).isZero();
    }

    @Test
    void tasksStartOnNodesThatAreUpAndAreRequeuedIfLost() {
        Rig rig = new Rig(branches(), Rules.DEFAULT, 3);
        assertThat(rig.on(new Started(0, 1, false))).isEmpty();
        assertThat(rig.on(new NodeUp(1, 1, 2))).containsExactly("start t0 on 1.2");
        assertThat(rig.on(new NodeUp(2, 1, 0))).containsExactly("start t1 on 1.0");
        assertThat(rig.on(new NodeLost(3, 1, 2))).isEmpty();
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.READY);
        assertThat(rig.on(new NodeUp(4, 1, 1))).containsExactly("start t0 on 1.1 again");
        assertThat(rig.on(new TaskEnded(5, 1, 0, 1, NODE_LOST)))
                .as("the loss of the node is known")
                .isEmpty();
        assertThat(rig.manager.reruns()).isEqualTo(1);
    }

    @Test
    void aTaskOfSeveralNodesIsLostWithOneOfThem() {
        WorkflowBuilder builder = new WorkflowBuilder("wide");
        builder.resources(builder.task("a"), new Resources(1, 0, 0, 2));
        builder.resources(builder.task("b"), new Resources(1, 0, 0, 1));
        Rig rig = new Rig(builder.build(), Rules.DEFAULT, 3);
        assertThat(rig.on(new Started(0, 1))).containsExactly("start t0 on 1.0+1", "start t1 on 1.2");
        assertThat(rig.on(new NodeLost(1, 1, 1)))
                .as("the other node stops the task; a retry needs two free nodes")
                .containsExactly("stop t0#1 on 1");
        assertThat(rig.on(new TaskEnded(2, 1, 1, 1, SUCCEEDED))).containsExactly("start t0 on 1.0+2 again");
        assertThat(rig.on(new NodeLost(3, 1, 0)))
                .as("one node is not enough for the remaining task")
                .containsExactly("stop t0#2 on 1", "release 1");
        assertThat(rig.manager.expiries()).isEqualTo(1);
        assertThat(rig.on(new TaskEnded(4, 1, 0, 2, OUT_OF_MEMORY))).isEmpty();
    }
}
