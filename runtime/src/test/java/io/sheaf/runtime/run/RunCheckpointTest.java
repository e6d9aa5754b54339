package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Manager;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ended workflows are archived while others run, and the process may end in the middle of any write: the next one
 * restores the same state, and every task succeeds once.
 */
class RunCheckpointTest {
    private static final ClusterShape IDLE = Shapes.of(4, 2);
    private static final int VOLUME = 8;

    @TempDir
    Path folder = Path.of("");

    private int runs;

    @Test
    void endedWorkflowsAreArchivedWhileOthersRun() throws Exception {
        RequestSequence sequence = new RequestSequence(1, 12);
        VirtualRun run = simulate(sequence, "auto", List.of());
        assertThat(run.snapshots()).isGreaterThan(2);
        assertThat(run.manager().workflow().size()).isLessThan(sequence.tasks / 2);
        Path in = folder.resolve("run-0");
        assertThat(in.resolve("past/0001/journal")).isNotEmptyDirectory();
        assertThat(files(in.resolve("journal"))).isEqualTo(1);
    }

    /**
     * 30 days with a request each hour: tasks, state, journal and open files of a service do not grow with its past.
     */
    @Tag("slow")
    @Test
    void theStateOfAServiceIsBoundedInAMonth() throws Exception {
        int days = 30;
        RequestSequence sequence = new RequestSequence(5, days * 20);
        int count = sequence.requests.size();
        assertThat(count).isGreaterThan(days * 24);
        Path in = Files.createDirectory(folder.resolve("month"));
        VirtualRun run = new VirtualRun(in, new WorkflowBuilder("none").build(), "auto", IDLE, 5)
                .requesting(sequence.requests)
                .withVolumes(40);
        // Days 11 to 20, and 21 to 30.
        long[][] maximum = new long[2][4];
        run.every(3_600_000, request -> {
            int third = request * 3 / count;
            if (third > 0) {
                long[] now = {
                    run.manager().workflow().size(),
                    ManagerState.of(run.manager()).length(),
                    bytes(in.resolve("journal")),
                    files(Path.of("/proc/self/fd"))
                };
                Arrays.setAll(maximum[third - 1], i -> Math.max(maximum[third - 1][i], now[i]));
            }
        });
        run.execute();
        assertThat(run.snapshots()).isGreaterThan(days);
        assertThat(maximum[1][0]).as("tasks of the manager").isLessThan(maximum[0][0] * 3 / 2);
        assertThat(maximum[1][1]).as("length of its state as text").isLessThan(maximum[0][1] * 3 / 2);
        assertThat(maximum[1][2]).as("bytes of the journal").isLessThan(maximum[0][2] * 3 / 2);
        assertThat(maximum[1][3]).as("open files").isLessThan(maximum[0][3] + 10);
    }

    private static long bytes(Path in) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            return all.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    void aCrashNeitherLosesNorDuplicatesTasks() throws Exception {
        crash("auto", 1, 37);
    }

    @Test
    void tasksThatShareCoresAreRestoredOnThem() throws Exception {
        RequestSequence sequence = new RequestSequence(3, 7, true);
        int together = 0;
        for (int at = 5; at < 150; at += 24) {
            VirtualRun run = simulate(sequence, "auto", List.of(at, 1 + at * 7 % 31, 1 + at * 5 % 17));
            assertThat(run.snapshots()).isPositive();
            assertThat(run.agents().waited).as("tasks without room").isZero();
            together = Math.max(together, run.agents().together);
        }
        assertThat(together).as("tasks on a node of two cores").isGreaterThan(2);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7})
    void aCrashAtEachPointNeitherLosesNorDuplicatesTasks(long seed) throws Exception {
        crash(List.of("glume", "onejobpertask", "auto").get((int) seed % 3), seed, 1);
    }

    private void crash(String strategy, long seed, int step) throws Exception {
        RequestSequence sequence = new RequestSequence(seed, 7);
        VirtualRun whole = simulate(sequence, strategy, List.of(1_000_000));
        assertThat(whole.snapshots()).isPositive();
        // Points are counted from each start on, also from those that follow a snapshot.
        for (int at = 1; at < 150; at += step) {
            simulate(sequence, strategy, List.of(at, 1 + at * 7 % 31, 1 + at * 5 % 17, 1 + at * 3 % 11));
        }
    }

    private VirtualRun simulate(RequestSequence sequence, String strategy, List<Integer> crashes) throws Exception {
        Path in = Files.createDirectory(folder.resolve("run-" + runs++));
        VirtualRun run = new VirtualRun(in, new WorkflowBuilder("none").build(), strategy, IDLE, sequence.seed)
                .requesting(sequence.requests)
                .withVolumes(VOLUME)
                .crashingAt(crashes);
        run.execute();
        Manager manager = run.manager();
        assertThat(manager.isFinished()).isTrue();
        for (int task = 0; task < sequence.tasks; task++) {
            int times = run.agents().succeeded.getOrDefault(task, 0);
            String description = strategy + " with crashes at " + crashes + ": task " + task;
            if (sequence.dropped.contains(task)) {
                assertThat(times).as(description).isLessThan(2);
            } else {
                assertThat(times).as(description).isEqualTo(1);
            }
        }
        Manager restored = run.restoredManager();
        restored.repeat(Recovery.NO_EFFECTS);
        manager.repeat(Recovery.NO_EFFECTS);
        assertThat(ManagerState.of(restored)).isEqualTo(ManagerState.of(manager));
        return run;
    }

    private static long files(Path in) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            return all.count();
        }
    }

    /** Requests that submit workflows one after the other, hold some of them for a while and drop some. */
    private static final class RequestSequence {
        final long seed;
        final List<ControlRequest> requests = new ArrayList<>();
        final Set<Integer> dropped = new HashSet<>();
        int tasks;

        RequestSequence(long seed, int count) {
            this(seed, count, false);
        }

        /** If tasks share cores, no workflow is held or dropped. */
        RequestSequence(long seed, int count, boolean shares) {
            this.seed = seed;
            RandomStream random = new RandomStream(seed).split("wishes");
            List<String> held = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String id = "w" + i;
                Workflow workflow = workflow(random.between(1, 5), shares, random);
                requests.add(new ControlRequest.Submit(
                        new Origin(id, i % 2 == 0 ? "ann" : "bob", i % 3, ""), workflow.prefixed(id + "/"), List.of()));
                if (!shares && random.chance(0.3)) {
                    requests.add(new ControlRequest.Hold(id, true));
                    held.add(id);
                } else if (!shares && random.chance(0.2)) {
                    requests.add(new ControlRequest.Drop(id));
                    for (int task = 0; task < workflow.size(); task++) {
                        dropped.add(tasks + task);
                    }
                }
                tasks += workflow.size();
                if (!held.isEmpty() && random.chance(0.3)) {
                    requests.add(new ControlRequest.Hold(held.remove(0), false));
                }
            }
            held.forEach(id -> requests.add(new ControlRequest.Hold(id, false)));
            requests.add(new ControlRequest.Drain());
        }

        private static Workflow workflow(int size, boolean shares, RandomStream random) {
            WorkflowBuilder builder = new WorkflowBuilder("random");
            for (int i = 0; i < size; i++) {
                int task = builder.task("task-" + i);
                builder.time(task, random.between(2, 30) * 1_000_000L).command(task, Command.of(List.of("true")));
                if (shares && i % 3 < 2) {
                    builder.resources(task, Resources.of(400 + 200 * (i % 3), 0, 0, 1));
                }
                for (int parent = 0; parent < task; parent++) {
                    if (random.chance(0.4)) {
                        builder.edge(parent, task);
                    }
                }
            }
            return builder.build();
        }
    }
}
