package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.CUT_OFF;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Awaited;
import io.sheaf.manager.Event.Closed;
import io.sheaf.manager.Event.Grown;
import io.sheaf.manager.Event.Opened;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.manager.Event.Woken;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs whose tasks are submitted one by one keep idle pilot jobs for a while, and use observed run times to decide
 * which tasks fit.
 */
class IdleRetentionTest {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final Rules RULES = Rules.DEFAULT.keepGoing(true).hold(300 * SECOND);

    /** A task of a second and a pilot job for an hour that was requested at 0 and starts at an instant. */
    private static Rig started(Rules rules, long at) {
        Rig rig = new Rig(Rig.more("a").tasks(), rules);
        rig.next(new Order.Submit(Request.of(1, HOUR), Claim.levels(0, 9).onlyWhatFits()));
        rig.on(new Opened(0), new Awaited(0, true), new Woken(0));
        rig.settle(0);
        assertThat(rig.on(new Started(at, 1))).containsExactly("start t0 on 1.0");
        rig.settle(at);
        return rig;
    }

    @Test
    void anIdlePilotJobIsReleasedAfterHalfAMinute() {
        Rig rig = started(RULES, 5 * SECOND);
        assertThat(rig.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.settle(6 * SECOND)).containsExactly("wake 36000");
        assertThat(rig.manager.pilotJob(0).isKept()).isTrue();
        assertThat(rig.settle(36 * SECOND - 1)).isEmpty();
        assertThat(rig.on(new Woken(36 * SECOND))).isEmpty();
        assertThat(rig.settle(36 * SECOND)).contains("release 1");
    }

    @Test
    void aNewTaskStartsAtOnceOnAKeptPilotJob() {
        Rig rig = started(RULES, 5 * SECOND);
        rig.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED));
        rig.settle(6 * SECOND);
        assertThat(rig.on(new Grown(20 * SECOND, Rig.more("b")))).containsExactly("start t1 on 1.0");
        assertThat(rig.manager.pilotJob(0).isKept()).isFalse();
    }

    /**
     * The pilot job waited 200 s in the queue. After 1 s of use it may be idle for 30 s and a quarter of 1 s. After 999
     * s more it may be idle for 30 + 250 − 10 s, limited to its queue wait of 200 s.
     */
    @Test
    void aPilotJobWithALongQueueWaitIsKeptLongerIfUsed() {
        Rig rig = started(RULES, 200 * SECOND);
        rig.on(new TaskEnded(201 * SECOND, 1, 0, 1, SUCCEEDED));
        assertThat(rig.settle(201 * SECOND)).containsExactly("wake 231250");
        rig.on(new Grown(211 * SECOND, Rig.more("b")));
        rig.settle(211 * SECOND);
        rig.on(new TaskEnded(1_210 * SECOND, 1, 1, 1, SUCCEEDED));
        assertThat(rig.settle(1_210 * SECOND)).containsExactly("wake " + (1_410 * SECOND));
    }

    @Test
    void theHoldTimeLimitsHowLongIdleJobsAreKept() {
        Rig rig = started(RULES.hold(10 * SECOND), 5 * SECOND);
        rig.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED));
        assertThat(rig.settle(6 * SECOND)).containsExactly("wake 16000");
        Rig noHold = started(RULES.hold(0), 5 * SECOND);
        assertThat(noHold.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED))).containsExactly("release 1");
    }

    @Test
    void idleJobsAreReleasedWhenNoMoreTasksAreExpected() {
        Rig rig = started(RULES, 5 * SECOND);
        rig.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED));
        rig.settle(6 * SECOND);
        rig.on(new Awaited(8 * SECOND, false));
        assertThat(rig.settle(8 * SECOND)).contains("release 1");
        Rig closed = started(RULES, 5 * SECOND);
        closed.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED), new Closed(7 * SECOND));
        assertThat(closed.settle(7 * SECOND)).contains("release 1");
    }

    /** The second pilot job has no task from 6 s on, and stays in the queue for half a minute more. */
    @Test
    void anUnneededQueuedJobIsCancelledAfterHalfAMinute() {
        Rig rig = new Rig(Rig.more("a").tasks(), RULES, 1, 1);
        rig.on(new Opened(0), new Awaited(0, true), new Started(5 * SECOND, 1));
        rig.on(new TaskEnded(6 * SECOND, 1, 0, 1, SUCCEEDED));
        assertThat(rig.settle(6 * SECOND)).containsExactly("wake 36000");
        rig.on(new Woken(36 * SECOND));
        assertThat(rig.settle(36 * SECOND)).contains("release 1", "cancel 2");
    }

    @Test
    void aPilotJobForOneTaskIsNotKept() {
        Rig rig = new Rig(Rig.more("a").tasks(), RULES);
        rig.next(new Order.Submit(Request.of(1, HOUR), Claim.task(0, 0)));
        rig.on(new Opened(0), new Awaited(0, true), new Woken(0));
        rig.settle(0);
        rig.on(new Started(1, 1));
        assertThat(rig.on(new TaskEnded(2, 1, 0, 1, SUCCEEDED))).containsExactly("release 1");
    }

    /** The strategy decides at 5 s: one second after the last task and four after the first. */
    @Test
    void tasksAddedInQuickSuccessionArePlannedTogether() {
        Rig rig = new Rig(new WorkflowBuilder("nothing yet").build(), RULES);
        rig.on(new Opened(0), new Awaited(0, true));
        rig.settle(0);
        int decisions = rig.script.decisions;
        for (long at = SECOND; at <= 4 * SECOND; at += SECOND / 2) {
            rig.on(new Grown(at, Rig.more("t" + at)));
            rig.settle(at);
        }
        assertThat(rig.script.decisions).isEqualTo(decisions);
        assertThat(rig.settle(5 * SECOND - 1)).isEmpty();
        rig.settle(5 * SECOND);
        assertThat(rig.script.decisions).isEqualTo(decisions + 1);
        rig.on(new Grown(20 * SECOND, Rig.more("late")));
        assertThat(rig.settle(20 * SECOND)).containsExactly("wake 21000");
        rig.settle(21 * SECOND);
        assertThat(rig.script.decisions).isEqualTo(decisions + 2);
    }

    // --- observed run times ---

    /** Tasks of one category with a declared run time of a minute. */
    private static Workflow minutes(int count) {
        WorkflowBuilder builder = new WorkflowBuilder("rule");
        for (int i = 0; i < count; i++) {
            int task = builder.task("r" + i);
            builder.time(task, 60_000_000);
            builder.category(task, "align");
        }
        return builder.build();
    }

    /**
     * In a pilot job of two minutes, three tasks take 20, 20 and 25 s. With the declared minute no task could start
     * after 60 s, with two thirds of it none after 80 s. With 37.5 s two more can start, until 82.5 s.
     */
    @Test
    void observedRunTimesDecideWhetherATaskFits() {
        Rig rig = new Rig(minutes(6), Rules.DEFAULT.ample(true));
        rig.next(
                new Order.Submit(Request.of(1, 120 * SECOND), Claim.levels(0, 9).onlyWhatFits()));
        rig.on(new Woken(0));
        rig.settle(0);
        rig.on(new Started(0, 1));
        rig.on(new TaskEnded(20 * SECOND, 1, 0, 1, SUCCEEDED));
        assertThat(rig.manager.room(2)).isEqualTo(40 * SECOND);
        assertThat(rig.on(new TaskEnded(40 * SECOND, 1, 1, 1, SUCCEEDED))).containsExactly("start t2 on 1.0");
        assertThat(rig.on(new TaskEnded(65 * SECOND, 1, 2, 1, SUCCEEDED))).containsExactly("start t3 on 1.0");
        assertThat(rig.manager.room(4)).isEqualTo(37_500);
        assertThat(rig.on(new TaskEnded(82 * SECOND, 1, 3, 1, SUCCEEDED))).containsExactly("start t4 on 1.0");
        assertThat(rig.on(new TaskEnded(90 * SECOND, 1, 4, 1, SUCCEEDED))).isEmpty();
    }

    @Test
    void roomIsAtMostTheTimeLimitUnlessTheTaskTimedOut() {
        Rig rig = new Rig(minutes(6), Rules.DEFAULT.ample(true).maxTimeouts(5), 5);
        rig.on(new Started(0, 1));
        for (int task = 0; task < 3; task++) {
            rig.on(new TaskEnded(59 * SECOND, 1, task, 1, SUCCEEDED));
        }
        assertThat(rig.manager.room(5)).isEqualTo(60 * SECOND);
        rig.on(new TaskEnded(60 * SECOND, 1, 3, 1, CUT_OFF));
        assertThat(rig.manager.room(3)).isEqualTo(120 * SECOND);
    }

    @Test
    void otherCategoriesAndExpectedTimesUseDeclaredTimes() {
        WorkflowBuilder one = new WorkflowBuilder("one");
        one.time(one.task("x"), 60_000_000);
        for (boolean ample : List.of(true, false)) {
            Rig rig = new Rig(minutes(3), Rules.DEFAULT.ample(ample), 3);
            rig.on(new Opened(0), new Started(0, 1));
            rig.on(new Grown(1, Addition.of(new Origin("x", "", 0, ""), one.build())));
            for (int task = 0; task < 3; task++) {
                rig.on(new TaskEnded(5 * SECOND, 1, task, 1, SUCCEEDED));
            }
            // Expected times that are twelve times too long may as well be too short, and count twice.
            assertThat(rig.manager.room(3)).isEqualTo(ample ? 40 * SECOND : 120 * SECOND);
            assertThat(rig.manager.room(0)).isEqualTo(ample ? 7_500 : 120 * SECOND);
        }
    }
}
