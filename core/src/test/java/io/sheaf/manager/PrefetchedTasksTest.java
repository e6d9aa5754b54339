package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.STOPPED;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.NodeLost;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/**
 * Brief tasks that are sent to nodes before a core is free. Here, tasks of up to half a second are brief, and may wait
 * on a node for two seconds.
 */
class PrefetchedTasksTest {
    private static final Rules RULES = Rules.DEFAULT.brief(500);

    /** Independent tasks of these run times in milliseconds. */
    private static Workflow tasks(long... millis) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (long each : millis) {
            builder.time(builder.task("t" + builder.size()), each * 1000);
        }
        return builder.build();
    }

    private static Rig started(Workflow workflow, int nodes) {
        Rig rig = new Rig(workflow, RULES, nodes);
        rig.on(new Started(0, 1));
        return rig;
    }

    @Test
    void oneBriefTaskWaitsOnEachCoreAndStartsNext() {
        Rig rig = new Rig(tasks(100, 100, 100, 100, 100, 100), RULES, 2);
        assertThat(rig.on(new Started(0, 1)))
                .containsExactly("start t0 on 1.0", "start t1 on 1.1", "start t2 on 1.0", "start t3 on 1.1");
        assertThat(rig.on(new TaskEnded(100, 1, 1, 1, SUCCEEDED))).containsExactly("start t4 on 1.1");
        assertThat(rig.on(new TaskEnded(200, 1, 3, 1, SUCCEEDED))).containsExactly("start t5 on 1.1");
        assertThat(rig.on(new TaskEnded(300, 1, 4, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.on(new TaskEnded(400, 1, 5, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.on(new TaskEnded(500, 1, 0, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.on(new TaskEnded(600, 1, 2, 1, SUCCEEDED))).containsExactly("release 1");
    }

    @Test
    void withoutTheRuleNoTaskIsPrefetched() {
        Rig rig = new Rig(tasks(100, 100, 100), Rules.DEFAULT, 2);
        assertThat(rig.on(new Started(0, 1))).containsExactly("start t0 on 1.0", "start t1 on 1.1");
    }

    @Test
    void onlyBriefTasksWaitAndOnlyBehindBriefTasks() {
        Rig rig = new Rig(tasks(501, 100, 100, 100), RULES, 2);
        assertThat(rig.on(new Started(0, 1))).containsExactly("start t0 on 1.0", "start t1 on 1.1", "start t2 on 1.1");
        Rig longNext = new Rig(tasks(100, 501, 100), RULES, 1);
        assertThat(longNext.on(new Started(0, 1)))
                .as("t2 does not start before t1")
                .containsExactly("start t0 on 1.0");
    }

    @Test
    void tasksOfUnknownTimeOrSeveralNodesAreNotBrief() {
        WorkflowBuilder builder = new WorkflowBuilder("others");
        builder.time(builder.task("t0"), 100_000);
        builder.task("t1");
        Rig unknown = new Rig(builder.build(), RULES, 1);
        assertThat(unknown.on(new Started(0, 1))).containsExactly("start t0 on 1.0");
        WorkflowBuilder wide = new WorkflowBuilder("wide");
        wide.time(wide.task("t0"), 100_000);
        wide.time(wide.task("t1"), 100_000);
        wide.resources(1, new Resources(1, 0, 0, 2));
        Rig nodes = new Rig(wide.build(), RULES, 2);
        assertThat(nodes.on(new Started(0, 1))).containsExactly("start t0 on 1.0");
    }

    @Test
    void aTaskThatWaitsTooLongIsTakenBackAndPrefetchingEnds() {
        Rig rig = started(tasks(100, 100, 100, 100, 100), 2);
        assertThat(rig.settle(0)).containsExactly("wake 2000");
        assertThat(rig.on(new TaskEnded(100, 1, 1, 1, SUCCEEDED))).containsExactly("start t4 on 1.1");
        assertThat(rig.settle(1999)).isEmpty();
        assertThat(rig.settle(2000)).startsWith("stop t2#1 on 1");
        assertThat(rig.settle(2001)).as("the stop is sent once").doesNotContain("stop t2#1 on 1");
        assertThat(rig.on(new TaskEnded(2002, 1, 2, 1, STOPPED))).isEmpty();
        assertThat(rig.on(new TaskEnded(2003, 1, 3, 1, SUCCEEDED))).isEmpty();
        assertThat(rig.on(new TaskEnded(2004, 1, 4, 1, SUCCEEDED))).containsExactly("start t2 on 1.1 again");
    }

    @Test
    void aTaskThatRanDespiteTheStopCounts() {
        Rig rig = started(tasks(100, 100), 1);
        rig.settle(2000);
        rig.on(new TaskEnded(2001, 1, 0, 1, SUCCEEDED), new TaskEnded(2002, 1, 1, 1, SUCCEEDED));
        assertThat(rig.manager.committed(1)).isEqualTo(1);
        assertThat(rig.manager.isFinished()).isTrue();
    }

    @Test
    void aRestartRepeatsTheStopOfATaskTakenBack() {
        Rig rig = started(tasks(100, 100), 1);
        rig.settle(2000);
        rig.manager.repeat(rig.out);
        assertThat(rig.out.take()).contains("start t0 on 1.0", "start t1 on 1.0", "stop t1#1 on 1");
    }

    @Test
    void runningAndWaitingTasksOfALostNodeAreRequeued() {
        Rig rig = started(tasks(100, 100, 100, 100), 2);
        assertThat(rig.on(new NodeLost(50, 1, 0))).isEmpty();
        assertThat(rig.manager.isReady(0) && rig.manager.isReady(2)).isTrue();
        assertThat(rig.on(new TaskEnded(100, 1, 1, 1, SUCCEEDED))).containsExactly("start t0 on 1.1 again");
        assertThat(rig.on(new TaskEnded(200, 1, 3, 1, SUCCEEDED))).containsExactly("start t2 on 1.1 again");
    }

    @Test
    void noTaskIsPrefetchedNearTheEndOfTheWalltime() {
        Rig rig = new Rig(tasks(100, 100), RULES, 1);
        // The walltime is a minute; the start is a millisecond too late for the second task.
        assertThat(rig.on(new Started(-57_901, 1))).containsExactly("start t0 on 1.0");
        Rig earlier = new Rig(tasks(100, 100), RULES, 1);
        assertThat(earlier.on(new Started(-57_900, 1))).containsExactly("start t0 on 1.0", "start t1 on 1.0");
    }

    @Test
    void aForkedManagerPrefetchesNoTasks() {
        Rig rig = started(tasks(100, 100, 100), 1);
        Manager fork = rig.manager.fork(rig.script, Memo.NONE, StartEstimator.UNINFORMED);
        fork.on(new TaskEnded(100, 1, 0, 1, SUCCEEDED), rig.out);
        assertThat(rig.out.take()).as("t1 runs now").isEmpty();
        fork.on(new TaskEnded(200, 1, 1, 1, SUCCEEDED), rig.out);
        assertThat(rig.out.take()).containsExactly("start t2 on 1.0");
        assertThat(rig.on(new TaskEnded(100, 1, 0, 1, SUCCEEDED))).containsExactly("start t2 on 1.0");
    }
}
