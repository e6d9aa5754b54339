package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.TestGridEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The built command on a real Grid Engine: complete, killed and cancelled runs, lost replies, and limits. */
@Tag("slow")
class GridEngineIT extends RunsOnACluster {
    @RegisterExtension
    static final TestGridEngine CLUSTER = TestGridEngine.of(4);

    @Override
    Map<String, String> environment() {
        return CLUSTER.get().environment();
    }

    @Override
    String queue() {
        return CLUSTER.get().query("qstat");
    }

    @Override
    List<String> on(String... words) {
        List<String> line = new ArrayList<>(List.of("--on", "gridengine"));
        line.addAll(List.of(words));
        line.addAll(List.of("--", "-pe", "any"));
        return line;
    }

    /**
     * The first reply is lost, as if qmaster had been too busy, but the job is submitted. It is held for a while, so
     * that no agent can report it.
     */
    @Test
    void aJobIsNotSubmittedTwiceAfterALostReply() throws IOException, InterruptedException {
        Path commands = Files.createDirectory(folder.resolve("bin"));
        Path qsub = Files.writeString(commands.resolve("qsub"), """
                #!/bin/bash
                echo x >> '%1$s/submitted'
                [ $(wc -l < '%1$s/submitted') -eq 1 ] || exec /usr/bin/qsub "$@"
                /usr/bin/qsub -h "$@" > '%1$s/reply'
                (sleep 20; qrls "$(cat '%1$s/reply')") < /dev/null > /dev/null 2>&1 &
                echo 'error: commlib error: got read error (closing "localhost/qmaster/1")' >&2
                exit 1
                """.formatted(folder));
        assertThat(qsub.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = new HashMap<>(CLUSTER.get().environment());
        environment.put("PATH", commands + ":" + System.getenv("PATH"));
        run = new RealRun(folder, environment);
        workflow("name: one\ntasks:\n  a: {run: 'echo a >> begun', time: 10s}\n");
        assertThat(run.await(run.start("--on", "gridengine", "--strategy", "onejob", "--queue-interval", "2s")))
                .as(run.errorOutput())
                .isZero();
        assertThat(run.errorOutput()).contains("Grid Engine does not answer (qsub:", "was identified as pilot job 1");
        assertThat(run.lines("submitted")).hasSize(1);
        assertThat(run.lines("begun")).hasSize(1);
        assertNothingLeft();
    }

    /** The limit is one job per user; the second job is submitted when the first has ended. */
    @Test
    void jobsAboveTheUserLimitAreSubmittedLater() throws IOException, InterruptedException {
        Path conf = Files.writeString(
                folder.resolve("global"),
                CLUSTER.get().query("qconf", "-sconf").replaceAll("(?m)^#.*\n|^max_u_jobs .*$", "")
                        + "\nmax_u_jobs 1\n");
        CLUSTER.get().query("qconf", "-Mconf", conf.toString());
        try {
            workflow("""
                    name: two
                    tasks:
                      a: {foreach: {p: 1..2}, run: 'echo {p} >> begun; sleep 1', time: 20s}
                    """);
            assertThat(run.await(run.start("--on", "gridengine", "--strategy", "individual", "--queue-interval", "2s")))
                    .as(run.errorOutput())
                    .isZero();
        } finally {
            Files.writeString(conf, Files.readString(conf).replace("max_u_jobs 1\n", "max_u_jobs 0\n"));
            CLUSTER.get().query("qconf", "-Mconf", conf.toString());
        }
        assertThat(run.errorOutput()).contains("Grid Engine accepts no more jobs now");
        assertThat(run.lines("begun")).hasSize(2);
        assertNothingLeft();
    }

    /**
     * The host has 6 GiB of h_vmem, which also limits the address space: two of four nodes of 1500 MiB and an agent fit
     * at a time.
     */
    @Test
    void jobsRequestTheSitesConsumableMemory() throws IOException, InterruptedException {
        String complexes = CLUSTER.get().query("qconf", "-sc");
        Path before = Files.writeString(folder.resolve("before"), complexes + "\n");
        Path consumable = Files.writeString(
                folder.resolve("counted"),
                complexes.replaceAll("(?m)^h_vmem .*$", "h_vmem h_vmem MEMORY <= YES YES 0 0") + "\n");
        String host = CLUSTER.get().query("qconf", "-sel").strip();
        CLUSTER.get().query("qconf", "-Mc", consumable.toString());
        CLUSTER.get().query("qconf", "-mattr", "exechost", "complex_values", "h_vmem=6G", host);
        List<String> line = List.of("--on", "gridengine", "--strategy", "onejob", "--queue-interval", "2s");
        List<String> options = new ArrayList<>(line);
        options.addAll(List.of("--", "-pe", "host"));
        try {
            workflow("""
                    name: memory
                    tasks:
                      a: {foreach: {p: 1..4}, run: 'echo {p} >> begun', memory: 1500M, time: 20s}
                    """);
            assertThat(run.await(run.start(options.toArray(String[]::new))))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(run.lines("begun")).hasSize(4);
            // Before the queue is known, a job of four nodes may be refused.
            Path last = run.folder().resolve("run/gridengine/2/script");
            Path script = Files.exists(last) ? last : run.folder().resolve("run/gridengine/1/script");
            assertThat(Files.readString(script)).containsPattern("h_vmem=2524M -pe host [12] ");
            workflow("name: large\ntasks:\n  big: {run: 'true', memory: 8G, time: 20s}\n");
            options.addAll(0, List.of("run", "workflow.yaml", "--run-dir", "other"));
            assertThat(run.await(run.sheaf(options.toArray(String[]::new)))).isEqualTo(3);
            assertThat(run.errorOutput())
                    .contains("task 'big' needs 8G of memory on a node; the largest node has 5888M");
        } finally {
            CLUSTER.get().query("qconf", "-dattr", "exechost", "complex_values", "h_vmem", host);
            CLUSTER.get().query("qconf", "-Mc", before.toString());
        }
        assertNothingLeft();
    }

    @Test
    void doctorChecksTheClusterAndAHost() throws IOException, InterruptedException {
        assertThat(run.await(run.sheaf("doctor", "--on", "gridengine", "--no-json", "--", "-pe", "two")))
                .as(run.errorOutput())
                .isZero();
        assertThat(Files.readString(folder.resolve("out.txt")))
                .containsPattern("good +Grid Engine +SGE 8\\.1")
                .containsPattern("good +slots +two: 2 nodes of 2 slots")
                .containsPattern("good +Java on ");
        assertNothingLeft();
    }
}
