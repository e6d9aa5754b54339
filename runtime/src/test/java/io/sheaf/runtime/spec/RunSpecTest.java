package io.sheaf.runtime.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSpecTest {
    @TempDir
    Path folder = Path.of("");

    private static RunSpec spec() {
        return new RunSpecBuilder("id", "name", Path.of("/work"), "glume")
                .fileEdges(true)
                .nodes(4, 2)
                .background("", 7)
                .keepGoing(true)
                .on(new Placement("slurm", List.of("--partition=main")))
                .build();
    }

    /** The text as releases without a checksum wrote it. */
    private static String earlier(RunSpec spec) {
        return spec.text().replace("\"version\":3", "\"version\":2").replaceAll(",\"checksum\":\"[^\"]*\"", "");
    }

    private RunSpec read(String text) throws IOException {
        return RunSpec.read(Files.writeString(folder.resolve("run.json"), text));
    }

    @Test
    void aSpecificationIsReadBack() throws IOException {
        assertThat(read(spec().text())).isEqualTo(spec());
        RunSpec history = new RunSpecBuilder(spec())
                .times(new ExpectedRunTimes.HistoryRule(true, 0.75))
                .build();
        assertThat(read(history.text())).isEqualTo(history).isNotEqualTo(spec());
        RunSpec queue = new RunSpecBuilder(spec()).ample(true).hold(300_000).build();
        assertThat(read(queue.text())).isEqualTo(queue).isNotEqualTo(spec());
        assertThat(queue.at("/elsewhere").hold()).isEqualTo(300_000);
        RunSpec limited =
                new RunSpecBuilder(spec()).limits(new JobLimits(3, 600_000)).build();
        assertThat(read(limited.text())).isEqualTo(limited).isNotEqualTo(spec());
        Site alpha = new Site("alpha", "slurm", List.of("ssh", "a b"), "me", List.of("--qos=x"), 4, 1, 2.5, null);
        Site beta = new Site("beta", "local", List.of(), "", List.of(), 3, 2, 1, null);
        Site.Staging staging = new Site.Staging("/data", List.of("cp", "{from}", "{to}"), List.of("x y"), "", "h:1");
        Site gamma = new Site("gamma", "oar", List.of(), "", List.of(), 4, 1, 1, staging);
        RunSpec spread = new RunSpecBuilder(spec())
                .on(Placement.of(List.of(alpha, beta, gamma)))
                .build();
        assertThat(read(spread.text())).isEqualTo(spread);
        assertThat(spread.where().system()).isEqualTo("alpha,beta,gamma");
        assertThat(spread.where().isStaged()).isTrue();
    }

    /** Ten minutes with a reserve of 13 s offer tasks 587 s; a minute must be left. */
    @Test
    void theReserveIsPartOfTheLimit() {
        RunSpec limited =
                new RunSpecBuilder(spec()).limits(new JobLimits(3, 600_000)).build();
        assertThat(limited.offered(13_000)).isEqualTo(new JobLimits(3, 587_000));
        assertThat(spec().offered(13_000)).isEqualTo(JobLimits.NONE);
        assertThatThrownBy(() -> limited.offered(540_001))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("at most 10m");
    }

    @Test
    void runsOfEarlierReleasesHaveNoLimits() throws IOException {
        RunSpec limited =
                new RunSpecBuilder(spec()).limits(new JobLimits(3, 600_000)).build();
        assertThat(read(earlier(limited).replaceAll(",\"max(Time|Nodes)\":[^,]*", "")))
                .isEqualTo(spec());
    }

    /** Journals of earlier releases are read as they were written: without held jobs, and with expected times. */
    @Test
    void queuesOfEarlierReleasesHaveNoAmpleOrHoldSetting() throws IOException {
        RunSpec queue = new RunSpecBuilder(spec()).ample(true).hold(300_000).build();
        assertThat(read(earlier(queue).replaceAll(",\"(ample|hold)\":[^,]*", "")))
                .isEqualTo(spec());
    }

    @Test
    void runsOfEarlierReleasesHaveNoRuleForRunTimes() throws IOException {
        String without = earlier(spec()).replaceAll(",\"time[A-Za-z]*\":[^,]*", "");
        assertThat(without).doesNotContain("uantile");
        assertThat(read(without)).isEqualTo(spec());
    }

    /** A folder of another user may contain anything: a pipe without a writer, or a file of zeros that needs no disk space. */
    @Test
    void pipesAndGiantFilesAreRefused() throws IOException, InterruptedException {
        Path file = folder.resolve("run.json");
        try (RandomAccessFile giant = new RandomAccessFile(file.toFile(), "rw")) {
            giant.setLength(10L << 30);
        }
        assertThatThrownBy(() -> RunSpec.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("damaged: ");
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> assertThatThrownBy(() -> RunSpec.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("damaged: "));
    }

    /** A damaged file is reported as bad input wherever the damage is, and never read as another specification. */
    @Test
    void flippedBitsAreDetectedInEveryByte() throws IOException {
        byte[] intact = spec().text().getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("run.json");
        for (int i = 0; i < intact.length; i++) {
            for (int bit : new int[] {0, 2, 5, 7}) {
                byte[] damaged = intact.clone();
                damaged[i] ^= (byte) (1 << bit);
                Files.write(file, damaged);
                assertThatThrownBy(() -> RunSpec.read(file))
                        .as("byte %d, bit %d", i, bit)
                        .isInstanceOf(InputException.class)
                        .hasMessageStartingWith(file.toString());
            }
        }
    }

    @Test
    void everyTruncatedFileIsRefused() throws IOException {
        String text = spec().text();
        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);
            assertThatThrownBy(() -> read(cut)).as("%d bytes", length).isInstanceOf(InputException.class);
        }
    }

    /** No node has the eight cores that a moldable task uses best: it counts with the four of the larger nodes, so that their pool is found. */
    @Test
    void aMoldableTaskNeedsNoMoreCoresThanNodesHave() {
        Pools pools = Pools.parse("all=1-4,cores=2,mem=8,gpus=a100:1+large=3-4,cores=4,mem=8,gpus=v100:1", 4);
        WorkflowBuilder builder = new WorkflowBuilder("moldable");
        int task = builder.task("t");
        builder.time(task, 1_000_000).resources(task, Resources.ONE_CORE.cores(8));
        builder.scaling(task, new Scaling(Map.of(4, 2_000_000L, 8, 1_000_000L)));
        RunSpec spec = new RunSpecBuilder(spec()).pools(pools).build().forTasks(builder.build());
        assertThat(spec.nodes()).isEqualTo(2);
        assertThat(spec.node().cores()).isEqualTo(4);
        assertThat(spec.node().named().map()).containsOnlyKeys("gpu:v100");
    }

    @Test
    void coresPerNodeAreNotSuggestedWhereNodesAreFixed() {
        Resources needs = Resources.ONE_CORE.cores(3);
        assertThat(Preflight.unavailable(needs, spec(), true))
                .isEqualTo("3 cores on a node; the largest node has 2. Change the task, or name another partition");
        assertThat(Preflight.unavailable(needs, spec(), false))
                .isEqualTo("3 cores on a node; the largest node has 2. Maybe --cores-per-node 3");
    }
}
