package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RecordedSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manager jobs that continue a run one after the other, with commands that fail as those of Slurm do. */
class HandOverTest {
    private static final String TIMEOUT = "echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1";

    @TempDir
    Path folder = Path.of("");

    private final List<String> output = new CopyOnWriteArrayList<>();

    /** A manager job whose submission command records its arguments and then runs a script. */
    private ManagerJob job(RecordedSlurm slurm, String submission) {
        return job(slurm, submission, "--account=physics", "--partition=main", "--mem=0");
    }

    private ManagerJob job(RecordedSlurm slurm, String submission, String... options) {
        slurm.does("sbatch", "echo \"$*\" >> '" + folder + "/submitted'\n" + submission);
        Map<String, String> environment = new HashMap<>(slurm.environment());
        environment.put("SLURM_JOB_ID", "41");
        return new SlurmCommands(Reach.here(environment))
                .managerJob(folder.resolve("run"), "r1", "long", List.of(options), 600_000);
    }

    private List<String> submitted() throws IOException {
        return Files.readAllLines(folder.resolve("submitted"));
    }

    @Test
    void aRefusedSuccessorIsSubmittedAgain() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder).prints("squeue", "41\n");
        ManagerJob job = job(
                slurm,
                "[ $(wc -l < '" + folder + "/submitted') -gt 2 ] && { echo 42; exit; }\n"
                        + "echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1");
        CountDownLatch handedOver = new CountDownLatch(1);
        HandOver handOver = new HandOver(job, List.of("true"), 1, handedOver::countDown, output::add, 10);
        handOver.begin();
        assertThat(handedOver.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(output).hasSize(2);
        assertThat(output.get(0)).contains("not submitted yet", "AssocMaxSubmitJobLimit");
        assertThat(output.get(1)).isEqualTo("job 42 takes over when this manager job ends");
        assertThat(submitted()).hasSize(3);
    }

    @Test
    void withoutAReplyTheQueueIsSearchedForTheJob() throws Exception {
        ManagerJob lost = job(new RecordedSlurm(folder).prints("squeue", "41\n43\n"), TIMEOUT);
        assertThat(lost.submit(List.of("true"))).isEqualTo(43);
        assertThat(submitted()).hasSize(1);
        ManagerJob nowhere = job(new RecordedSlurm(folder).prints("squeue", "41\n"), TIMEOUT);
        assertThatThrownBy(() -> nowhere.submit(List.of("true"))).isInstanceOf(UnreachableException.class);
        ManagerJob silent = job(new RecordedSlurm(folder).prints("squeue", ""), "true");
        assertThatThrownBy(() -> silent.submit(List.of("true"))).hasMessageContaining("no job id");
    }

    /** The job has the account of the run and a partition of its own; other options are for pilot jobs only. */
    @Test
    void managerJobsUseTheAccountOfTheRun() throws Exception {
        assertThat(job(new RecordedSlurm(folder), "echo 44").submit(List.of("true")))
                .isEqualTo(44);
        assertThat(submitted()).singleElement().asString().contains("--account=physics", "--partition=long");
        assertThat(submitted().get(0)).doesNotContain("--partition=main", "--mem");
    }

    /** Options after -- are as the user wrote them. */
    @Test
    void managerJobsUseTheAccountInAnySpelling() throws Exception {
        for (String account : List.of("-A physics", "-Aphysics", "--account physics")) {
            job(new RecordedSlurm(folder), "echo 44", account.split(" ")).submit(List.of("true"));
        }
        assertThat(submitted()).hasSize(3).allMatch(line -> line.contains("--account=physics"));
    }

    @Test
    void anEndedRunIsNotHandedOver() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder).does("scancel", "echo \"$*\" > '" + folder + "/cancelled'");
        HandOver handOver = new HandOver(
                job(slurm, "echo 45"),
                List.of("true"),
                600_000,
                () -> {
                    throw new AssertionError("the run must not continue");
                },
                output::add,
                10);
        handOver.begin();
        handOver.end();
        assertThat(folder.resolve("cancelled")).content().contains("--state=PENDING", "--name=sheaf-r1.manager");
    }
}
