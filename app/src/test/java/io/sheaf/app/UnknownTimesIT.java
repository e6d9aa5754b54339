package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.report.JobRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests real runs of workflows with unknown and known run times on an idle embedded cluster of four nodes. */
class UnknownTimesIT {
    private static final String[] FOUR_NODES = {"--nodes", "4", "--cores-per-node", "1"};

    @TempDir
    Path folder = Path.of("");

    private @Nullable Process process;

    @AfterEach
    void endStartedProcess() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private List<AttemptResult> run(String workflow) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), workflow);
        RealRun run = new RealRun(folder);
        process = run.start(FOUR_NODES);
        assertThat(run.await(process)).as(run.errorOutput()).isZero();
        return run.results(AttemptOutcome.SUCCEEDED);
    }

    private static long nodes(List<AttemptResult> results) {
        return results.stream()
                .map(each -> List.of(each.token(), (long) each.node()))
                .distinct()
                .count();
    }

    /** The run does not wait for measurements of the first six tasks: the other tasks run on all nodes. */
    @Test
    void theFirstExampleUsesAllNodes() throws Exception {
        List<AttemptResult> results =
                run(Files.readString(Path.of("../examples/montage-mini.yaml")).replace("results: ../", "results: "));
        assertThat(results).hasSize(26);
        assertThat(nodes(results.subList(6, results.size()))).isEqualTo(4);
        assertThat(results.stream().map(AttemptResult::token).distinct())
                .as("pilot jobs")
                .hasSize(1);
    }

    /** While the agents of the first job connect, its tasks are still ready, but the manager submits no second job. */
    @Test
    void oneJobIsEnoughForAllReadyTasks() throws Exception {
        run("""
                name: three
                tasks:
                  first: {run: sleep 1}
                  second: {run: sleep 1}
                  last: {after: [first, second], run: 'true'}
                """);
        assertThat(new RealRun(folder).errorOutput()).contains("pilot job 1:").doesNotContain("pilot job 2");
    }

    /**
     * A job for free nodes is not cancelled before its agents have connected. Otherwise the run would submit and cancel
     * job after job.
     */
    @Test
    void stagesNeedFewJobs() throws Exception {
        List<AttemptResult> results = run("""
                name: stages
                tasks:
                  first: {run: sleep 1}
                  wide: {foreach: {i: 1..6}, after: first, run: 'sleep 2 # {i}'}
                  join: {after: wide, run: sleep 1}
                  wider: {foreach: {i: 1..6}, after: join, run: 'sleep 2 # {i}'}
                  last: {after: wider, run: 'true'}
                """);
        assertThat(results).hasSize(15);
        assertThat(new RealRun(folder).errorOutput()).contains("pilot job 1:").doesNotContain("pilot job 9");
    }

    /** All 24 short tasks have to end while the long one runs. */
    @Test
    void shortTasksDoNotWaitForTheLongTask() throws Exception {
        List<AttemptResult> results = run("""
                name: many
                vars: {i: 1..24}
                tasks:
                  short: {foreach: {n: i}, run: sleep 0.5}
                  long: {run: sleep 15}
                """);
        assertThat(results).hasSize(25);
        assertThat(nodes(results)).isEqualTo(4);
        assertThat(results.get(24).message().usage().runMillis()).isGreaterThan(14_000);
    }

    /** A chain before many tasks: the nodes are requested when the tasks are ready. */
    @Test
    void nodesAreRequestedWhenTasksAreReady() throws Exception {
        List<AttemptResult> results = run("""
                name: fan
                vars: {i: 1..12}
                tasks:
                  first: {out: first.txt, run: 'sleep 1; echo > first.txt'}
                  part: {foreach: {n: i}, in: first.txt, run: sleep 3}
                """);
        assertThat(results).hasSize(13);
        assertThat(nodes(results)).isEqualTo(4);
    }

    /** Eight tasks of 2 s: one job with four nodes, two tasks on each node after the other. */
    @Test
    void tasksOfKnownTimesUseAllNodes() throws Exception {
        List<AttemptResult> results = run("""
                name: known
                vars: {i: 1..8}
                tasks:
                  part: {foreach: {n: i}, time: 2s, run: sleep 2}
                """);
        assertThat(results).hasSize(8);
        assertThat(nodes(results)).isEqualTo(4);
        assertThat(jobs()).hasSize(1);
    }

    /** The limit is the walltime if nothing else is known of the tasks. */
    @Test
    void theTaskLimitIsTheWalltime() throws Exception {
        List<AttemptResult> results = run("""
                name: limited
                vars: {i: 1..3}
                tasks:
                  part: {foreach: {n: i}, limit: 4h, run: sleep 1}
                """);
        assertThat(nodes(results)).isEqualTo(3);
        assertThat(jobs()).hasSize(1);
        assertThat(jobs().get(0).nodes()).isEqualTo(3);
        assertThat(jobs().get(0).walltime())
                .isGreaterThanOrEqualTo(Duration.ofHours(4).toMillis());
    }

    /** 34 tasks of unknown times that are submitted to a service run on all nodes. */
    @Test
    void aServiceUsesAllNodes() throws Exception {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: many
                vars: {i: 1..34}
                tasks:
                  part: {foreach: {n: i}, run: sleep 0.5}
                """);
        RealRun run = new RealRun(folder);
        process = run.sheaf("serve", "--state", "run", "--nodes", "4", "--cores-per-node", "1");
        Await.until(() -> "the service runs: " + run.errorOutput(), () -> run.errorOutput()
                .contains("dashboard http"));
        assertThat(run.await(run.sheaf("submit", "workflow.yaml", "--to", "run")))
                .as(run.errorOutput())
                .isZero();
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(process)).as(run.errorOutput()).isZero();
        List<AttemptResult> results = run.results(AttemptOutcome.SUCCEEDED);
        assertThat(results).hasSize(34);
        assertThat(nodes(results)).isEqualTo(4);
    }

    private List<JobRecord> jobs() throws IOException {
        RecordedRun recorded = RecordedRun.open(folder.resolve("run"));
        return recorded.record(recorded.now()).jobs();
    }
}
