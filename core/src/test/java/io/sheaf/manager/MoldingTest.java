package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.manager.Event.Woken;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Numbers of cores on which moldable tasks start, worked out by hand. */
class MoldingTest {
    private static final long SECOND = 1_000_000;

    /** 1, 2, 4 or 8 cores of one node: 80, 64, 48 or 40 seconds. Two cores are declared. */
    private static final Scaling TABLE =
            new Scaling(Map.of(1, 80 * SECOND, 2, 64 * SECOND, 4, 48 * SECOND, 8, 40 * SECOND));

    private final Notes out = new Notes();
    private final Script script = new Script();

    /** Tasks without edges. */
    private static Workflow bag(int size) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < size; i++) {
            moldable(builder, "t" + i);
        }
        return builder.build();
    }

    private static int moldable(WorkflowBuilder builder, String id) {
        int task = builder.task(id);
        builder.scaling(task, TABLE)
                .resources(task, Resources.ONE_CORE.cores(2))
                .time(task, 64 * SECOND);
        return task;
    }

    /** A run with one pilot job of some nodes of 8 cores. */
    private Manager manager(Workflow workflow, int nodes, long walltime) {
        Claim claim = Claim.levels(0, 9).onlyWhatFits().choosingCores();
        script.lines.add(List.of(new Order.Submit(Request.of(nodes, walltime), claim)));
        Manager manager = Rig.manager(workflow, script, 8, 4, Rules.DEFAULT.maxTimeouts(3));
        manager.settle(0, out);
        out.take();
        return manager;
    }

    private List<String> on(Manager manager, Event... events) {
        for (Event event : events) {
            manager.on(event, out);
        }
        return out.take();
    }

    @Test
    void manyReadyTasksGetOneCoreAndTheLastOneAll() {
        Manager manager = manager(bag(9), 1, 1_000_000);
        // 8 cores for 9 equal tasks: less than a core each.
        assertThat(on(manager, new Started(0, 1))).hasSize(8).allMatch(each -> each.endsWith(" of 1"));
        // The other tasks should end now, too, so that the ninth task waits for all 8 cores.
        for (int task = 0; task < 7; task++) {
            assertThat(on(manager, new TaskEnded(80_000, 1, task, 1, SUCCEEDED)))
                    .isEmpty();
        }
        assertThat(on(manager, new TaskEnded(80_000, 1, 7, 1, SUCCEEDED))).containsExactly("start t8 on 1.0 of 8");
        assertThat(manager.needs(8)).isEqualTo(Resources.ONE_CORE.cores(8));
    }

    @Test
    void allCoresAreSharedAmongReadyTasks() {
        // 8 cores for 3 tasks: 2 (of 2.7), 2 (of 3), then the remaining 4. Starts on the 2 declared cores have no
        // number.
        assertThat(on(manager(bag(3), 1, 1_000_000), new Started(0, 1)))
                .containsExactly("start t0 on 1.0", "start t1 on 1.0", "start t2 on 1.0 of 4");
    }

    @Test
    void aRetryKeepsToItsShareWhileAnotherTaskRuns() {
        Manager manager = manager(bag(2), 1, 1_000_000);
        assertThat(on(manager, new Started(0, 1))).containsExactly("start t0 on 1.0 of 4", "start t1 on 1.0 of 4");
        assertThat(on(manager, new TaskEnded(4_000, 1, 0, 1, Event.Outcome.STOPPED)))
                .containsExactly("start t0 on 1.0 of 4 again");
    }

    @Test
    void aTaskStopsWaitingForTheCoresOfOverdueTasks() {
        Manager manager = manager(bag(9), 1, 1_000_000);
        on(manager, new Started(0, 1));
        assertThat(on(manager, new TaskEnded(80_000, 1, 0, 1, SUCCEEDED))).isEmpty();
        // The other tasks are late by a second. The ninth would end at 130 s on 4 cores from 82 s on, and at 161 s on
        // one core from now on.
        assertThat(on(manager, new Woken(81_000))).isEmpty();
        // They are late by a minute, and expected to run for another minute: the share of the ninth is 8 × 80 / (80 + 7
        // × 60) cores.
        assertThat(on(manager, new Woken(140_000))).containsExactly("start t8 on 1.0 of 1");
    }

    @Test
    void tasksGetMoreCoresInAShortWalltime() {
        // 50 seconds are too short for one or two cores; the share of each of nine tasks is less than one.
        assertThat(on(manager(bag(9), 1, 50_000), new Started(0, 1)))
                .containsExactly("start t0 on 1.0 of 4", "start t1 on 1.0 of 4");
    }

    @Test
    void tasksOnALongPathGetMoreCores() {
        WorkflowBuilder builder = new WorkflowBuilder("chain and bag");
        int before = moldable(builder, "c0");
        for (int i = 1; i < 6; i++) {
            int next = moldable(builder, "c" + i);
            builder.edge(before, next);
            before = next;
        }
        for (int i = 0; i < 4; i++) {
            moldable(builder, "b" + i);
        }
        // The path of 480 s is longer than the work, 10 × 80 s on 8 cores. To end within it, the chain's first task
        // needs 80 / (480 − 400) = 1 core and each other one 80 / 480. Its share of 8 cores is 8 × 1 / (1 + 4 / 6) =
        // 4.8.
        assertThat(on(manager(builder.build(), 1, 1_000_000), new Started(0, 1)).get(0))
                .isEqualTo("start t0 on 1.0 of 4");
    }

    @Test
    void aWideTaskWaitsAMinuteForMoreNodes() {
        WorkflowBuilder builder = new WorkflowBuilder("mpi");
        int task = builder.task("t");
        builder.scaling(task, new Scaling(Map.of(8, 80 * SECOND, 16, 42 * SECOND, 32, 24 * SECOND)))
                .resources(task, new Resources(8, 0, 0, 2))
                .time(task, 42 * SECOND);
        Workflow workflow = builder.build();
        Manager manager = manager(workflow, 4, 1_000_000);
        manager.on(new Started(0, 1, false), out);
        assertThat(on(manager, new NodeUp(100, 1, 0), new NodeUp(200, 1, 1), new NodeUp(300, 1, 2)))
                .isEmpty();
        assertThat(on(manager, new NodeUp(400, 1, 3))).containsExactly("start t0 on 1.0+1+2+3 of 8");
        Manager patient = manager(workflow, 4, 1_000_000);
        patient.on(new Started(0, 1, false), out);
        patient.on(new NodeUp(100, 1, 0), out);
        patient.on(new NodeUp(100, 1, 2), out);
        patient.settle(100, out);
        assertThat(out.take()).as("wakes a minute after the start").containsExactly("wake 60000");
        assertThat(on(patient, new Woken(60_000))).containsExactly("start t0 on 1.0+2");
    }

    @Test
    void tasksGetAtLeastTheCoresThatTheyUseEfficiently() {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < 9; i++) {
            int task = builder.task("t" + i);
            // On 4 cores 80 / 96 of the work on one core, on 8 cores 80 / 128.
            builder.scaling(task, new Scaling(Map.of(1, 80 * SECOND, 4, 24 * SECOND, 8, 16 * SECOND)))
                    .time(task, 80 * SECOND);
        }
        assertThat(on(manager(builder.build(), 1, 1_000_000), new Started(0, 1)))
                .containsExactly("start t0 on 1.0 of 4", "start t1 on 1.0 of 4");
    }

    @Test
    void publishedStrategiesUseTheDeclaredCores() {
        script.lines.add(List.of(new Order.Submit(Request.of(1, 1_000_000), Claim.levels(0, 0))));
        Manager manager = Rig.manager(bag(9), script, 8, 4, Rules.DEFAULT);
        manager.settle(0, out);
        out.take();
        assertThat(on(manager, new Started(0, 1)))
                .containsExactly("start t0 on 1.0", "start t1 on 1.0", "start t2 on 1.0", "start t3 on 1.0");
    }

    @Test
    void aCheckpointKeepsTheCores() {
        Manager manager = manager(bag(9), 1, 1_000_000);
        on(manager, new Started(0, 1), new TaskEnded(80_000, 1, 0, 1, SUCCEEDED));
        CheckpointMaker maker = manager.checkpoint();
        Checkpoint made = maker.create(List.of(), 9);
        assertThat(made.attempts()).hasSize(7).allMatch(each -> each.cores() == 1);
        Manager restored = Rig.manager(bag(9), script, 8, 4, Rules.DEFAULT);
        restored.on(new Event.Restored(80_000, made), out);
        assertThat(restored.checkpoint().create(List.of(), 9)).isEqualTo(made);
        for (Manager each : List.of(manager, restored, manager.fork(script, Memo.NONE, StartEstimator.UNINFORMED))) {
            out.take();
            for (int task = 1; task < 8; task++) {
                each.on(new TaskEnded(80_000, 1, task, 1, SUCCEEDED), out);
            }
            assertThat(out.take()).containsExactly("start t8 on 1.0 of 8");
        }
    }

    @Test
    void aRetryMayUseOtherCores() {
        Manager manager = manager(bag(1), 1, 45_000);
        assertThat(on(manager, new Started(0, 1))).containsExactly("start t0 on 1.0 of 8");
        script.lines.add(List.of());
        manager.settle(0, out);
        // Timed out after 45 s: on the declared cores that is 45 × 64 / 40 = 72 s, and the next attempt has twice that.
        on(manager, new Ended(45_000, 1, End.EXPIRED));
        assertThat(manager.atLeast(0)).isEqualTo(144_000);
        assertThat(manager.needs(0)).isEqualTo(Resources.ONE_CORE.cores(2));
    }

    @Test
    void variantsThatAreNoFasterAreDropped() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        int task = builder.task("t");
        builder.scaling(task, new Scaling(Map.of(1, 80L, 2, 50L, 4, 50L, 8, 30L)))
                .time(task, 160L);
        Workflow workflow = builder.build();
        var variants = Objects.requireNonNull(workflow.variants(0));
        assertThat(variants.size()).isEqualTo(3);
        assertThat(List.of(variants.cores(0), variants.cores(1), variants.cores(2)))
                .containsExactly(1, 2, 8);
        assertThat(variants.micros(2)).as("in proportion to the expected time").isEqualTo(60);
        assertThat(workflow.timeMicros(0, Resources.ONE_CORE.cores(8))).isEqualTo(60);
    }

    @Test
    void variantsLargerThanANodeAreDropped() {
        Workflow bag = bag(1);
        Workflow small = bag.fitting(Resources.node(4), 10, Long.MAX_VALUE);
        assertThat(Objects.requireNonNull(small.variants(0)).size()).isEqualTo(3);
        assertThat(small.resources(0).cores()).isEqualTo(2);
        Workflow single = bag.fitting(Resources.node(1), 10, Long.MAX_VALUE);
        assertThat(single.isMoldable()).isFalse();
        assertThat(single.resources(0)).isEqualTo(Resources.ONE_CORE);
        assertThat(single.timeMicros(0)).isEqualTo(80 * SECOND);
        Workflow hurried = bag.fitting(Resources.node(8), 10, 42_000);
        assertThat(hurried.resources(0).cores()).isEqualTo(8);
        assertThat(bag.fitting(Resources.node(8), 10, 10_000))
                .as("no variant fits: another check refuses the task")
                .isSameAs(bag);
        assertThat(bag.fixed(task -> 2).resources(0).cores()).isEqualTo(4);
    }
}
