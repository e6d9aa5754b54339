package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.FAILED;
import static io.sheaf.manager.Event.Outcome.STOPPED;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.NodeLost;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Refused;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Pairs of reports that arrive in the wrong order, late or twice. */
class LateReportsTest {
    private final Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 1, 1);

    @Test
    void anEndedJobStaysEnded() {
        rig.on(new Ended(5, 1, End.EXPIRED));
        assertThat(rig.on(
                        new Accepted(1, 1),
                        new Started(2, 1),
                        new NodeUp(3, 1, 0),
                        new NodeLost(4, 1, 0),
                        new Refused(1, 1, "no"),
                        new Ended(5, 1, End.LOST)))
                .isEmpty();
        assertThat(rig.manager.pilotJobs()).isEqualTo(1);
        assertThat(rig.manager.expiries()).isEqualTo(1);
    }

    @Test
    void reportsOfUnknownTokensAreIgnored() {
        assertThat(rig.on(
                        new Started(1, 99),
                        new NodeUp(1, 99, 0),
                        new Ended(2, 99, End.LOST),
                        new Refused(2, 99, "no"),
                        new TaskEnded(3, 99, 77, 1, SUCCEEDED),
                        new TaskEnded(3, 99, -1, 1, SUCCEEDED),
                        new TaskEnded(3, 99, 0, 1, SUCCEEDED)))
                .isEmpty();
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.READY);
        assertThat(rig.manager.pilotJobs()).isEqualTo(2);
    }

    @Test
    void aRefusalCountsAfterAcceptanceButNotAfterTheStart() {
        rig.on(new Accepted(1, 1), new Refused(2, 1, "no"), new Started(2, 2), new Refused(3, 2, "no"));
        assertThat(rig.manager.pilotJobs()).isEqualTo(1);
        assertThat(rig.manager.pilotJob(0).isRunning()).isTrue();
    }

    @Test
    void aCancelledPilotJobMayStillBeRefusedOrStart() {
        rig.next(new Order.Cancel(1), new Order.Cancel(2));
        rig.on(new Event.Woken(5));
        assertThat(rig.settle(5)).containsExactly("cancel 1", "cancel 2");
        assertThat(rig.on(new Refused(3, 1, "no"))).isEmpty();
        assertThat(rig.manager.pilotJobs()).as("the refused job has ended").isEqualTo(1);
        assertThat(rig.on(new Started(6, 2))).as("it is cancelled again").containsExactly("cancel 2");
        assertThat(rig.on(new Started(6, 2))).as("reported twice").isEmpty();
        assertThat(rig.on(new Ended(7, 2, End.CANCELLED))).isEmpty();
        assertThat(rig.manager.pilotJobs()).isZero();
        assertThat(rig.manager.expiries()).as("a cancelled job has not expired").isZero();
    }

    @Test
    void theEarliestStartCountsAndALateAcceptanceIsIgnored() {
        rig.on(new Started(8, 1), new Started(3, 1), new Started(9, 1), new Accepted(1, 1));
        assertThat(rig.manager.pilotJob(0).startedAt()).isEqualTo(3);
        assertThat(rig.manager.pilotJob(0).isRunning()).isTrue();
    }

    @Test
    void aNodeThatIsUpBeforeTheReportedStartGetsTasks() {
        assertThat(rig.on(new NodeUp(7, 1, 0))).containsExactly("start t0 on 1.0");
        assertThat(rig.on(new Started(5, 1, false), new NodeUp(7, 1, 0), new NodeUp(7, 1, 4)))
                .isEmpty();
        assertThat(rig.manager.pilotJob(0).startedAt()).isEqualTo(5);
    }

    @Test
    void aNodeThatIsLostBeforeItIsUpStaysLost() {
        assertThat(rig.on(new NodeLost(6, 1, 0))).as("it has no other node").containsExactly("release 1");
        assertThat(rig.on(new NodeUp(5, 1, 0), new Started(4, 1), new NodeLost(6, 1, 0)))
                .isEmpty();
    }

    @Test
    void theEndOfATaskCountsOnce() {
        rig.on(new Started(0, 1));
        assertThat(rig.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED))).containsExactly("start t1 on 1.0");
        assertThat(rig.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED), new TaskEnded(10, 1, 0, 1, FAILED)))
                .isEmpty();
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.DONE);
        assertThat(rig.manager.isFailed()).isFalse();
    }

    @Test
    void aSuccessReportedAfterThePilotJobEndedCounts() {
        rig.on(new Started(0, 1), new Ended(20, 1, End.LOST));
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.READY);
        rig.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED));
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.DONE);
        assertThat(rig.manager.committed(0)).isEqualTo(1);
        assertThat(rig.on(new Started(30, 2))).as("only the other task remains").containsExactly("start t1 on 2.0");
    }

    @Test
    void aFailureReportedAfterThePilotJobEndedIsIgnored() {
        rig.on(new Started(0, 1), new Ended(20, 1, End.LOST), new TaskEnded(10, 1, 0, 1, FAILED));
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.READY);
        assertThat(rig.manager.isFailed()).isFalse();
    }

    @Test
    void theFirstSuccessIsCommittedAndTheOtherAttemptStopped() {
        rig.on(new Started(0, 1), new Ended(20, 1, End.LOST));
        assertThat(rig.on(new Started(30, 2))).containsExactly("start t0 on 2.0 again");
        assertThat(rig.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED)))
                .as("its core is not free yet")
                .containsExactly("stop t0#2 on 2");
        assertThat(rig.on(new TaskEnded(11, 1, 0, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.on(new TaskEnded(40, 2, 0, 2, SUCCEEDED))).containsExactly("start t1 on 2.0");
        assertThat(rig.manager.committed(0)).isEqualTo(1);
        rig.on(new TaskEnded(50, 2, 1, 1, SUCCEEDED));
        assertThat(rig.on(new TaskEnded(60, 2, 2, 1, SUCCEEDED))).containsExactly("release 2");
    }

    @Test
    void theStoppedAttemptMayEndWithItsPilotJob() {
        rig.on(new Started(0, 1), new Ended(20, 1, End.LOST), new Started(30, 2));
        rig.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED), new Ended(40, 2, End.LOST), new TaskEnded(35, 2, 0, 2, STOPPED));
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.DONE);
        assertThat(rig.manager.reruns()).as("only the first attempt was lost").isEqualTo(1);
    }

    @Test
    void theLaterAttemptMaySucceedFirst() {
        rig.on(new Started(0, 1), new Ended(20, 1, End.LOST), new Started(30, 2));
        assertThat(rig.on(new TaskEnded(40, 2, 0, 2, SUCCEEDED), new TaskEnded(10, 1, 0, 1, SUCCEEDED)))
                .containsExactly("start t1 on 2.0");
        assertThat(rig.manager.committed(0)).isEqualTo(2);
    }

    @Test
    void withSharedFilesALaterAttemptReplacesTheEarlierOne() {
        Rig shared = new Rig(Rig.vee(), Rules.DEFAULT.sharedFiles(true), 1, 1);
        shared.on(new Started(0, 1), new Ended(20, 1, End.LOST), new Started(30, 2));
        assertThat(shared.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED))).isEmpty();
        assertThat(shared.manager.committed(0)).isZero();
        shared.on(new Ended(50, 2, End.LOST), new TaskEnded(10, 1, 0, 1, SUCCEEDED));
        assertThat(shared.manager.committed(0)).isZero();
        shared.on(new TaskEnded(45, 2, 0, 2, SUCCEEDED));
        assertThat(shared.manager.committed(0)).as("no third attempt has begun").isEqualTo(2);
    }

    @Test
    void aTaskRunsOnUntilItsCancelledPilotJobHasEnded() {
        rig.on(new Started(0, 1));
        rig.next(new Order.Cancel(1));
        assertThat(rig.settle(5)).containsExactly("cancel 1");
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.RUNNING);
        assertThat(rig.on(new Started(6, 2))).containsExactly("start t1 on 2.0");
        rig.on(new TaskEnded(7, 1, 0, 1, SUCCEEDED));
        assertThat(rig.manager.committed(0)).isEqualTo(1);
        assertThat(rig.on(new Ended(8, 1, End.CANCELLED))).isEmpty();
        assertThat(rig.manager.reruns()).isZero();
    }

    @Test
    void aLateReportDoesNotLengthenARunTime() {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        builder.time(builder.task("a"), 100_000_000);
        Rig late = new Rig(builder.build(), Rules.DEFAULT, 1);
        late.on(new Started(0, 1), new NodeUp(0, 1, 0));
        late.on(new TaskEnded(3_600_000, 1, 0, 1, SUCCEEDED, 110_000));
        assertThat(late.manager.runTimeError()).isEqualTo(10);
        Rig prompt = new Rig(builder.build(), Rules.DEFAULT, 1);
        prompt.on(new Started(0, 1), new NodeUp(0, 1, 0));
        prompt.on(new TaskEnded(125_000, 1, 0, 1, SUCCEEDED));
        assertThat(prompt.manager.runTimeError())
                .as("a report without a run time counts by its instant")
                .isEqualTo(25);
    }
}
