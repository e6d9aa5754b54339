package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs whose pilot jobs are on two clusters. */
@Tag("slow")
class SeveralSitesIT {
    private static final String BOTH = "alpha,beta";

    @TempDir
    Path folder = Path.of("");

    /**
     * Two clusters of two nodes.
     *
     * @param joined whether they are clusters of one Slurm with a common database; otherwise each is a site
     */
    private record Pair(RealSlurm alpha, RealSlurm beta, boolean joined) implements AutoCloseable {
        static Pair start(boolean joined) {
            RealSlurm.SlurmShape two = RealSlurm.SlurmShape.of(2);
            RealSlurm alpha = RealSlurm.start(joined ? two.withDatabase() : two, "alpha");
            return new Pair(alpha, joined ? alpha.beside(two, "beta") : RealSlurm.start(two, "beta"), joined);
        }

        String[] on() {
            String where = joined ? "slurm --clusters " + BOTH : BOTH;
            return ("--on " + where + " --queue-interval 2s").split(" ");
        }

        RealRun run(SeveralSitesIT test, int tasks, int seconds) throws IOException {
            RealRun run = test.run(alpha, "{on: slurm, prefix: [env, SLURM_CONF=" + conf(beta) + "]}", tasks, seconds);
            return joined ? new RealRun(test.folder, Map.of("SLURM_CONF", conf(alpha), "PATH", alpha.path())) : run;
        }

        @Override
        public void close() {
            beta.close();
            alpha.close();
        }
    }

    private RealRun run(RealSlurm alpha, String beta, int tasks, int seconds) throws IOException {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: spread
                tasks:
                  part:
                    foreach: {i: 1..%d}
                    time: 40s
                    run: 'echo {i} >> begun; sleep %d; echo {i} ${SLURM_CLUSTER_NAME:-none} >> done'
                """.formatted(tasks, seconds));
        Files.writeString(folder.resolve("sheaf.conf.yaml"), """
                sites:
                  alpha: {on: slurm, prefix: "env SLURM_CONF=%s"}
                  beta: %s
                """.formatted(conf(alpha), beta));
        // The environment selects neither cluster.
        return new RealRun(folder, Map.of("SLURM_CONF", "/nonexistent", "PATH", alpha.path()));
    }

    private static String conf(RealSlurm slurm) {
        return String.valueOf(slurm.environment().get("SLURM_CONF"));
    }

    private void assertAllRanOnce(RealRun run, int tasks) throws IOException {
        assertThat(run.lines("done").stream().map(line -> line.split(" ")[0]).toList())
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, tasks)
                        .mapToObj(String::valueOf)
                        .toList());
        assertThat(run.results(AttemptOutcome.FAILED)).isEmpty();
    }

    private static long tasksOn(RealRun run, String cluster) throws IOException {
        return run.lines("done").stream().filter(line -> line.endsWith(cluster)).count();
    }

    private static void assertNothingLeft(RealRun run, List<RealSlurm> all) throws IOException, InterruptedException {
        for (RealSlurm slurm : all) {
            Await.until(
                    () -> "no job is left: " + slurm.query("squeue"),
                    () -> slurm.query("squeue", "-h", "-n", "other").isEmpty()
                            && slurm.query("squeue", "-h", "-o", "%j")
                                    .lines()
                                    .noneMatch(name -> name.startsWith("sheaf")));
        }
        assertThat(run.processes()).isEmpty();
    }

    /** A manager is killed while jobs run on both clusters, and another one continues. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tasksRunOnBothClustersAndSurviveAKilledManager(boolean joined) throws IOException, InterruptedException {
        try (Pair both = Pair.start(joined)) {
            RealRun run = both.run(this, 16, 4);
            Process process = run.start(both.on());
            run.awaitLines("begun", 4);
            process.destroyForcibly().waitFor();
            assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
            assertAllRanOnce(run, 16);
            assertThat(tasksOn(run, "alpha")).as(run.errorOutput()).isPositive();
            assertThat(tasksOn(run, "beta")).as(run.errorOutput()).isPositive();
            assertThat(run.errorOutput()).contains("in alpha").contains("in beta");
            assertNothingLeft(run, List.of(both.alpha, both.beta));
        }
    }

    /** Two batch systems: a Slurm without free nodes, and virtual nodes of this machine. */
    @Test
    void theEmbeddedClusterRunsTasksWhileSlurmIsBusy() throws IOException, InterruptedException {
        try (RealSlurm alpha = RealSlurm.start(RealSlurm.SlurmShape.of(2))) {
            String busy = alpha.job(2, 3600, "-t", "60");
            RealRun run = run(alpha, "{on: local, nodes: 2}", 4, 2);
            for (String command : List.of("predict --nodes 2 --time 5m", "plan workflow.yaml")) {
                String[] words = (command + " --on " + BOTH).split(" ");
                assertThat(run.await(run.sheaf(words))).as(run.errorOutput()).isZero();
            }
            assertThat(Files.readString(folder.resolve("out.txt")))
                    .contains("site alpha:\n2 nodes × 5m")
                    .contains("site beta:\nvirtual nodes");
            assertThat(run.await(run.start("--on", BOTH, "--queue-interval", "2s")))
                    .as(run.errorOutput())
                    .isZero();
            assertAllRanOnce(run, 4);
            assertThat(run.errorOutput()).contains("in beta");
            alpha.query("scancel", busy);
            assertNothingLeft(run, List.of(alpha));
        }
    }

    /**
     * The controller of the cluster with the queued pilot job stops; the other cluster, which seemed busy for longer,
     * runs the tasks.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoppedControllerDoesNotDelayTheOtherCluster(boolean joined) throws IOException, InterruptedException {
        try (Pair both = Pair.start(joined)) {
            RealSlurm alpha = both.alpha;
            RealSlurm beta = both.beta;
            String busy = alpha.job(2, 3600, "-t", "1");
            String longer = beta.job(2, 3600, "-t", "30");
            RealRun run = both.run(this, 6, 4);
            Process process = run.start(both.on());
            Await.until(() -> "a job is queued: " + alpha.query("squeue"), () -> alpha.query("squeue", "-h", "-o", "%j")
                    .contains("sheaf"));
            alpha.stopController();
            Await.until(
                    run::errorOutput,
                    () -> run.errorOutput().contains("2: ") && run.errorOutput().contains("in beta"));
            beta.query("scancel", longer);
            assertThat(run.await(process)).as(run.errorOutput()).isZero();
            assertAllRanOnce(run, 6);
            assertThat(tasksOn(run, "beta")).as(run.errorOutput()).isEqualTo(6);
            assertThat(run.errorOutput().lines().filter(line -> line.contains("site alpha: Slurm does not answer")))
                    .as(run.errorOutput())
                    .hasSize(1);
            alpha.startController();
            alpha.query("scancel", busy);
            assertNothingLeft(run, List.of(alpha, beta));
            assertAllRanOnce(run, 6);
        }
    }
}
