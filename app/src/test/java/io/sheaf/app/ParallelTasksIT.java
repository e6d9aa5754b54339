package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.DebianPackages;
import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MPI tasks over several nodes, and tasks with GPUs, on the embedded cluster and on a real Slurm. */
@Tag("slow")
class ParallelTasksIT {
    private static final int TIMEOUT_SECONDS = 180;

    /** Adds up the ranks, counted from 1. */
    private static final String HELLO = """
            #include <mpi.h>
            #include <stdio.h>
            int main(int argc, char **argv) {
                int rank, size, mine, sum;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_size(MPI_COMM_WORLD, &size);
                mine = rank + 1;
                MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
                printf("rank %d of %d, sum %d\\n", rank, size, sum);
                MPI_Finalize();
                return 0;
            }
            """;

    /** Tests run as root, and all nodes are this machine, so ranks on different nodes must not use shared memory. */
    private static final String MPI = """
            name: mpi
            tasks:
              build: {in: hello.c, out: hello, run: 'mpicc hello.c -o hello', time: 10s}
              hello:
                nodes: 2
                cores: 2
                time: 20s
                in: hello
                out: [hello.txt, nodes.txt]
                env: {OMPI_ALLOW_RUN_AS_ROOT: 1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: 1, OMPI_MCA_btl: 'tcp,self', OMPI_MCA_btl_tcp_if_include: lo}
                run: |
                  echo $SHEAF_NODES > nodes.txt
                  LAUNCH ./hello > hello.txt
            """;

    /** Each task writes its GPU to a file when it starts and when it ends. */
    private static final String GPUS = """
            name: gpus
            tasks:
              one:
                foreach: {i: 1..5}
                gpus: 1
                time: 2s
                run: 'echo + $CUDA_VISIBLE_DEVICES $ROCR_VISIBLE_DEVICES >> log.txt; sleep 1; echo - $SHEAF_GPUS >> log.txt'
              none:
                after: one
                time: 1s
                run: 'echo [$CUDA_VISIBLE_DEVICES] >> log.txt'
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    private Finished run(String yaml, String... options) throws IOException, InterruptedException {
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Files.writeString(folder.resolve("w.yaml"), yaml);
        Files.writeString(folder.resolve("hello.c"), HELLO);
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString(), "run", "w.yaml", "--run-dir", "run"));
        line.addAll(List.of(options));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    private void assertHello(Finished run, String nodes) throws IOException {
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(new TreeSet<>(Files.readAllLines(folder.resolve("hello.txt"))))
                .containsExactly(
                        "rank 0 of 4, sum 10", "rank 1 of 4, sum 10", "rank 2 of 4, sum 10", "rank 3 of 4, sum 10");
        assertThat(Files.readString(folder.resolve("nodes.txt"))).matches(nodes + "\n");
    }

    /** At most two GPUs are allocated at a time, each to one task. */
    private void assertGpus(Finished run) throws IOException {
        assertThat(run.status()).as(run.err()).isZero();
        TreeSet<String> allocated = new TreeSet<>();
        int count = 0;
        List<String> lines = Files.readAllLines(folder.resolve("log.txt"));
        for (String line : lines) {
            if (line.startsWith("+")) {
                count++;
                assertThat(line).matches("\\+ ([01]) \\1");
                assertThat(allocated.add(line.substring(2, 3)))
                        .as("%s in %s", line, lines)
                        .isTrue();
            } else if (line.startsWith("-")) {
                assertThat(allocated.remove(line.substring(2))).isTrue();
            }
        }
        assertThat(count).isEqualTo(5);
        assertThat(lines.get(lines.size() - 1)).isEqualTo("[]");
    }

    @Test
    void anMpiTaskRunsOverTwoVirtualNodes() throws IOException, InterruptedException {
        DebianPackages.require("mpicc:mpi.h", "openmpi-bin", "libopenmpi-dev", "gcc", "libc6-dev");
        Finished run = run(MPI.replace("LAUNCH", "mpirun --oversubscribe -np 4"), "--cores-per-node", "2");
        assertHello(run, "([^,]+),\\1");
    }

    @Test
    void gpusOfVirtualNodesAreAllocated() throws IOException, InterruptedException {
        assertThat(run(GPUS, "--nodes", "1", "--cores-per-node", "4").err()).contains("--gpus-per-node 1");
        assertGpus(run(GPUS, "--nodes", "1", "--cores-per-node", "4", "--gpus-per-node", "2"));
    }

    @Test
    void mpiAndGpuTasksRunOnSlurm() throws IOException, InterruptedException {
        DebianPackages.require("mpicc:mpi.h", "openmpi-bin", "libopenmpi-dev", "gcc", "libc6-dev");
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 2))) {
            environment.putAll(slurm.environment());
            // A single job, because GPUs of two jobs would have the same numbers.
            assertGpus(run(GPUS, "--on", "slurm", "--nodes", "1", "--gpus-per-node", "2", "--strategy", "onejob"));
            assertThat(Files.readString(folder.resolve("run/slurm/1/script"))).contains("--gres=gpu:2");
            Files.move(folder.resolve("run"), folder.resolve("first"));
            Assumptions.assumeTrue(
                    slurm.run("srun", "--mpi=list").text().contains("pmix"),
                    "Debian built this Slurm without PMIx, and its Open MPI has no other interface to srun");
            String srun = "srun --overlap --mpi=pmix -w $SHEAF_NODES -N 2 -n 4 -c 1";
            assertHello(run(MPI.replace("LAUNCH", srun), "--on", "slurm"), "n1,n2");
        }
    }
}
