package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a real Slurm with no free nodes, and runs whose strategies estimate starts there. */
@Tag("slow")
class AskSlurmIT {
    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4));

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    /** Another job has all nodes and requested ten minutes. */
    @BeforeEach
    void occupyAllNodes() throws IOException, InterruptedException {
        environment.putAll(System.getenv());
        environment.putAll(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
        Files.writeString(folder.resolve("w.yaml"), """
                name: fan
                tasks:
                  a: {run: 'echo a > a.txt', out: a.txt, time: 5s}
                  b: {foreach: {p: 1..6}, run: 'sleep 1; cat a.txt > b{p}.txt', in: a.txt, out: 'b{p}.txt', time: 5s}
                """);
        SLURM.get().query("sbatch", "-N", "4", "-t", "10", "-J", "other", "-o", "/dev/null", "--wrap", "sleep 590");
        Await.until(
                "a job runs",
                () -> !SLURM.get().query("squeue", "-h", "-t", "R").isEmpty());
    }

    @AfterEach
    void emptyTheQueue() throws InterruptedException {
        SLURM.get().run("scancel", "-n", "other");
        Await.until(
                "the queue is empty", () -> SLURM.get().query("squeue", "-h").isEmpty());
    }

    private Run sheaf(String... words) {
        return Run.in(folder, environment, words);
    }

    @Test
    void planEstimatesStarts() {
        Run plan = sheaf(
                "plan",
                folder.resolve("w.yaml").toString(),
                "--on",
                "slurm",
                "--strategies",
                "onejob,glume,auto",
                "--no-json");
        assertThat(plan.status()).as(plan.err()).isZero();
        for (String strategy : List.of("onejob", "glume", "auto")) {
            assertThat(plan.out())
                    .containsPattern("(?m)^" + strategy + " +[1-4] .* (9|10)\\.[0-9] min +1[01]\\.[0-9] min");
        }
        assertThat(SLURM.get().query("squeue", "-h", "-o", "%j")).isEqualTo("other");
    }

    @Test
    void predictAndDoctorReportOnTheCluster() {
        Run predict = sheaf("predict", "--on", "slurm", "--nodes", "2", "--time", "5m", "--no-json");
        assertThat(predict.status()).as(predict.err()).isZero();
        assertThat(predict.out()).containsPattern("(?m)^engine \\* +(9|10)\\.[0-9] min");
        SLURM.get().run("scancel", "-n", "other");
        Run doctor = sheaf("doctor", "--on", "slurm", "--no-json");
        assertThat(doctor.status()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.out()).contains("Java", "4 nodes");
    }

    /**
     * Three jobs wait for ten minutes; one is cancelled, and the others start early. Observations of separate processes
     * accumulate.
     */
    @Test
    void evaluateComparesEstimatesWithActualStarts() throws Exception {
        for (int i = 0; i < 3; i++) {
            SLURM.get()
                    .query("sbatch", "-N", "2", "-t", "5", "-J", "queued" + i, "-o", "/dev/null", "--wrap", "sleep 2");
        }
        Run first = sheaf("predict", "--evaluate", "--on", "slurm", "--for", "0s", "--json");
        assertThat(first.status()).as(first.err()).isZero();
        assertThat(first.out()).contains("\"started\" : 0", "\"queued\" : 3", "\"enough\" : false");
        SLURM.get().run("scancel", "-n", "queued1");
        SLURM.get().run("scancel", "-n", "other");
        Await.until(
                "the queue is empty", () -> SLURM.get().query("squeue", "-h").isEmpty());
        Run second = sheaf("predict", "--evaluate", "--on", "slurm", "--for", "1s", "--every", "10s", "--json");
        assertThat(second.out()).as(second.err()).contains("\"started\" : 2", "\"queued\" : 0");
        // The engine expected the end of the ten minutes for one job, and five minutes more for the other.
        assertThat(second.out())
                .containsPattern(
                        "\"estimator\" : \"engine\",\\s+\"samples\" : 2,[^}]*\"medianErrorSeconds\" : 7[0-9]{2}\\.");
        assertThat(sheaf("predict", "--evaluate", "--on", "slurm", "--for", "0s", "--no-json")
                        .out())
                .contains("2 jobs started", "not enough data");
        assertThat(sheaf("predict", "--evaluate", "--on", "slurm", "--nodes", "2")
                        .status())
                .isEqualTo(2);
    }

    /** The estimator expects no early start; then the nodes become free. */
    @Test
    void aRunWithAutoCompletes() throws Exception {
        runWith("auto");
        assertThat(sheaf("explain", "run", "--no-json").out())
                .containsPattern("(?m)^ +\\* .* (9|10)\\.[0-9] min +1[01]\\.[0-9] min");
        try (var stateFiles = Files.newDirectoryStream(folder.resolve("state/slurm"), "*")) {
            Path cluster = stateFiles.iterator().next();
            try (var starts = Files.newDirectoryStream(cluster, "*.start")) {
                assertThat(starts).isNotEmpty();
            }
        }
    }

    /** The portfolio simulates all strategies in the queue of the snapshot, behind the job that has the nodes. */
    @Test
    void aRunWithThePortfolioCompletes() throws Exception {
        runWith("portfolio");
        Run explain = sheaf("explain", "run", "--no-json");
        assertThat(explain.status()).as(explain.err()).isZero();
        assertThat(explain.out())
                .startsWith("fan with portfolio on slurm: done")
                .containsPattern(
                        "(?m)^ +onejob(, like [a-z]+)?, [1-4] futures? +[1-4] +47\\.0 s +(9|10)\\.[0-9] min +[1-9]")
                .containsPattern(
                        "(?m)^ +glume(, like [a-z]+)?, [1-4] futures? +[1-4] +47\\.0 s +(9|10)\\.[0-9] min +[1-9]");
    }

    private void runWith(String strategy) throws Exception {
        Thread freeNodes = new Thread(() -> {
            try {
                Await.until(
                        "a job is queued",
                        () -> !SLURM.get().query("squeue", "-h", "-t", "PD").isEmpty());
                SLURM.get().run("scancel", "-n", "other");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        freeNodes.start();
        Run run = sheaf(
                "run",
                folder.resolve("w.yaml").toString(),
                "--on",
                "slurm",
                "--strategy",
                strategy,
                "--queue-interval",
                "2s",
                "--run-dir",
                "run");
        freeNodes.join();
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(folder.resolve("b6.txt")).hasContent("a");
    }
}
