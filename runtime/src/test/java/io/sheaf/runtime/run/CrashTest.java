package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager that crashes at any point, also during its recovery, loses nothing and does nothing twice. */
class CrashTest {
    private static final ClusterShape BUSY = Shapes.of(4, 2, "kth-like@60x", 3);
    private static final long HOUR = 3_600_000;
    private static final ClusterShape IDLE = Shapes.of(4, 2);

    @TempDir
    Path folder = Path.of("");

    private int runs;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume", "levelbylevel", "onejobpertask"})
    void aCrashAnywhereLosesNothing(String strategy) throws Exception {
        Workflow workflow = diamond(3);
        int points = run(workflow, strategy, IDLE, List.of());
        assertThat(points).isGreaterThan(30);
        for (int at = 1; at <= points; at++) {
            run(workflow, strategy, IDLE, List.of(at));
        }
    }

    /** One node of two cores: brief tasks are sent to it while both are in use. */
    @Test
    void aCrashWhileTasksWaitForACoreLosesNothing() throws Exception {
        WorkflowBuilder builder = new WorkflowBuilder("brief");
        for (int i = 0; i < 8; i++) {
            task(builder, "brief-" + i, 1 + i % 3);
        }
        Workflow workflow = builder.build();
        ClusterShape small = Shapes.of(1, 2);
        VirtualRun undisturbed = new VirtualRun(newFolder(), workflow, "onejob", small, 1);
        int points = undisturbed.execute();
        assertThat(undisturbed.agents().waited)
                .as("tasks that waited for a core")
                .isGreaterThan(1);
        for (int at = 1; at <= points; at++) {
            run(workflow, "onejob", small, List.of(at, 1 + at % 7));
        }
    }

    /** One node of two cores and parts of cores of many sizes: a recovered manager knows which tasks share a core, and oversubscribes no agent. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob"})
    void aCrashWhileTasksShareCoresLosesNothing(String strategy) throws Exception {
        WorkflowBuilder builder = new WorkflowBuilder("shares");
        int[] millicores = {600, 500, 1000, 300, 400, 250, 700, 250, 600, 100};
        for (int i = 0; i < millicores.length; i++) {
            int task = task(builder, "part-" + i, 5 + i % 4);
            builder.resources(task, Resources.of(millicores[i], 0, 0, 1));
        }
        Workflow workflow = builder.build();
        ClusterShape small = Shapes.of(1, 2);
        VirtualRun undisturbed = new VirtualRun(newFolder(), workflow, strategy, small, 1);
        int points = undisturbed.execute();
        assertThat(undisturbed.agents().together)
                .as("tasks on two cores at once")
                .isGreaterThan(2);
        for (int at = 1; at <= points; at++) {
            VirtualRun run =
                    new VirtualRun(newFolder(), workflow, strategy, small, 1).crashingAt(List.of(at, 1 + at % 7));
            run.execute();
            assertCommitted(run, workflow);
            assertThat(run.agents().waited).as("tasks without room").isZero();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"glume", "onejobpertask"})
    void aCrashOfTheRecoveryLosesNothing(String strategy) throws Exception {
        Workflow workflow = diamond(2);
        int points = run(workflow, strategy, IDLE, List.of());
        for (int at = 1; at <= points; at += 3) {
            for (int then = 1; then <= 9; then += 2) {
                run(workflow, strategy, IDLE, List.of(at, then, 1 + at % 4));
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"glume,1", "zhang,2", "onejob,3", "levelbylevel,4", "onejobpertask,5", "glume,6"})
    void crashesOnABusyClusterLoseNothing(String strategy, long seed) throws Exception {
        Workflow workflow = random(seed);
        int points = run(workflow, strategy, BUSY, List.of());
        for (int at = 1; at <= points; at++) {
            run(workflow, strategy, BUSY, List.of(at, 1 + at % 11, 1 + at % 5));
        }
    }

    /**
     * Workflows are submitted while others run; one is held for a while, and one is dropped. The process may end
     * between any two steps of applying a request.
     */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume"})
    void aCrashNeitherLosesNorDuplicatesAddedWorkflows(String strategy) throws Exception {
        ControlRequest.Submit first = submission("a", diamond(1));
        ControlRequest.Submit second = submission("b", diamond(2));
        ControlRequest.Submit dropped = submission("c", slow());
        List<ControlRequest> requests = List.of(
                first,
                new ControlRequest.Hold("a", true),
                second,
                dropped,
                new ControlRequest.Drop("c"),
                new ControlRequest.Hold("a", false),
                new ControlRequest.Drain());
        Workflow workflow = diamond(2);
        int points = runWithRequests(workflow, requests, strategy, List.of());
        assertThat(points).isGreaterThan(60);
        for (int at = 1; at <= points; at += strategy.equals("auto") ? 9 : 4) {
            runWithRequests(workflow, requests, strategy, List.of(at, 1 + at % 7));
        }
    }

    private int runWithRequests(
            Workflow workflow, List<ControlRequest> requests, String strategy, List<Integer> crashes) throws Exception {
        VirtualRun run = new VirtualRun(newFolder(), workflow, strategy, IDLE, 1)
                .requesting(requests)
                .crashingAt(crashes);
        int points = run.execute();
        Manager manager = run.manager();
        // Two diamonds of two and one of one between first and last, and one that was dropped.
        assertThat(manager.workflow().size()).isEqualTo(4 + 3 + 4 + 1);
        for (int task = 0; task < 11; task++) {
            assertThat(run.agents().succeeded.get(task))
                    .as("%s with crashes at %s: task %s succeeded once", strategy, crashes, task)
                    .isEqualTo(1);
        }
        assertThat(manager.state(11)).isEqualTo(TaskState.SKIPPED);
        assertThat(manager.isFinished()).isTrue();
        return points;
    }

    private static ControlRequest.Submit submission(String id, Workflow workflow) {
        return new ControlRequest.Submit(new Origin(id, "ann", 0, ""), workflow.prefixed(id + "/"), List.of());
    }

    private static Workflow slow() {
        WorkflowBuilder builder = new WorkflowBuilder("slow");
        task(builder, "slow", 50_000);
        return builder.build();
    }

    /** Agents die, too: tasks are retried, but one attempt of each counts. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void deadAgentsCostAttemptsOnly(long seed) throws Exception {
        Workflow workflow = random(seed);
        RandomStream random = new RandomStream(seed).split("crashes");
        List<Integer> crashes = List.of(random.between(5, 90), random.between(1, 60), random.between(1, 60));
        VirtualRun run = new VirtualRun(newFolder(), workflow, "glume", IDLE, seed)
                .withDeaths(3)
                .crashingAt(crashes);
        run.execute();
        assertCommitted(run, workflow);
    }

    /** Whenever a process starts, the wall clock is hours wrong, in one direction and then in the other. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aClockThatJumpsCostsAttemptsOnly(long seed) throws Exception {
        Workflow workflow = random(seed);
        RandomStream random = new RandomStream(seed).split("jumps");
        List<Integer> crashes = List.of(random.between(5, 60), random.between(1, 60), random.between(1, 60));
        VirtualRun run = new VirtualRun(newFolder(), workflow, "glume", IDLE, seed)
                .withClockWrongBy(List.of(0L, 5 * HOUR, -7 * HOUR, random.between(-9, 9) * HOUR))
                .crashingAt(crashes);
        run.execute();
        assertThat(run.restarts()).isPositive();
        assertCommitted(run, workflow);
    }

    /** Runs the workflow; returns the number of points at which the process might have ended. */
    private int run(Workflow workflow, String strategy, ClusterShape shape, List<Integer> crashes) throws Exception {
        VirtualRun run = new VirtualRun(newFolder(), workflow, strategy, shape, 1).crashingAt(crashes);
        int points = run.execute();
        assertCommitted(run, workflow);
        for (int task = 0; task < workflow.size(); task++) {
            assertThat(run.agents().succeeded.get(task))
                    .as("%s with crashes at %s: task %s succeeded once", strategy, crashes, task)
                    .isEqualTo(1);
        }
        return points;
    }

    private static void assertCommitted(VirtualRun run, Workflow workflow) throws IOException {
        Manager manager = run.manager();
        for (int task = 0; task < workflow.size(); task++) {
            assertThat(manager.state(task)).isEqualTo(TaskState.DONE);
            assertThat(manager.committed(task)).isPositive();
        }
        Manager restored = run.restoredManager();
        // Both forget what they requested from the cluster; all else must be equal.
        restored.repeat(Recovery.NO_EFFECTS);
        manager.repeat(Recovery.NO_EFFECTS);
        assertThat(ManagerState.of(restored)).isEqualTo(ManagerState.of(manager));
        assertThat(run.agents().isIdle()).as("no agent is left").isTrue();
    }

    private Path newFolder() throws IOException {
        return Files.createDirectory(folder.resolve("run-" + runs++));
    }

    private static Workflow diamond(int width) {
        WorkflowBuilder builder = new WorkflowBuilder("diamond");
        int first = task(builder, "first", 5);
        int last = task(builder, "last", 3);
        for (int i = 0; i < width; i++) {
            int middle = task(builder, "middle-" + i, 10 + 3 * i);
            builder.edge(first, middle).edge(middle, last);
        }
        return builder.build();
    }

    private static Workflow random(long seed) {
        RandomStream random = new RandomStream(seed).split("workflow");
        WorkflowBuilder builder = new WorkflowBuilder("random");
        for (int i = 0; i < 12; i++) {
            int task = task(builder, "task-" + i, random.between(2, 40));
            for (int parent = 0; parent < task; parent++) {
                if (random.chance(0.25)) {
                    builder.edge(parent, task);
                }
            }
        }
        return builder.build();
    }

    private static int task(WorkflowBuilder builder, String id, int seconds) {
        int task = builder.task(id);
        builder.time(task, seconds * 1_000_000L).command(task, Command.of(List.of("true")));
        return task;
    }
}
