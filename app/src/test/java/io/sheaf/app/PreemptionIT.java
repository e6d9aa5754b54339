package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in a preemptible partition of a real Slurm, whose jobs are preempted by one of higher priority. */
@Tag("slow")
class PreemptionIT {
    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm(String mode, int grace) {
        return RealSlurm.start(RealSlurm.SlurmShape.of(2)
                .conf(
                        "PreemptType=preempt/partition_prio",
                        "PreemptMode=" + mode,
                        "JobRequeue=1",
                        "PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode="
                                + mode + " GraceTime=" + grace,
                        "PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF"));
    }

    /**
     * A run may use a preemptible and a safe partition; a preemption of its jobs changes the walltimes of the next run.
     */
    @Test
    void theTimeUntilPreemptionIsLearned() throws IOException, InterruptedException {
        try (RealSlurm slurm = slurm("CANCEL", 5)) {
            Files.writeString(folder.resolve("workflow.yaml"), """
                    name: mixed
                    tasks:
                      part:
                        foreach: {i: 1..4}
                        time: 6s
                        run: 'echo {i} >> begun; sleep 6; echo {i} >> done'
                    """);
            RealRun run = new RealRun(folder, slurm.environment());
            Process process = run.start("--on", "slurm", "--partition", "low,high", "--queue-interval", "2s");
            run.awaitLines("begun", 2);
            assertThat(Files.readString(folder.resolve("run/run.json"))).contains("low=1-2,preempt=14400s");
            slurm.job(2, 5, "-p", "high");
            assertThat(run.await(process)).as(run.errorOutput()).isZero();
            assertThat(run.errorOutput()).contains("in low").containsPattern("pilot job 1 ended \\(preempted\\)");
            assertThat(run.lines("done")).containsExactlyInAnyOrder("1", "2", "3", "4");
            assertThat(run.await(run.sheaf(
                            "run",
                            "workflow.yaml",
                            "--rerun",
                            "all",
                            "--run-dir",
                            "again",
                            "--on",
                            "slurm",
                            "--partition",
                            "low,high")))
                    .as(run.errorOutput())
                    .isZero();
            // One preemption after some seconds halves the initial value of four hours.
            assertThat(Files.readString(folder.resolve("again/run.json")))
                    .containsPattern("low=1-2,preempt=72[0-9]{2}s");
        }
    }

    /** The default partition has one node, which is busy; the other node is free in a preemptible partition that the user does not name. */
    @Test
    void aPreemptiblePartitionIsUsedWithoutBeingRequested() throws IOException, InterruptedException {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(2)
                .conf(
                        "PreemptType=preempt/partition_prio",
                        "PreemptMode=CANCEL",
                        "PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF",
                        "PartitionName=spare Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=CANCEL");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            slurm.job(1, 600, "-p", "main");
            Files.writeString(folder.resolve("workflow.yaml"), """
                    name: unnamed
                    tasks: {part: {foreach: {i: 1..2}, time: 2s, run: 'echo {i} >> done'}}
                    """);
            RealRun run = new RealRun(folder, slurm.environment());
            assertThat(run.await(run.start("--on", "slurm", "--queue-interval", "2s")))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(run.errorOutput()).contains("in spare");
            assertThat(run.lines("done")).containsExactlyInAnyOrder("1", "2");
            assertThat(Files.readString(folder.resolve("run/run.json"))).contains("spare=", "preempt=14400s");
        }
    }

    /**
     * Slurm signals tasks as well. Tasks that ignore the signal end within a grace time of 40 s. The nodes are released
     * as soon as they have ended, and no task starts twice.
     */
    @ParameterizedTest
    @ValueSource(strings = {"CANCEL", "REQUEUE"})
    void tasksEndWithinTheGraceTime(String mode) throws IOException, InterruptedException {
        try (RealSlurm slurm = slurm(mode, 40)) {
            Files.writeString(folder.resolve("workflow.yaml"), """
                    name: grace
                    tasks:
                      part:
                        foreach: {i: 1..4}
                        time: 8s
                        run: 'trap "" TERM; echo {i} >> begun; sleep 8; echo {i} >> done'
                    """);
            RealRun run = new RealRun(folder, slurm.environment());
            Process process =
                    run.start("--on", "slurm", "--partition", "low", "--queue-interval", "2s", "--nodes", "2");
            run.awaitLines("begun", 2);
            long requestedAt = System.nanoTime();
            String other = slurm.job(2, 5, "-p", "high");
            Await.until("the other job starts", () -> slurm.query("squeue", "-h", "-j", other, "-t", "all", "-o", "%T")
                    .matches("RUNNING|COMPLET.*"));
            assertThat((System.nanoTime() - requestedAt) / 1_000_000_000)
                    .as("seconds until the nodes are released")
                    .isLessThan(35);
            assertThat(run.lines("done")).hasSize(2);
            assertThat(run.await(process)).as(run.errorOutput()).isZero();
            assertThat(run.lines("begun")).containsExactlyInAnyOrder("1", "2", "3", "4");
            assertThat(run.lines("done")).containsExactlyInAnyOrder("1", "2", "3", "4");
        }
    }

    /** The tasks have no retries, and a preempted attempt does not count as a failure. */
    @ParameterizedTest
    @ValueSource(strings = {"CANCEL", "REQUEUE"})
    void preemptedTasksAreRestarted(String mode) throws IOException, InterruptedException {
        try (RealSlurm slurm = slurm(mode, 5)) {
            Files.writeString(folder.resolve("workflow.yaml"), """
                    name: low
                    tasks:
                      part:
                        foreach: {i: 1..4}
                        time: 6s
                        run: 'echo {i} >> begun; sleep 6; echo {i} >> done'
                    """);
            RealRun run = new RealRun(folder, slurm.environment());
            Process process =
                    run.start("--on", "slurm", "--partition", "low", "--queue-interval", "2s", "--nodes", "2");
            run.awaitLines("begun", 2);
            String other = slurm.job(2, 5, "-p", "high");
            Await.until(() -> "the other job runs: " + slurm.query("squeue"), () -> slurm.query(
                            "squeue", "-h", "-j", other, "-t", "all", "-o", "%T")
                    .matches("RUNNING|COMPLET.*"));
            assertThat(run.await(process)).as(run.errorOutput()).isZero();
            assertThat(run.lines("done")).containsExactlyInAnyOrder("1", "2", "3", "4");
            assertThat(run.errorOutput())
                    .containsPattern("pilot job 1 ended \\(preempted\\)")
                    .doesNotContain("failed:");
            assertThat(run.results(AttemptOutcome.PREEMPTED)).isNotEmpty();
            assertThat(run.results(AttemptOutcome.FAILED)).isEmpty();
            Await.until(
                    () -> "no jobs or processes remain: " + slurm.query("squeue"),
                    () -> slurm.query("squeue", "-h").isEmpty()
                            && run.processes().isEmpty());
        }
    }
}
