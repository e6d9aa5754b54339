package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a real Slurm with partitions of different limits and loads, one of which shares nodes with both others. */
@Tag("slow")
class SlurmPoolsIT {
    @TempDir
    static Path agentFiles = Path.of("");

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(
            RealSlurm.SlurmShape.of(6)
                    .conf(
                            "PartitionName=left Nodes=n[1-3] Default=YES MaxTime=60 State=UP",
                            "PartitionName=right Nodes=n[4-6] MaxTime=120 MaxNodes=2 State=UP",
                            "PartitionName=wide Nodes=n[2-5] MaxTime=10 State=UP TRESBillingWeights=CPU=2",
                            "PartitionName=closed Nodes=n[1-6] MaxTime=600 State=UP RootOnly=YES",
                            "PartitionName=down Nodes=n[1-6] MaxTime=600 State=DOWN"),
            made -> {});

    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    private static SlurmCommands commands() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(slurm().environment());
        return new SlurmCommands(Reach.here(environment));
    }

    @Test
    void poolsAreThePartitionsThatAUserMayUse() throws Exception {
        Pools pools = commands().pools(List.of(), 1, true);
        assertThat(pools.all().stream().map(Pool::name)).containsExactly("left", "right", "wide");
        assertThat(pools.pool(1).limits().walltime()).isEqualTo(60 * 60_000);
        assertThat(pools.pool(2).limits().units()).isEqualTo(2);
        assertThat(pools.pool(3).size()).isEqualTo(4);
        assertThat(pools.nodes()).as("shared nodes count once").isEqualTo(6);
        assertThat(pools.maxNodes()).isEqualTo(4);
        assertThat(commands().pools(List.of("--partition=right,left"), 1, true).all().stream()
                        .map(Pool::name))
                .containsExactly("left", "right");
        assertThat(commands().pools(List.of("--partition=right"), 1, true).count())
                .as("a single partition needs no pools")
                .isZero();
    }

    /**
     * Left is full for a while, and so are the nodes that wide shares with it: the first job goes to the pool that
     * starts first.
     */
    @Test
    void theRunUsesThePartitionThatStartsFirst() throws Exception {
        slurm().job(3, 40, "-p", "left");
        slurm().job(1, 40, "-p", "right");
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 4, "0.2");
        assertThat(runs.await(runs.start("auto", 8))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
        List<String> scripts = scripts();
        assertThat(scripts).isNotEmpty().allMatch(script -> script.contains("--partition="));
        assertThat(partitions(scripts)).as("left is busy for 40 seconds").isSubsetOf("right", "wide");
        for (String script : scripts) {
            int nodes = Integer.parseInt(script.replaceAll("(?s).*--nodes=([0-9]+).*", "$1"));
            int minutes = Integer.parseInt(script.replaceAll("(?s).*--time=([0-9]+).*", "$1"));
            boolean right = script.contains("--partition=right");
            assertThat(nodes).isLessThanOrEqualTo(right ? 2 : 4);
            assertThat(minutes).isLessThanOrEqualTo(right ? 120 : 10);
        }
    }

    private List<String> scripts() throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("run").resolve("slurm"))) {
            return files.filter(file -> file.getFileName().toString().equals("script"))
                    .map(file -> {
                        try {
                            return Files.readString(file).lines().limit(3).reduce("", String::concat);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList();
        }
    }

    private static Set<String> partitions(List<String> scripts) {
        Set<String> partitions = new TreeSet<>();
        scripts.forEach(script -> partitions.add(script.replaceAll("(?s).*--partition=([a-z]+).*", "$1")));
        return partitions;
    }
}
