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

/** What goes wrong with Slurm, or is done to its jobs behind our back: the workflow is done all the same, each task once, and no job is left. */
@Tag("slow")
class SlurmFaultsIT {
    private static final int NODES = 4;

    @TempDir
    static Path agentFiles = Path.of("");

    /** Jobs are forgotten soon, and there is no slurmdbd to ask. */
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

    private static void assertDone(SlurmRuns runs, CompletableFuture<RunLoop.Ending> playing) throws Exception {
        assertThat(runs.await(playing)).as(runs.messages().toString()).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
    }

    @Test
    void theControllerIsRestarted() throws Exception {
        SlurmRuns runs = runs(6, "1");
        var playing = runs.play("levelbylevel", 16);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        slurm().stopController();
        runs.until("the message", () -> runs.messages().stream()
                .anyMatch(output -> output.startsWith("Slurm does not answer")));
        slurm().startController();
        assertDone(runs, playing);
        assertThat(runs.messages()).contains("Slurm answers again");
    }

    @Test
    void aNodesDaemonIsKilledAndItsScriptGoesOn() throws Exception {
        SlurmRuns runs = runs(4, "15");
        var playing = runs.play("onejob", 16);
        runs.until("agents call", () -> runs.events().stream().anyMatch(event -> event instanceof Event.NodeUp));
        String job = runs.awaitJob("RUNNING");
        slurm().killNode(1);
        slurm().killNode(2);
        try {
            runs.until(
                    "it is noticed",
                    () -> slurm().run("scontrol", "show", "job", job).text().contains("NODE_FAIL"));
        } finally {
            slurm().startNode(1);
            slurm().startNode(2);
        }
        assertDone(runs, playing);
        assertThat(runs.events()).anyMatch(event -> event instanceof Event.NodeLost);
    }

    @Test
    void theQueueCannotBeSeen() throws Exception {
        SlurmRuns runs = runs(6, "1");
        runs.wrap(
                "squeue",
                "echo x >> looks",
                "case $(($(wc -l < looks) % 4)) in",
                "0) exec $REAL \"$@\" ;;",
                "1) echo 'slurm_load_jobs error: Unexpected message received' >&2; exit 1 ;;",
                "2) sleep 100 ;;",
                "3) echo '17|RUNNING'; echo 'oh?'; head -c 1000 /dev/urandom ;;",
                "esac");
        assertDone(runs, runs.play("levelbylevel", 16));
        assertThat(runs.messages()).anyMatch(output -> output.startsWith("Slurm does not answer (squeue"));
    }

    @Test
    void queuedAndRunningJobsAreCancelledByAnotherUser() throws Exception {
        SlurmRuns runs = runs(4, "2");
        String blocker = slurm().job(NODES, 100);
        var playing = runs.play("onejob", 16);
        slurm().query("scancel", runs.awaitJob("PENDING"));
        runs.until("it is noticed", () -> runs.events().stream()
                .anyMatch(event -> event instanceof Event.Ended ended && ended.how() == Event.End.CANCELLED));
        slurm().query("scancel", blocker);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        slurm().query("scancel", runs.awaitJob("RUNNING"));
        assertDone(runs, playing);
    }

    @Test
    void aHeldJobIsWaitedFor() throws Exception {
        SlurmRuns runs = runs(3, "0.2");
        String blocker = slurm().job(NODES, 100);
        var playing = runs.play("onejob", 16);
        String job = runs.awaitJob("PENDING");
        slurm().query("scontrol", "hold", job);
        slurm().query("scancel", blocker);
        runs.until("the message", () -> runs.messages().stream()
                .anyMatch(output -> output.contains("scontrol release " + job)));
        slurm().query("scontrol", "release", job);
        assertDone(runs, playing);
    }

    @Test
    void aRunningJobIsRequeued() throws Exception {
        SlurmRuns runs = runs(4, "2");
        var playing = runs.play("onejob", 16);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        String job = runs.awaitJob("RUNNING");
        slurm().query("scontrol", "update", "JobId=" + job, "Requeue=1");
        slurm().query("scontrol", "requeue", job);
        assertDone(runs, playing);
    }

    /** The reply is lost and the queue cannot be read; the job itself shows that it is there. */
    @Test
    void aLostReplyIsKnownByItsAgents() throws Exception {
        SlurmRuns runs = runs(3, "1");
        runs.wrap("sbatch", "$REAL \"$@\" > reply; echo x >> submitted", "sleep 100");
        runs.wrap("squeue", "exit 1");
        assertDone(runs, runs.play("onejob", 16));
        assertThat(Files.readAllLines(folder.resolve("submitted"))).hasSize(1);
    }

    /** The reply is lost, and the job is cancelled and forgotten before it is looked for. */
    @Test
    void aJobThatIsNowhereIsSubmittedAgain() throws Exception {
        SlurmRuns runs = runs(3, "0.2");
        runs.wrap(
                "sbatch",
                "echo x >> submitted",
                "[ $(wc -l < submitted) -gt 1 ] && exec $REAL \"$@\"",
                "scancel $($REAL --hold \"$@\")",
                "exit 1 2>/dev/null || exit 1");
        runs.wrap("squeue", "[ -e late ] || { sleep 4; exit 1; }", "exec $REAL \"$@\"");
        var playing = runs.play("onejob", 16);
        runs.until("the submission", () -> Files.exists(folder.resolve("submitted")));
        Files.createFile(folder.resolve("late"));
        assertDone(runs, playing);
        assertThat(Files.readAllLines(folder.resolve("submitted"))).hasSize(2);
    }

    /** Of two jobs with the same token, one runs. */
    @Test
    void whatIsSubmittedTwiceRunsOnce() throws Exception {
        SlurmRuns runs = runs(4, "1");
        runs.wrap(
                "sbatch",
                "cat > script.copy",
                "$REAL \"$@\" < script.copy > /dev/null",
                "exec $REAL \"$@\" < script.copy");
        assertDone(runs, runs.play("levelbylevel", 16));
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
        assertThat(runs.await(runs.play("onejobpertask", 16))).isEqualTo(RunLoop.Ending.PAUSED);
        assertThat(runs.run().manager()).isNotNull();
        assertThat(Objects.requireNonNull(runs.run().manager()).paused())
                .contains("submissions in a row were refused", "Invalid account");
        runs.unwrap("sbatch");
        assertDone(runs, runs.play("onejobpertask", 16));
    }

    /** Three jobs of the same user are there already: of the four that may be, one is ours. */
    @Test
    void otherJobsOfTheUserCount() throws Exception {
        SlurmRuns runs = runs(6, "0.2");
        for (int i = 0; i < 3; i++) {
            slurm().job(1, 60, "--hold");
        }
        try {
            assertDone(runs, runs.play("onejobpertask", 4));
        } finally {
            slurm().run("scancel", "-n", "other");
        }
        List<Integer> counts = new ArrayList<>();
        int there = 0;
        for (Event event : runs.events()) {
            there -= event instanceof Event.Ended ? 1 : 0;
            if (event instanceof Event.Accepted) {
                counts.add(++there);
            }
        }
        // The first may be joined by others before the queue was seen for the first time.
        assertThat(counts.subList(4, 8)).as("jobs after each submission").containsOnly(1);
    }
}
