package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
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

/** Tests cores, memory and typed GPUs on a real Slurm with unequal nodes that allocates memory. */
@Tag("slow")
class SlurmResourcesIT {
    private static final int TIMEOUT_SECONDS = 180;

    /** n1 and n3 have 4 cores, 2000 MiB and a GPU of type old, n2 and n4 8 cores, 6000 MiB and a part of a GPU. */
    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4)
            .nodesOf(4, 1)
            .unequal("2000,6000", "old,1g.5gb")
            .unequal("4,8")
            .conf("SelectTypeParameters=CR_Core_Memory", "DefMemPerCPU=100"));

    @TempDir
    Path folder = Path.of("");

    private Finished run(String workflow, String... options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), workflow);
        Map<String, String> environment = new HashMap<>(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString(), "run", "workflow.yaml", "--on", "slurm"));
        line.addAll(List.of(options));
        if (!line.contains("--run-dir")) {
            line.addAll(List.of("--run-dir", "run"));
        }
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    @Test
    void jobsRequestResourcesAndTasksRunOnMatchingNodes() throws IOException, InterruptedException {
        Finished run = run("""
                name: unequal
                tasks:
                  large: {run: 'echo $SLURMD_NODENAME > large.txt', memory: 3G, time: 2s}
                  typed: {run: 'echo $SLURMD_NODENAME > typed.txt', gpus: 'old:1', memory: 500M, after: large, time: 2s}
                """, "--strategy", "onejobpertask");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(folder.resolve("large.txt"))).matches("n[24]\n");
        assertThat(Files.readString(folder.resolve("typed.txt"))).matches("n[13]\n");
        assertThat(Files.readString(folder.resolve("run/slurm/1/script"))).contains("--mem=3328M");
        assertThat(Files.readString(folder.resolve("run/slurm/2/script"))).contains("--mem=756M", "--gres=gpu:old:1");
    }

    /** Two of four nodes have 3 GiB: estimates are for those, and no plan requests more than two nodes. */
    @Test
    void estimatesAndPlansCountTheMemoryOfEachNode() throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        String blocker = SLURM.get()
                .query(
                        "sbatch",
                        "--parsable",
                        "-w",
                        "n2",
                        "-c",
                        "1",
                        "--mem=5000",
                        "-t",
                        "10",
                        "-o",
                        "/dev/null",
                        "--wrap",
                        "sleep 300")
                .strip();
        try {
            Await.until(
                    "the blocking job runs",
                    () -> SLURM.get().query("squeue", "-h", "-o", "%T").contains("RUNNING"));
            for (String[] job : new String[][] {
                {"1", "3G", "0"}, {"2", "3G", "later"}, {"3", "1G", "0"}, {"3", "3G", "never"}, {"1", "7G", "never"}
            }) {
                Finished result = Finished.run(
                        folder,
                        environment,
                        TIMEOUT_SECONDS,
                        List.of(
                                RealRun.BUILT.toString(),
                                "predict",
                                "--on",
                                "slurm",
                                "--nodes",
                                job[0],
                                "--time",
                                "5m",
                                "--mem",
                                job[1],
                                "--json"));
                assertThat(result.status()).as(result.err()).isZero();
                String engine = result.out()
                        .substring(
                                result.out().indexOf("\"engine\""), result.out().indexOf("\"corrected\""));
                String wait = engine.replaceAll("(?s).*\"waitSeconds\" : ([0-9.]+|null).*", "$1");
                String answer = wait.equals("null") ? "never" : Double.parseDouble(wait) < 1 ? "0" : "later";
                assertThat(answer)
                        .as(job[0] + " nodes with " + job[1] + ": " + engine)
                        .isEqualTo(job[2]);
            }
        } finally {
            SLURM.get().query("scancel", blocker);
        }
        Finished run = run("""
                name: wide
                tasks:
                  large: {foreach: {i: 1..6}, run: 'echo $SLURMD_NODENAME >> large.txt; sleep 1', memory: 3G, time: 10s}
                """, "--strategy", "onejob");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("large.txt"))).hasSize(6).allMatch(node -> node.matches("n[24]"));
        // Before the first queue snapshot, a job of three nodes may be submitted and rejected.
        Path last = folder.resolve("run/slurm/2/script");
        Path script = Files.exists(last) ? last : folder.resolve("run/slurm/1/script");
        assertThat(Files.readString(script)).containsPattern("--nodes=[12] ");
    }

    /** Three tasks of 1500 MiB fit in 6000 − 256 MiB, although the node has more cores. */
    @Test
    void aNodeRunsOnlyTasksThatFitItsMemory() throws IOException, InterruptedException {
        Finished run = run("""
                name: packed
                vars: {n: 1..6}
                tasks:
                  part:
                    foreach: {i: n}
                    memory: 1500M
                    time: 2s
                    run: 'echo + >> log; sleep 1; echo - >> log'
                """, "--strategy", "onejob", "--nodes", "1");
        assertThat(run.status()).as(run.err()).isZero();
        int running = 0;
        int maximum = 0;
        for (String line : Files.readAllLines(folder.resolve("log"))) {
            running += line.equals("+") ? 1 : -1;
            maximum = Math.max(maximum, running);
        }
        assertThat(maximum).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("run/slurm/1/script"))).contains("--mem=6000M");
    }

    /**
     * No job waits for larger nodes than its tasks need. Tasks that need larger nodes or a named part of a GPU get
     * them.
     */
    @Test
    void tasksThatNeedLargerNodesGetThem() throws IOException, InterruptedException {
        Finished run = run("""
                name: cores
                tasks:
                  wide: {run: 'echo $SLURMD_NODENAME $SHEAF_CPUS > wide.txt', cores: 8, time: 2s}
                  part: {run: 'echo $SLURMD_NODENAME > part.txt', gpus: '1g.5gb:1', after: wide, time: 2s}
                  small: {run: 'echo $SLURMD_NODENAME > small.txt', after: part, time: 2s}
                """, "--strategy", "onejobpertask");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(folder.resolve("wide.txt"))).matches("n[24] 8\n");
        assertThat(Files.readString(folder.resolve("part.txt"))).matches("n[24]\n");
        assertThat(Files.readString(folder.resolve("run/slurm/1/script"))).contains("--cpus-per-task=8");
        assertThat(Files.readString(folder.resolve("run/slurm/2/script"))).contains("--gres=gpu:1g.5gb:1");
        assertThat(Files.readString(folder.resolve("run/slurm/3/script"))).contains("--cpus-per-task=4");
    }

    /**
     * Four tasks share the cores of one or both large nodes; each gets enough cores to end within the walltime limit of
     * two minutes.
     */
    @Test
    void coresOfMoldableTasksAreChosenOnSlurm() throws IOException, InterruptedException {
        Finished run = run("""
                name: moldable
                tasks:
                  wide: {foreach: {i: 1..4}, time: {1: 10m, 2: 30s, 4: 20s}, run: 'echo $SHEAF_CPUS {cores} >> wide.txt; sleep 1'}
                  single: {after: wide, time: {1: 10m, 4: 20s, 8: 15s}, run: 'echo $SHEAF_CPUS {cores} > single.txt'}
                """, "--max-time", "2m");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("wide.txt"))).hasSize(4).allMatch(line -> line.matches("2 2|4 4"));
        assertThat(Files.readString(folder.resolve("single.txt"))).matches("4 4\n|8 8\n");
        Finished plan = run("""
                name: moldable
                tasks:
                  only: {time: {1: 10m, 4: 20s}, run: 'true'}
                """, "--max-time", "2m", "--dry-run");
        assertThat(plan.out()).as(plan.err()).contains("cores of moldable tasks with auto: 1 × only on 4 cores");
    }

    /**
     * No node has both kinds of GPUs: jobs for different nodes share the workflow, and none keeps its nodes for a task
     * that waits for other nodes.
     */
    @Test
    void tasksForDifferentNodesShareARun() throws IOException, InterruptedException {
        for (String strategy : List.of("auto", "onejob", "glume")) {
            Finished run = run("""
                    name: kinds-%s
                    tasks:
                      whole: {run: 'echo $SLURMD_NODENAME > whole.txt', gpus: 'old:1', time: 10m}
                      part: {run: 'echo $SLURMD_NODENAME > part.txt', gpus: '1g.5gb:1', time: 2s}
                      both: {run: 'cat whole.txt part.txt', memory: 4G, after: [whole, part], time: 2s}
                      last: {run: 'echo $SLURMD_NODENAME > last.txt', gpus: 'old:1', after: both, time: 2s}
                    """.formatted(strategy), "--strategy", strategy, "--run-dir", "run-" + strategy);
            assertThat(run.status()).as(run.err()).isZero();
            assertThat(Files.readString(folder.resolve("whole.txt"))).matches("n[13]\n");
            assertThat(Files.readString(folder.resolve("part.txt"))).matches("n[24]\n");
            assertThat(Files.readString(folder.resolve("last.txt"))).matches("n[13]\n");
        }
        Finished history = Finished.run(
                folder,
                Map.of("SHEAF_STATE", folder.resolve("state").toString(), "JAVA_HOME", System.getProperty("java.home")),
                TIMEOUT_SECONDS,
                List.of(RealRun.BUILT.toString(), "history", "run-auto", "run-onejob"));
        assertThat(history.status()).as(history.err()).isZero();
    }

    /** Tasks that need eight cores run on the larger nodes, while jobs for other tasks are submitted, too. */
    @Test
    void autoRunsTasksWhereTheyFit() throws IOException, InterruptedException {
        Finished run = run("""
                name: mixed
                tasks:
                  large: {foreach: {i: 1..2}, run: 'echo $SLURMD_NODENAME >> large.txt; sleep 8', cores: 8, time: 10s}
                  small: {foreach: {i: 1..4}, run: 'echo $SLURMD_NODENAME >> small.txt; sleep 8', cores: 4, time: 10s}
                """);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("large.txt"))).hasSize(2).allMatch(node -> node.matches("n[24]"));
        assertThat(Files.readAllLines(folder.resolve("small.txt"))).hasSize(4);
    }

    @Test
    void resourcesThatNoNodeHasAreRefused() throws IOException, InterruptedException {
        Finished large = run("tasks: {big: {run: 'true', memory: 6G, time: 2s}}");
        assertThat(large.status()).isEqualTo(3);
        assertThat(large.err())
                .contains("workflow.yaml:1:9: task 'big' needs 6G of memory on a node; the largest node has 5744M");
        Finished typed = run("tasks: {odd: {run: 'true', gpus: 'h100:1', time: 2s}}");
        assertThat(typed.status()).isEqualTo(3);
        assertThat(typed.err()).contains("task 'odd' needs 1 of 'gpu:h100' on a node; the largest node has 0");
        Finished both = run("tasks: {odd: {run: 'true', memory: 3G, gpus: 'old:1', time: 2s}}");
        assertThat(both.status()).isEqualTo(3);
        assertThat(both.err())
                .contains("task 'odd' needs 3G of memory, 1 cores and old:1 GPUs on a node; no node has all of these");
        Finished cores = run("tasks: {odd: {run: 'true', cores: 9, time: 2s}}");
        assertThat(cores.err()).contains("task 'odd' needs 9 cores on a node; the largest node has 8");
        Finished named = run("tasks: {odd: {run: 'true', resources: {licence: 1}, time: 2s}}");
        assertThat(named.status()).isEqualTo(3);
        assertThat(named.err())
                .contains("task 'odd' needs 'licence', which has no limit. Set --run-resource licence=N");
    }
}
