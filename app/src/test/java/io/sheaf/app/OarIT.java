package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RealOar;
import io.sheaf.testing.TestOar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command on a real OAR, from the outside: whole runs, killed and cancelled ones, a reply that is lost, too many jobs, and a task over two nodes. */
@Tag("slow")
class OarIT {
    @TempDir
    static Path cache = Path.of("");

    @RegisterExtension
    static final TestOar OAR = TestOar.of(4, 2);

    @TempDir
    Path folder = Path.of("");

    private RealRun run = new RealRun(folder, cache);

    private static RealOar oar() {
        return OAR.get();
    }

    @BeforeEach
    void open() {
        run = new RealRun(folder, cache, oar().environment());
    }

    private void workflow(String yaml) throws IOException {
        Files.writeString(folder.resolve("workflow.yaml"), yaml);
    }

    /** The queue is empty, and nothing of the run is left. */
    private void assertNothingLeft() throws IOException, InterruptedException {
        for (int i = 0;
                i < 300 && !(oar().ask("oarstat").isEmpty() && run.processes().isEmpty());
                i++) {
            Thread.sleep(200);
        }
        assertThat(oar().ask("oarstat")).isEmpty();
        assertThat(run.processes()).isEmpty();
    }

    @Test
    void aRunIsKilledAndGoesOn() throws IOException, InterruptedException {
        Path example = Stream.of("examples", "../examples")
                .map(at -> Path.of(at, "montage-mini.yaml"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        workflow(Files.readString(example).replace("sleep 0.3", "echo {p} >> begun; sleep 1"));
        Process first = run.start("--on", "oar", "--queue-interval", "5s");
        run.awaitLines("begun", 2);
        first.destroyForcibly().waitFor();
        assertThat(run.await(run.resume())).as(run.said()).isZero();
        assertThat(Files.readAllLines(folder.resolve("mosaic.txt"))).isNotEmpty();
        assertThat(Files.readAllLines(folder.resolve("begun")))
                .as("no task is begun twice")
                .doesNotHaveDuplicates()
                .hasSize(6);
        assertNothingLeft();
    }

    @Test
    void aCancelledRunLeavesNoJob() throws IOException, InterruptedException {
        workflow("""
                name: long
                tasks:
                  a: {foreach: {p: 1..8}, run: 'echo {p} >> begun; sleep 500', time: 600s}
                """);
        Process process = run.start("--on", "oar", "--strategy", "levelbylevel", "--nodes", "2");
        run.awaitLines("begun", 3);
        assertThat(run.await(run.sheaf("cancel", "run"))).as(run.said()).isZero();
        run.await(process);
        assertNothingLeft();
    }

    /** The first reply is held back, as if the server had been too busy; the job is there all the same. */
    @Test
    void aLostReplyIsNotSubmittedTwice() throws IOException, InterruptedException {
        Path real = oar().folder().resolve("bin/oarsub");
        Path kept = oar().folder().resolve("bin/oarsub.kept");
        Files.move(real, kept);
        Files.writeString(real, """
                #!/bin/bash
                echo x >> '%1$s/submitted'
                [ $(wc -l < '%1$s/submitted') -eq 1 ] || exec '%2$s' "$@"
                '%2$s' "$@" > '%1$s/reply'
                echo '[ERROR] Cannot connect to executor localhost:6666.' >&2
                exit 9
                """.formatted(folder, kept));
        assertThat(real.toFile().setExecutable(true)).isTrue();
        try {
            workflow("name: one\ntasks:\n  a: {run: 'echo a >> begun', time: 10s}\n");
            assertThat(run.await(run.start("--on", "oar", "--strategy", "onejob")))
                    .as(run.said())
                    .isZero();
        } finally {
            Files.move(kept, real, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(run.said()).contains("OAR does not answer (oarsub:", "was found again as placeholder 1");
        assertThat(run.lines("submitted")).hasSize(1);
        assertThat(run.lines("begun")).hasSize(1);
        assertNothingLeft();
    }

    @Test
    void whatIsTooManyIsHeldBackAndSubmittedLater() throws IOException, InterruptedException {
        oar().rule("""
                my $there = $dbh->do("SELECT job_id FROM jobs WHERE job_user = '$user' AND state NOT IN ('Terminated', 'Error')");
                die("[ADMISSION RULE] Error: you cannot have more than 1 jobs.\\n") if ($there >= 1);
                """);
        try {
            workflow("name: two\ntasks:\n  a: {foreach: {p: 1..2}, run: 'echo {p} >> begun', time: 10s}\n");
            assertThat(run.await(run.start("--on", "oar", "--strategy", "onejobpertask", "--queue-interval", "3s")))
                    .as(run.said())
                    .isZero();
        } finally {
            oar().rule(null);
        }
        assertThat(run.said()).contains("OAR takes no more jobs now", "more than 1 jobs");
        assertThat(run.lines("begun")).containsExactlyInAnyOrder("1", "2");
        assertNothingLeft();
    }

    @Test
    void aTaskOverTwoNodesKnowsTheirNames() throws IOException, InterruptedException {
        workflow("""
                name: wide
                tasks:
                  a:
                    nodes: 2
                    time: 30s
                    out: names
                    run: |
                      for name in $(echo $SHEAF_NODES | tr , ' '); do oarsh $name "echo $name" < /dev/null; done > names
                """);
        assertThat(run.await(run.start("--on", "oar"))).as(run.said()).isZero();
        List<String> names = Files.readAllLines(folder.resolve("names"));
        assertThat(names).hasSize(2).doesNotHaveDuplicates().allMatch(name -> name.matches("127\\.0\\.1\\.[1-4]"));
        assertNothingLeft();
    }

    @Test
    void theDoctorLooksAtANode() throws IOException, InterruptedException {
        assertThat(run.await(run.sheaf("doctor", "--on", "oar", "--no-json")))
                .as(run.said())
                .isZero();
        assertThat(Files.readString(folder.resolve("out.txt")))
                .containsPattern("good +OAR +2\\.5")
                .containsPattern("good +nodes +4 of 2 cores")
                .containsPattern("good +Java on ");
        assertNothingLeft();
    }
}
