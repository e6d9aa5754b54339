package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RealOar;
import io.sheaf.testing.TestOar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The built command on a real OAR: complete, killed and cancelled runs, lost replies, job limits, and a task over two
 * nodes.
 */
@Tag("slow")
class OarIT extends RunsOnACluster {
    @RegisterExtension
    static final TestOar OAR = TestOar.of(4, 2);

    private static RealOar oar() {
        return OAR.get();
    }

    @Override
    Map<String, String> environment() {
        return oar().environment();
    }

    @Override
    String queue() {
        return oar().query("oarstat");
    }

    @Override
    List<String> on(String... words) {
        List<String> line = new ArrayList<>(List.of("--on", "oar"));
        line.addAll(List.of(words));
        return line;
    }

    /** The first reply is lost, as if the server had been too busy, but the job is submitted. */
    @Test
    void aJobIsNotSubmittedTwiceAfterALostReply() throws IOException, InterruptedException {
        Path command = oar().folder().resolve("bin/oarsub");
        Path original = oar().folder().resolve("bin/oarsub.kept");
        Files.move(command, original);
        Files.writeString(command, """
                #!/bin/bash
                echo x >> '%1$s/submitted'
                [ $(wc -l < '%1$s/submitted') -eq 1 ] || exec '%2$s' "$@"
                '%2$s' "$@" > '%1$s/reply'
                echo '[ERROR] Cannot connect to executor localhost:6666.' >&2
                exit 9
                """.formatted(folder, original));
        assertThat(command.toFile().setExecutable(true)).isTrue();
        try {
            workflow("name: one\ntasks:\n  a: {run: 'echo a >> begun', time: 10s}\n");
            assertThat(run.await(run.start("--on", "oar", "--strategy", "onejob")))
                    .as(run.errorOutput())
                    .isZero();
        } finally {
            Files.move(original, command, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(run.errorOutput()).contains("OAR does not answer (oarsub:");
        // The job is found in the queue, or its agent connects before the search. In both cases it is the only job.
        assertThat(run.lines("submitted")).hasSize(1);
        assertThat(run.lines("begun")).hasSize(1);
        assertNothingLeft();
    }

    /** Two nodes have 2000 MiB and two 6000 MiB; a task of 3 GiB runs on one of the latter. */
    @Test
    void tasksRunOnNodesWithEnoughMemory() throws IOException, InterruptedException {
        oar().query("oarproperty", "-a", "memnode");
        try {
            for (int node = 1; node <= 4; node++) {
                String memory = node <= 2 ? "2000" : "6000";
                oar().query("oarnodesetting", "-h", "127.0.1." + node, "-p", "memnode=" + memory);
            }
            workflow("""
                    name: unequal
                    tasks:
                      large: {run: 'echo $SHEAF_NODE_NAME >> begun', memory: 3G, time: 10s}
                    """);
            assertThat(run.await(run.start("--on", "oar", "--strategy", "onejob")))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(run.lines("begun").get(0)).matches("127\\.0\\.1\\.[34]");
            assertThat(Files.readString(run.folder().resolve("run/oar/1/script")))
                    .contains("memnode >= 3328");
            workflow("name: huge\ntasks:\n  big: {run: 'true', memory: 8G, time: 20s}\n");
            assertThat(run.await(run.sheaf("run", "workflow.yaml", "--run-dir", "other", "--on", "oar")))
                    .isEqualTo(3);
            assertThat(run.errorOutput())
                    .contains("task 'big' needs 8G of memory on a node; the largest node has 5744M");
        } finally {
            oar().query("oarproperty", "-d", "memnode");
        }
        assertNothingLeft();
    }

    @Test
    void jobsAboveTheUserLimitAreSubmittedLater() throws IOException, InterruptedException {
        oar().rule("""
                my $there = $dbh->do("SELECT job_id FROM jobs WHERE job_user = '$user' AND state NOT IN ('Terminated', 'Error')");
                die("[ADMISSION RULE] Error: you cannot have more than 1 jobs.\\n") if ($there >= 1);
                """);
        try {
            workflow("name: two\ntasks:\n  a: {foreach: {p: 1..2}, run: 'echo {p} >> begun', time: 10s}\n");
            assertThat(run.await(run.start("--on", "oar", "--strategy", "onejobpertask", "--queue-interval", "3s")))
                    .as(run.errorOutput())
                    .isZero();
        } finally {
            oar().rule(null);
        }
        assertThat(run.errorOutput()).contains("OAR accepts no more jobs now", "more than 1 jobs");
        assertThat(run.lines("begun")).containsExactlyInAnyOrder("1", "2");
        assertNothingLeft();
    }

    @Test
    void aTaskOverTwoNodesGetsTheirNames() throws IOException, InterruptedException {
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
        assertThat(run.await(run.start("--on", "oar"))).as(run.errorOutput()).isZero();
        List<String> names = Files.readAllLines(folder.resolve("names"));
        assertThat(names).hasSize(2).doesNotHaveDuplicates().allMatch(name -> name.matches("127\\.0\\.1\\.[1-4]"));
        assertNothingLeft();
    }

    @Test
    void doctorChecksTheClusterAndANode() throws IOException, InterruptedException {
        assertThat(run.await(run.sheaf("doctor", "--on", "oar", "--no-json")))
                .as(run.errorOutput())
                .isZero();
        assertThat(Files.readString(folder.resolve("out.txt")))
                .containsPattern("good +OAR +2\\.5")
                .containsPattern("good +nodes +4 of 2 cores")
                .containsPattern("good +Java on ");
        assertNothingLeft();
    }
}
