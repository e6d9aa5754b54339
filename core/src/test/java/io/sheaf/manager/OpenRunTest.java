package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.FAILED;
import static io.sheaf.manager.Event.Outcome.STOPPED;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Closed;
import io.sheaf.manager.Event.Dropped;
import io.sheaf.manager.Event.Grown;
import io.sheaf.manager.Event.Held;
import io.sheaf.manager.Event.Opened;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that stay open for more tasks, and tasks that are held or dropped while others run. */
class OpenRunTest {
    private static final Rules KEEP_GOING = Rules.DEFAULT.keepGoing(true);

    @Test
    void anOpenRunFinishesOnlyAfterItIsClosed() {
        Rig rig = new Rig(new WorkflowBuilder("nothing yet").build(), KEEP_GOING);
        assertThat(rig.manager.isFinished())
                .as("no tasks, and not open for more")
                .isTrue();
        rig.on(new Opened(0));
        assertThat(rig.manager.isFinished()).isFalse();
        int decisions = rig.script.decisions;
        assertThat(rig.settle(1)).isEmpty();
        assertThat(rig.script.decisions)
                .as("no strategy is called when there is nothing to submit")
                .isEqualTo(decisions);

        rig.script.lines.set(0, List.of(Rig.submit(1)));
        rig.on(new Grown(2, Rig.more("a", "b")));
        assertThat(rig.settle(2)).containsExactly("submit 1 1x60000");
        assertThat(rig.on(new Started(3, 1))).containsExactly("start t0 on 1.0");
        rig.on(new TaskEnded(4, 1, 0, 1, SUCCEEDED), new Closed(5));
        assertThat(rig.manager.isFinished()).as("one task is left").isFalse();
        assertThat(rig.on(new TaskEnded(6, 1, 1, 1, SUCCEEDED))).containsExactly("release 1");
        assertThat(rig.manager.isFinished()).isTrue();
    }

    @Test
    void unneededQueuedJobsAreCancelledThoughTheRunIsOpen() {
        Rig rig = new Rig(Rig.more("a").tasks(), KEEP_GOING, 1, 1);
        rig.on(new Opened(0), new Started(0, 1), new TaskEnded(1, 1, 0, 1, SUCCEEDED));
        assertThat(rig.settle(1)).containsExactly("cancel 2");
        assertThat(rig.manager.isFinished()).isFalse();
    }

    @Test
    void aHeldTaskDoesNotStartAndKeepsNoNodes() {
        Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 2);
        rig.on(new Held(0, 1, 1, true));
        assertThat(rig.on(new Started(0, 1))).containsExactly("start t0 on 1.0");
        assertThat(List.of(rig.manager.isDone(1), rig.manager.isReady(1), rig.manager.isHeld(1)))
                .as("strategies see a held task as done")
                .containsExactly(true, false, true);
        assertThat(rig.manager.unfinished(0)).isEqualTo(1);
        rig.on(new TaskEnded(1, 1, 0, 1, SUCCEEDED));
        assertThat(rig.manager.state(2)).isEqualTo(TaskState.WAITING);
        assertThat(rig.manager.isHeld(2)).as("it depends on a held task").isTrue();
        assertThat(rig.manager.firstUnfinishedLevel()).isEqualTo(2);
        assertThat(rig.manager.pilotJob(0).isEnding()).isTrue();
        rig.on(new Held(2, 1, 1, false));
        assertThat(rig.manager.isReady(1)).isTrue();
        assertThat(rig.manager.firstUnfinishedLevel()).isZero();
    }

    @Test
    void aRunWhoseTasksAreAllHeldWaitsWithoutNodes() {
        Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 1, 2);
        rig.on(new Started(0, 1), new Held(0, 0, 3, true), new TaskEnded(1, 1, 0, 1, SUCCEEDED));
        int decisions = rig.script.decisions;
        assertThat(rig.settle(1)).containsExactly("cancel 2");
        assertThat(rig.manager.isFinished()).isFalse();
        assertThat(rig.script.decisions).isEqualTo(decisions);
        rig.next(Rig.submit(1));
        rig.on(new Held(2, 0, 3, false));
        assertThat(rig.settle(2)).containsExactly("submit 3 1x60000");
    }

    @Test
    void aRunningTaskThatIsHeldRunsOnButIsNotRetried() {
        Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 2);
        rig.on(new Started(0, 1), new Held(1, 0, 3, true));
        assertThat(rig.manager.isRunning(0)).isTrue();
        rig.on(new TaskEnded(2, 1, 0, 1, STOPPED));
        assertThat(rig.manager.isHeld(0)).isTrue();
        rig.on(new TaskEnded(3, 1, 1, 1, SUCCEEDED));
        assertThat(rig.manager.state(1)).isEqualTo(TaskState.DONE);
        assertThat(rig.on(new TaskEnded(4, 1, 0, 1, SUCCEEDED)))
                .as("a late success counts")
                .isEmpty();
        assertThat(rig.manager.state(0)).isEqualTo(TaskState.DONE);
    }

    @Test
    void aDroppedTaskIsStoppedAndItsDependentsSkipped() {
        Rig rig = new Rig(Rig.vee(), KEEP_GOING, 2);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new Dropped(1, 0, 1))).containsExactly("stop t0#1 on 1");
        assertThat(List.of(rig.manager.state(0), rig.manager.state(1), rig.manager.state(2)))
                .containsExactly(TaskState.SKIPPED, TaskState.RUNNING, TaskState.SKIPPED);
        rig.on(new TaskEnded(2, 1, 0, 1, SUCCEEDED));
        assertThat(rig.manager.committed(0))
                .as("it was dropped before it succeeded")
                .isZero();
        assertThat(rig.on(new TaskEnded(3, 1, 1, 1, SUCCEEDED))).containsExactly("release 1");
        assertThat(rig.manager.isFinished() && !rig.manager.isFailed()).isTrue();
    }

    @Test
    void coresOfADroppedTaskAreFreeWhenItHasEnded() {
        Rig rig = new Rig(Rig.more("a", "b").tasks(), KEEP_GOING, 1);
        rig.on(new Started(0, 1));
        assertThat(rig.on(new Dropped(1, 0, 1))).containsExactly("stop t0#1 on 1");
        assertThat(rig.on(new TaskEnded(2, 1, 0, 1, STOPPED))).containsExactly("start t1 on 1.0");
    }

    @Test
    void addedTasksThatDependOnADroppedTaskAreSkipped() {
        Rig rig = new Rig(Rig.vee(), KEEP_GOING, 1);
        rig.on(
                new Held(0, 2, 1, true),
                new Dropped(0, 1, 1),
                new Grown(1, Rig.more("x", "y").after(2, 0)));
        assertThat(List.of(rig.manager.state(2), rig.manager.state(3), rig.manager.state(4)))
                .containsExactly(TaskState.SKIPPED, TaskState.SKIPPED, TaskState.READY);
    }

    @Test
    void heldTasksStayHeldWhenTheWorkflowGrows() {
        Rig rig = new Rig(Rig.vee(), KEEP_GOING, 2);
        rig.on(new Held(0, 0, 1, true), new Grown(1, Rig.more("x").after(0, 0)));
        assertThat(rig.manager.isHeld(3)).isTrue();
        assertThat(rig.on(new Started(2, 1))).containsExactly("start t1 on 1.0");
        assertThat(rig.on(new Held(3, 0, 1, false))).containsExactly("start t0 on 1.1");
        rig.on(new TaskEnded(4, 1, 0, 1, FAILED));
        assertThat(rig.manager.state(3)).isEqualTo(TaskState.SKIPPED);
    }

    @Test
    void unknownTaskNumbersAreIgnored() {
        Rig rig = new Rig(Rig.vee(), KEEP_GOING, 1);
        rig.on(new Held(0, -5, 7, true), new Dropped(0, 2, Integer.MAX_VALUE));
        assertThat(List.of(rig.manager.isHeld(0), rig.manager.isHeld(1))).containsExactly(true, true);
        assertThat(rig.manager.state(2)).isEqualTo(TaskState.SKIPPED);
    }
}
