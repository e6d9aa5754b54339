package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Slurm fails, or its jobs are changed by others: the workflow still completes, each task once, and no job is left. */
@Tag("slow")
class SlurmFaultsIT {
    private static final int NODES = 4;

    @TempDir
    static Path agentFiles = Path.of("");

    /** Slurm forgets ended jobs soon, and there is no slurmdbd to query. */
    @RegisterExtension
    static final TestSlurm SLURM =
            TestSlurm.of(RealSlurm.SlurmShape.of(NODES).conf("MinJobAge=10", "SlurmdTimeout=10"));

    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    private SlurmRuns runs(int width, String seconds) throws Exception {
        return new SlurmRuns(slurm(), folder, agentFiles, width, seconds);
    }

    private static void assertDone(SlurmRuns runs, CompletableFuture<RunLoop.Ending> ending) throws Exception {
        assertThat(runs.await(ending)).as(runs.messages().toString()).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
    }

    @Test
    void aRunSurvivesARestartOfTheController() throws Exception {
        SlurmRuns runs = runs(6, "1");
        var ending = runs.start("levelbylevel", 16);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        slurm().stopController();
        runs.until("the manager reports that Slurm does not answer", () -> runs.messages().stream()
                .anyMatch(output -> output.startsWith("Slurm does not answer")));
        slurm().startController();
        assertDone(runs, ending);
        assertThat(runs.messages()).contains("Slurm answers again");
    }

    @Test
    void aRunSurvivesKilledNodeDaemons() throws Exception {
        SlurmRuns runs = runs(4, "15");
        var ending = runs.start("onejob", 16);
        runs.until("agents connect", () -> runs.events().stream().anyMatch(event -> event instanceof Event.NodeUp));
        String job = runs.awaitJob("RUNNING");
        slurm().killNode(1);
        slurm().killNode(2);
        try {
            runs.until(
                    "Slurm detects the failure",
                    () -> slurm().run("scontrol", "show", "job", job).text().contains("NODE_FAIL"));
        } finally {
            slurm().startNode(1);
            slurm().startNode(2);
        }
        assertDone(runs, ending);
        assertThat(runs.events()).anyMatch(event -> event instanceof Event.NodeLost);
    }

    @Test
    void aRunSurvivesFailingQueueQueries() throws Exception {
        SlurmRuns runs = runs(6, "1");
        runs.wrap(
                "squeue",
                // Start estimates read all jobs of the queue, the run only those of the user: each has a count of its
                // own.
                "case \" $* \" in *' -u '*) count=own ;; *) count=all ;; esac",
                "echo x >> $count",
                "case $(($(wc -l < $count) % 4)) in",
                "0) exec $REAL \"$@\" ;;",
                "1) echo 'slurm_load_jobs error: Unexpected message received' >&2; exit 1 ;;",
                "2) sleep 100 ;;",
                "3) echo '17|RUNNING'; echo 'oh?'; head -c 1000 /dev/urandom ;;",
                "esac");
        assertDone(runs, runs.start("levelbylevel", 16));
        assertThat(runs.messages()).anyMatch(output -> output.startsWith("Slurm does not answer (squeue"));
    }

    @Test
    void aRunSurvivesCancellationsOfItsJobs() throws Exception {
        SlurmRuns runs = runs(4, "2");
        String blocker = slurm().job(NODES, 100);
        var ending = runs.start("onejob", 16);
        slurm().query("scancel", runs.awaitJob("PENDING"));
        runs.until("the manager detects it", () -> runs.events().stream()
                .anyMatch(event -> event instanceof Event.Ended ended && ended.how() == Event.End.CANCELLED));
        slurm().query("scancel", blocker);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        slurm().query("scancel", runs.awaitJob("RUNNING"));
        assertDone(runs, ending);
    }

    @Test
    void aHeldJobIsReportedAndAwaited() throws Exception {
        SlurmRuns runs = runs(3, "0.2");
        String blocker = slurm().job(NODES, 100);
        var ending = runs.start("onejob", 16);
        String job = runs.awaitJob("PENDING");
        slurm().query("scontrol", "hold", job);
        slurm().query("scancel", blocker);
        runs.until("the manager shows the command", () -> runs.messages().stream()
                .anyMatch(output -> output.contains("scontrol release " + job)));
        slurm().query("scontrol", "release", job);
        assertDone(runs, ending);
    }

    @Test
    void aRunSurvivesARequeuedJob() throws Exception {
        SlurmRuns runs = runs(4, "2");
        var ending = runs.start("onejob", 16);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        String job = runs.awaitJob("RUNNING");
        slurm().query("scontrol", "update", "JobId=" + job, "Requeue=1");
        slurm().query("scontrol", "requeue", job);
        assertDone(runs, ending);
    }

    /** The reply is lost and the queue cannot be read; agents of the job show that it exists. */
    @Test
    void aJobWithoutAReplyIsDetectedByItsAgents() throws Exception {
        SlurmRuns runs = runs(3, "1");
        runs.wrap("sbatch", "$REAL \"$@\" > reply; echo x >> submitted", "sleep 100");
        runs.wrap("squeue", "exit 1");
        assertDone(runs, runs.start("onejob", 16));
        assertThat(Files.readAllLines(folder.resolve("submitted"))).hasSize(1);
    }

    /** The reply is lost, and the job is cancelled and forgotten before the manager searches for it. */
    @Test
    void aJobThatIsNotFoundIsSubmittedAgain() throws Exception {
        SlurmRuns runs = runs(3, "0.2");
        runs.wrap(
                "sbatch",
                "echo x >> submitted",
                "[ $(wc -l < submitted) -gt 1 ] && exec $REAL \"$@\"",
                "scancel $($REAL --hold \"$@\")",
                "exit 1 2>/dev/null || exit 1");
        runs.wrap("squeue", "[ -e late ] || { sleep 4; exit 1; }", "exec $REAL \"$@\"");
        var ending = runs.start("onejob", 16);
        runs.until("the job is submitted", () -> Files.exists(folder.resolve("submitted")));
        Files.createFile(folder.resolve("late"));
        assertDone(runs, ending);
        assertThat(Files.readAllLines(folder.resolve("submitted"))).hasSize(2);
    }

    /** Of two jobs with the same token, one runs. */
    @Test
    void aJobSubmittedTwiceRunsOnce() throws Exception {
        SlurmRuns runs = runs(4, "1");
        runs.wrap(
                "sbatch",
                "cat > script.copy",
                "$REAL \"$@\" < script.copy > /dev/null",
                "exec $REAL \"$@\" < script.copy");
        assertDone(runs, runs.start("levelbylevel", 16));
    }

    /**
     * Every fourth call of sbatch hangs for 20 s before it submits the job: one for each of the first, the last and 16
     * parallel tasks, so at least four calls hang. Other submissions do not wait for them, so the run ends before the
     * sum of these times.
     */
    @Test
    void submissionsDoNotWaitForOneThatHangs() throws Exception {
        SlurmRuns runs = runs(16, "2");
        runs.commandSeconds(60);
        runs.wrap(
                "sbatch",
                "number=$(flock lock sh -c 'echo x >> submitted; wc -l < submitted')",
                "[ $((number % 4)) -ne 0 ] || { sleep 20; echo $number >> hung; }",
                "exec $REAL \"$@\"");
        long from = System.nanoTime();
        assertDone(runs, runs.start("onejobpertask", 16));
        long seconds = (System.nanoTime() - from) / 1_000_000_000;
        List<String> hung = Files.readAllLines(folder.resolve("hung"));
        assertThat(hung).hasSizeGreaterThanOrEqualTo(4);
        assertThat(seconds).isLessThan(20L * hung.size());
        assertThat(runs.lines()).as("no task ran twice").hasSize(18);
    }

    @Test
    void tenRefusedSubmissionsPauseTheRun() throws Exception {
        SlurmRuns runs = runs(12, "0.2");
        runs.wrap(
                "sbatch",
                "[ -e lines ] || exec $REAL \"$@\"",
                "echo 'sbatch: error: Batch job submission failed: Invalid account or account/partition combination"
                        + " specified' >&2",
                "exit 1");
        assertThat(runs.await(runs.start("onejobpertask", 16))).isEqualTo(RunLoop.Ending.PAUSED);
        assertThat(runs.run().manager()).isNotNull();
        assertThat(Objects.requireNonNull(runs.run().manager()).paused())
                .contains("submissions in a row were refused", "Invalid account");
        runs.unwrap("sbatch");
        assertDone(runs, runs.start("onejobpertask", 16));
    }

    /** Three jobs of the same user are queued already, so that one of four allowed jobs is ours. */
    @Test
    void otherJobsOfTheUserCountTowardsTheLimit() throws Exception {
        SlurmRuns runs = runs(6, "0.2");
        for (int i = 0; i < 3; i++) {
            slurm().job(1, 60, "--hold");
        }
        try {
            assertDone(runs, runs.start("onejobpertask", 4));
        } finally {
            slurm().run("scancel", "-n", "other");
        }
        List<Integer> counts = new ArrayList<>();
        int ownJobs = 0;
        for (Event event : runs.events()) {
            ownJobs -= event instanceof Event.Ended ? 1 : 0;
            if (event instanceof Event.Accepted) {
                counts.add(++ownJobs);
            }
        }
        // More than one may be submitted before the queue is read for the first time.
        assertThat(counts.subList(4, 8)).as("jobs after each submission").containsOnly(1);
    }
}
