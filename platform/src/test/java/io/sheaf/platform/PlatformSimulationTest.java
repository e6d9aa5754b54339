package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests executions with hand-computed times and with rules that hold for every execution. */
class PlatformSimulationTest {
    private static final double FLOW = 0.97 / 1.05;
    private static final double INSIDE = 13.01 * 20e-6;

    @Test
    void aTaskOfThePaperModelReadsComputesAndWrites() {
        Scenario scenario = new Scenario(Small.one(), Platforms.of("P1"), Model.PAPER);
        PlatformExecution execution = PlatformSimulation.run(scenario, Algorithms.named("A8", Model.PAPER))
                .execution();
        // The link (100 MB at 92.4 MB/s) is slower than the disks (100 MB/s).
        double read = 13.01 * 50e-6 + 100e6 / (100e6 * FLOW);
        double alpha = 0.9593085968575692;
        double computed = read + 10 * (alpha / 8 + 1 - alpha);
        // The storage's disk is slower than the network inside the cluster.
        double end = computed + INSIDE + 50e6 / 100e6;
        assertThat(execution.read(0)).isCloseTo(read, within(1e-9));
        assertThat(execution.computed(0)).isCloseTo(computed, within(1e-9));
        assertThat(execution.end(0)).isCloseTo(end, within(1e-9));
        assertThat(execution.makespan()).isCloseTo(end, within(1e-9));
        assertThat(execution.bytes()).isEqualTo(150e6);
        assertThat(execution.remoteBytes()).isEqualTo(100e6);
        assertThat(execution.idleCoreSeconds()).isCloseTo(768 * end - 8 * end, within(1e-6));
        // 96 nodes and the storage's host at 10 W; 10 s of one core add (100 − 10) / 8 W.
        assertThat(execution.joules()).isCloseTo(970 * end + 10 * 11.25, within(1e-6));
    }

    @Test
    void aTaskOfThePublishedModelWaitsForMessages() {
        Scenario scenario = new Scenario(Small.one(), Platforms.of("P1"), Model.PUBLISHED);
        PlatformExecution execution = PlatformSimulation.run(scenario, Algorithms.named("A8", Model.PUBLISHED))
                .execution();
        double user = 13.01 * 50e-6;
        double small = 1024 / (100e6 * FLOW);
        double roundTrip = 2 * (user + small);
        // Two requests: whether a core is idle, and how many are. Then lookups in the registry and the submission.
        double start = 2 * roundTrip + 2 * 1024 / 9.7e9 + user + small;
        assertThat(execution.start(0)).isCloseTo(start, within(1e-9));
        // There are ten chunks, the last one smaller, and every chunk has its latency. The link is slower than the
        // disk, so the disk counts only for the first chunk, as far as it takes longer than the answer. Then the
        // acknowledgement.
        double chunk = 10485760;
        // The request shares the link with the answer to the submission, which was sent at the same moment.
        double read = start
                + user
                + 2 * small
                + Math.max(chunk / 100e6, user + small)
                + 10 * user
                + 100e6 / (100e6 * FLOW)
                + user;
        assertThat(execution.read(0)).isCloseTo(read, within(1e-9));
        double alpha = 0.9593085968575692;
        double computed = read + 10 * (alpha / 8 + 1 - alpha) + INSIDE;
        assertThat(execution.computed(0)).isCloseTo(computed, within(1e-9));
        double inside = 12.5e9 * FLOW;
        // Request and answer, the first of five chunks, the disk for all chunks, notification and acknowledgement.
        double end = computed + 2 * (INSIDE + 1024 / inside) + INSIDE + chunk / inside + 50e6 / 100e6 + 2 * INSIDE;
        assertThat(execution.end(0)).isCloseTo(end, within(1e-9));
    }

    @Test
    void onlyThePaperModelCachesRemoteFiles() {
        Workflow workflow = Small.layers(4, 10, 1);
        double read = 0;
        double inputs = 0;
        Scenario any = new Scenario(workflow, Platforms.of("P1"), Model.PAPER);
        for (int file = 0; file < any.bytes.length; file++) {
            inputs += any.produced[file] ? 0 : any.bytes[file];
        }
        for (int task = 0; task < any.size(); task++) {
            for (int i = any.inputStart[task]; i < any.inputStart[task + 1]; i++) {
                read += any.produced[any.inputs[i]] ? 0 : any.bytes[any.inputs[i]];
            }
        }
        Scenario published = new Scenario(workflow, Platforms.of("P1"), Model.PUBLISHED);
        double uncached = PlatformSimulation.run(
                        published, Algorithms.of(Model.PUBLISHED).get(8))
                .execution()
                .remoteBytes();
        assertThat(uncached).isEqualTo(read);
        double cached = PlatformSimulation.run(any, Algorithms.of(Model.PAPER).get(8))
                .execution()
                .remoteBytes();
        // All ten tasks of the first level fetch the common file at once; later tasks use the cache.
        assertThat(cached).isEqualTo(inputs + 9 * 20e6).isLessThan(read);
    }

    @ParameterizedTest
    @EnumSource
    void everyExecutionRespectsDependenciesAndCores(Model model) {
        Workflow workflow = Small.layers(5, 40, 2);
        Scenario scenario = new Scenario(workflow, Platforms.of("P4"), model);
        for (Algorithm algorithm : Algorithms.of(model)) {
            PlatformSimulation run = PlatformSimulation.run(scenario, algorithm);
            check(scenario, run.execution());
            assertThat(run.execution().idleCoreSeconds()).isPositive();
            assertThat(run.cores.allIdle).isEqualTo(model == Model.PAPER ? 768 : run.cores.allIdle);
        }
    }

    private static void check(Scenario scenario, PlatformExecution execution) {
        Workflow workflow = scenario.workflow();
        for (int task = 0; task < scenario.size(); task++) {
            assertThat(execution.start(task)).isNotNegative();
            assertThat(execution.read(task)).isGreaterThanOrEqualTo(execution.start(task));
            assertThat(execution.computed(task)).isGreaterThanOrEqualTo(execution.read(task));
            assertThat(execution.end(task)).isGreaterThanOrEqualTo(execution.computed(task));
            for (int i = 0; i < workflow.parents(task); i++) {
                assertThat(execution.start(task)).isGreaterThanOrEqualTo(execution.end(workflow.parent(task, i)));
            }
            int used = 0;
            for (int other = 0; other < scenario.size(); other++) {
                boolean sameCluster = execution.cluster(other) == execution.cluster(task)
                        && execution.node(other) == execution.node(task);
                boolean sameTime =
                        execution.start(other) <= execution.start(task) && execution.start(task) < execution.end(other);
                used += sameCluster && sameTime ? execution.cores(other) : 0;
            }
            assertThat(used).isLessThanOrEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForkEndsLikeItsOriginal(Model model) {
        Scenario scenario = new Scenario(Small.layers(5, 40, 3), Platforms.of("P5"), model);
        Algorithm algorithm = Algorithms.of(model).get(13);
        double whole = PlatformSimulation.run(scenario, algorithm).execution().makespan();
        PlatformSimulation stopped = new PlatformSimulation(scenario, algorithm);
        assertThat(stopped.run(StopRule.afterWork(0.4))).isFalse();
        PlatformSimulation fork = stopped.fork();
        PlatformSimulation other = stopped.fork();
        other.use(Algorithms.of(model).get(0));
        other.run(StopRule.NEVER);
        fork.run(StopRule.NEVER);
        assertThat(fork.execution().makespan()).isEqualTo(whole);
        assertThat(other.execution().makespan()).isNotEqualTo(whole);
        stopped.run(StopRule.NEVER);
        assertThat(stopped.execution().makespan()).isEqualTo(whole);
    }
}
