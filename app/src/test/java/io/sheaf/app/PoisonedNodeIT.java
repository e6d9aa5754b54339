package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
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
import org.junit.jupiter.api.io.TempDir;

/** Runs on a real Slurm with a node on which tasks or agents fail. */
@Tag("slow")
class PoisonedNodeIT {
    private static final int TIMEOUT_SECONDS = 100;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4).nodesOf(2, 0));

    @TempDir
    Path folder = Path.of("");

    private Finished sheaf(String... words) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    private Finished run(String workflow, String... options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), workflow);
        List<String> line = new ArrayList<>(
                List.of("run", "workflow.yaml", "--on", "slurm", "--run-dir", "run", "--queue-interval", "2s"));
        line.addAll(List.of(options));
        return sheaf(line.toArray(String[]::new));
    }

    /** The folder for temporary files of n2 is full: writing there fails as on a full disk. */
    @Test
    void aNodeWithAFullDiskIsAvoided() throws IOException, InterruptedException {
        for (String node : List.of("n1", "n2", "n3", "n4")) {
            Path tmp = Files.createDirectories(folder.resolve("tmp/" + node));
            if (node.equals("n2")) {
                Files.createSymbolicLink(tmp.resolve("scratch"), Path.of("/dev/full"));
            }
        }
        Finished run = run("""
                name: scratch
                tasks:
                  part:
                    foreach: {i: 1..60}
                    time: 1s
                    run: 'echo $SLURMD_NODENAME >> tried; echo {i} > tmp/$SLURMD_NODENAME/scratch; sleep 0.3; echo {i} >> done'
                """, "--strategy", "onejob", "--nodes", "4");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("done"))).hasSize(60).doesNotHaveDuplicates();
        assertThat(run.err())
                .contains("node n2 is excluded for a day: ")
                .contains("tasks failed on it and succeeded on other nodes; 0 succeeded on it");
        assertThat(Files.readAllLines(folder.resolve("tried")).stream().filter("n2"::equals))
                .as("attempts on n2")
                .hasSizeLessThan(12);
        Finished status = sheaf("status", "run");
        assertThat(status.out()).containsPattern("avoided node +n2 for ");
        assertThat(sheaf("status", "run", "--json").out())
                .contains("\"avoidedNodes\"")
                .contains("\"n2\"");
        assertThat(sheaf("explain", "run").out()).containsPattern("avoided node +n2 for ");
    }

    /** A program is missing on n2; with a pilot job for each task, later jobs exclude the node. */
    @Test
    void jobsExcludeANodeWithoutTheProgram() throws IOException, InterruptedException {
        for (String node : List.of("n1", "n3", "n4")) {
            Path tool = Files.createDirectories(folder.resolve("bin/" + node)).resolve("tool");
            Files.writeString(tool, "#!/bin/sh\nsleep 1; echo $1 >> done\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
        }
        Finished run = run("""
                name: tool
                tasks:
                  part:
                    foreach: {i: 1..24}
                    time: 1s
                    run: 'bin/$SLURMD_NODENAME/tool {i}'
                """, "--strategy", "onejobpertask", "--cap", "4");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("done"))).hasSize(24).doesNotHaveDuplicates();
        assertThat(scripts()).anyMatch(script -> script.contains("--exclude=n2"));
    }

    /** An error of the user fails everywhere: no node is excluded, and the run fails at once. */
    @Test
    void anErrorOfTheUserExcludesNoNode() throws IOException, InterruptedException {
        Finished run = run("""
                name: wrong
                tasks:
                  part:
                    foreach: {i: 1..40}
                    time: 1s
                    retries: 2
                    run: 'echo $SLURMD_NODENAME >> tried; false'
                """, "--strategy", "onejob", "--nodes", "4");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).doesNotContain("is excluded");
        assertThat(sheaf("status", "run", "--json").out()).contains("\"avoidedNodes\" : [ ]");
    }

    /** Agents on n1 do not start. Jobs of one node start there, because it is the first node. */
    @Test
    void aNodeFromWhichNoAgentConnectsIsExcluded() throws IOException, InterruptedException {
        Path prolog = folder.resolve("prolog");
        Files.writeString(prolog, """
                #!/bin/sh
                [ "$SLURMD_NODENAME" != n1 ] || echo export JAVA_TOOL_OPTIONS=-Xbroken
                """);
        assertThat(prolog.toFile().setExecutable(true, false)).isTrue();
        Path conf = SLURM.get().folder().resolve("slurm.conf");
        String before = Files.readString(conf);
        Files.writeString(conf, "TaskProlog=" + prolog + "\n" + before);
        SLURM.get().query("scontrol", "reconfigure");
        try {
            Finished run = run(
                    "{name: silent, tasks: {one: {run: 'echo $SLURMD_NODENAME > where', time: 1s}}}",
                    "--strategy",
                    "onejob");
            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.err()).contains("node n1 is excluded for a day: no agent connected from it in 2 pilot jobs");
            assertThat(Files.readString(folder.resolve("where"))).matches("n[234]\n");
            assertThat(scripts()).anyMatch(script -> script.contains("--exclude=n1"));
        } finally {
            Files.writeString(conf, before);
            SLURM.get().query("scontrol", "reconfigure");
        }
    }

    private List<String> scripts() throws IOException {
        List<String> all = new ArrayList<>();
        try (var jobs = Files.list(folder.resolve("run/slurm"))) {
            for (Path job : jobs.toList()) {
                all.add(Files.readString(job.resolve("script")));
            }
        }
        return all;
    }
}
