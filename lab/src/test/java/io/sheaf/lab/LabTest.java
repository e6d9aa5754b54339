package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.lab.ExperimentPlan.Selection;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the table of a campaign has the same bytes after interruptions, in shards and with several threads. */
class LabTest {
    @TempDir
    Path folder = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void writeExperiment() throws IOException {
        file = Files.writeString(folder.resolve("e.yaml"), """
                title: "small, with \\u00e9"
                workflows: {generate: montage, tasks: [20, 30], work: 50h, group: "a,b \\u00e9"}
                clusters: {model: kth-like, days: 5, order: [fcfs, large]}
                strategies: [zhang, glume, "zhang:global=false,sizing=false"]
                starts: {first: 1d, every: 12h, for: 36h}
                """);
    }

    private ExperimentPlan plan(Selection selection) {
        return ExperimentPlan.read(file, List.of(), selection);
    }

    private Path run(String name, Selection selection, int threads) {
        Path to = folder.resolve(name);
        new Lab(plan(selection), to, "1", "a command").run(threads, (done, all) -> {});
        return to;
    }

    private static List<String> columns(String table) {
        return List.of(table.lines().findFirst().orElseThrow().split(","));
    }

    private static String table(Path results) throws IOException {
        return Files.readString(results.resolve(Lab.TABLE));
    }

    @Test
    void additionalWaitOfBackgroundJobsIsRecordedOnRequest() throws IOException {
        String without = table(run("without-background", Selection.ALL, 1));
        int jobs = columns(without).indexOf("background_jobs");
        for (String row : without.split("\n")) {
            assertThat(row.startsWith("run,") || row.matches(".*,,,,,,,,[0-9]+,[0-9.]+,"))
                    .as(row)
                    .isTrue();
        }
        Files.writeString(
                file, Files.readString(file).replace("group: \"a,b \\u00e9\"", "group: a") + "background: true\n");
        List<String> rows =
                table(run("with-background", Selection.ALL, 1)).lines().skip(1).toList();
        assertThat(rows).isNotEmpty();
        for (String row : rows) {
            List<String> fields = List.of(row.replaceAll("\"[^\"]*\"", "quoted").split(",", -1));
            assertThat(Integer.parseInt(fields.get(jobs))).isPositive();
            assertThat(fields.get(jobs + 1)).matches("-?\\d+\\.\\d{3}");
        }
    }

    /** Stops a campaign after a number of items by an exception of the progress listener, which acts like a kill. */
    private Path killed(String name, int items) {
        Path to = folder.resolve(name);
        int[] seen = new int[1];
        assertThatThrownBy(() -> new Lab(plan(Selection.ALL), to, "1", "a command").run(1, (done, all) -> {
                    if (++seen[0] == items) {
                        throw new IllegalStateException("killed");
                    }
                }))
                .hasMessage("killed");
        return to;
    }

    @Test
    void theTableDoesNotDependOnTheThreads() throws IOException {
        String one = table(run("one", Selection.ALL, 1));
        assertThat(one.lines()).hasSize(1 + 2 * 2 * 4 * 3);
        assertThat(one).contains("\"a,b \u00e9\"", "\"zhang:global=false,sizing=false\"");
        assertThat(table(run("two", Selection.ALL, 3))).isEqualTo(one);
    }

    @Test
    void aKilledCampaignResumesAfterAnyItem() throws IOException {
        String whole = table(run("whole", Selection.ALL, 2));
        for (int items : new int[] {1, 5, 16}) {
            Path to = killed("killed" + items, items);
            assertThat(to.resolve(Lab.TABLE)).doesNotExist();
            assertThat(new Lab(plan(Selection.ALL), to, "1", "").found()).isEqualTo(items * 3L);
            long[] ran = new long[1];
            new Lab(plan(Selection.ALL), to, "1", "").run(1, (done, all) -> ran[0]++);
            assertThat(ran[0]).isEqualTo(16 - items);
            assertThat(table(to)).isEqualTo(whole);
        }
    }

    /** The log may be truncated anywhere, even within a character of two bytes or before the end of a line. */
    @Test
    void runsOfTruncatedOrDamagedLogLinesAreRepeated() throws IOException {
        String whole = table(run("whole", Selection.ALL, 2));
        byte[] log = Files.readAllBytes(killed("cut", 6).resolve(Lab.LOG));
        List<Integer> cuts = new ArrayList<>(List.of(0, 5, 60, log.length - 1, log.length / 2, log.length / 3));
        for (int i = 0; i < log.length && cuts.size() < 10; i++) {
            if (log[i] == '\n' || log[i] < 0) {
                cuts.add(i);
            }
        }
        Path to = Files.createDirectories(folder.resolve("again"));
        for (int cut : cuts) {
            Files.write(to.resolve(Lab.LOG), Arrays.copyOf(log, cut));
            Files.deleteIfExists(to.resolve(Lab.TABLE));
            new Lab(plan(Selection.ALL), to, "1", "").run(2, (done, all) -> {});
            assertThat(table(to)).as("cut at " + cut).isEqualTo(whole);
        }
        byte[] damaged = log.clone();
        damaged[log.length / 2] ^= 1;
        Files.write(to.resolve(Lab.LOG), damaged);
        Files.deleteIfExists(to.resolve(Lab.TABLE));
        new Lab(plan(Selection.ALL), to, "1", "").run(2, (done, all) -> {});
        assertThat(table(to)).isEqualTo(whole);
    }

    @Test
    void runsOfTheTimeEstimateAreKept() throws IOException {
        String whole = table(run("whole", Selection.ALL, 2));
        Path to = Files.createDirectories(folder.resolve("sampled"));
        Lab lab = new Lab(plan(Selection.ALL), to, "1", "");
        assertThat(lab.secondsOfOneThread(4)).isPositive();
        assertThat(lab.found()).isEqualTo(4 * 3L);
        lab.run(1, (done, all) -> {});
        assertThat(table(to)).isEqualTo(whole);
    }

    /** The time to simulate a background is counted once per block and not once per item. */
    @Test
    void theTimeToPrepareABlockIsCountedOnce() throws IOException {
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("days: 5, order: [fcfs, large]", "days: 2000")
                        .replace("every: 12h, for: 36h", "random: 2000, for: 1950d"));
        Lab lab = new Lab(plan(Selection.ALL), Files.createDirectories(folder.resolve("long")), "1", "");
        long start = System.nanoTime();
        double seconds = lab.secondsOfOneThread(4);
        // Nearly all of this time was spent on two backgrounds. If each item counted them, the estimate would be a
        // thousand times larger.
        double elapsed = (System.nanoTime() - start) / 1e9;
        assertThat(lab.found()).isEqualTo(4 * 3L);
        assertThat(seconds).isLessThan(4000 / 4.0 * elapsed / 2);
    }

    @Test
    void mergedShardsEqualTheWholeCampaign() throws IOException {
        String whole = table(run("whole", Selection.ALL, 2));
        List<Path> shards = new ArrayList<>();
        for (int i = 3; i >= 1; i--) {
            shards.add(run("shard" + i, new Selection(false, 1, i, 3), 1));
        }
        Path merged = folder.resolve("merged");
        assertThat(ShardMerge.into(merged, shards)).isEqualTo(48);
        assertThat(table(merged)).isEqualTo(whole);
        assertThat(Manifest.read(merged)).containsEntry("shards", "1").containsEntry("runs", "48");
        assertThatThrownBy(() -> ShardMerge.into(merged, shards.subList(0, 2)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("missing: [1]");
        assertThatThrownBy(() -> ShardMerge.into(merged, List.of(shards.get(0), shards.get(0))))
                .hasMessageContaining("named twice");
        shards.set(2, run("less", new Selection(false, 0.5, 1, 3), 1));
        assertThatThrownBy(() -> ShardMerge.into(merged, shards)).hasMessageContaining("another --fraction");
    }

    @Test
    void aFractionHasRowsOfTheWholeTable() throws IOException {
        List<String> whole = table(run("whole", Selection.ALL, 2)).lines().toList();
        List<String> part =
                table(run("part", new Selection(false, 0.5, 1, 1), 1)).lines().toList();
        assertThat(part).hasSize(1 + 24);
        assertThat(new HashSet<>(whole)).containsAll(part);
    }

    /**
     * A larger fraction reuses the runs of a smaller one, also after a kill; a smaller one does not replace a larger
     * one.
     */
    @Test
    void aLargerFractionContinuesASmallerOne() throws IOException {
        String whole = table(run("whole", Selection.ALL, 2));
        Path to = run("growing", new Selection(false, 0.25, 1, 1), 1);
        Lab half = new Lab(plan(new Selection(false, 0.5, 1, 1)), to, "1", "");
        assertThat(half.isComplete()).isFalse();
        assertThat(half.found()).isEqualTo(12);
        assertThatThrownBy(() -> half.run(1, (done, all) -> {
                    throw new IllegalStateException("killed");
                }))
                .hasMessage("killed");
        long[] ran = new long[1];
        new Lab(plan(Selection.ALL), to, "1", "").run(1, (done, all) -> ran[0]++);
        assertThat(ran[0]).isEqualTo(16 - 4 - 1);
        assertThat(table(to)).isEqualTo(whole);
        assertThatThrownBy(half::found)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("contains more runs of this experiment than requested");
        killed("more", 9);
        assertThatThrownBy(
                        () -> new Lab(plan(new Selection(false, 0.25, 1, 1)), folder.resolve("more"), "1", "").found())
                .hasMessageContaining("contains more runs of this experiment than requested");
    }

    /** Edits the log as if the first run had failed: its row has the reason, and every pass counts the failure. */
    @Test
    void failedRunsAreCounted() throws IOException {
        Path to = killed("failed", 6);
        List<String> log = Files.readAllLines(to.resolve(Lab.LOG));
        String[] parts = log.get(1).split("\t");
        parts[1] = parts[1].substring(0, parts[1].length()) + "\"it broke, badly\"";
        String line = String.join("\t", Arrays.copyOf(parts, parts.length - 1));
        CRC32 sum = new CRC32();
        sum.update(line.getBytes(StandardCharsets.UTF_8));
        log.set(1, line + "\t" + HexFormat.of().toHexDigits((int) sum.getValue()));
        Files.writeString(to.resolve(Lab.LOG), String.join("\n", log) + "\n");
        assertThat(new Lab(plan(Selection.ALL), to, "1", "").run(1, (done, all) -> {}))
                .isEqualTo(1);
        assertThat(new Lab(plan(Selection.ALL), to, "1", "").run(1, (done, all) -> {}))
                .isEqualTo(1);
        assertThat(table(to)).contains(",\"it broke, badly\"\n");
        assertThat(Manifest.read(to)).containsEntry("failed", "1");
    }

    /** Replays every run of the table with all records; makespan and number of jobs are those of its row. */
    @Test
    void replayedRunsEqualTheTable() throws IOException {
        Path to = run("again", Selection.ALL, 1);
        List<Long> numbers = LongStream.rangeClosed(1, 48).boxed().toList();
        List<Integer> progress = new ArrayList<>();
        List<ReplayedRun> replayed = RunReplay.of(to, numbers, 100, progress::add);
        assertThat(replayed).hasSize(48);
        assertThat(progress).isSorted().endsWith(48);
        List<String> rows = table(to).lines().skip(1).toList();
        List<String> columns = columns(table(to));
        for (ReplayedRun run : replayed) {
            String row = rows.get((int) run.number() - 1)
                    .replace("\"a,b \u00e9\"", "g")
                    .replaceAll("\"zhang.*?\"", "z");
            List<String> fields = List.of(row.split(",", -1));
            assertThat(run.makespanSeconds()).isEqualTo(fields.get(columns.indexOf("makespan_seconds")));
            assertThat(run.record().jobs()).hasSize(Integer.parseInt(fields.get(columns.indexOf("jobs"))));
        }
        assertThat(replayed.get(0).where())
                .isEqualTo("kth-like, load kth-like, nodes 100, policy easy, order fcfs, placement count,"
                        + " cancelled drop, scale load 1, from seconds 0.000, profile own, estimates requested,"
                        + " cores per node 1, task times exact, cap 16, seed 0");
        assertThat(RunReplay.of(to, List.of(7L, 3L, 5L), 2, done -> {}))
                .extracting(ReplayedRun::number)
                .containsExactly(3L, 7L);
        assertThat(RunReplay.command(to)).startsWith("sheaf lab show ").endsWith(" RUN -o run-RUN.html");
        Files.writeString(file, Files.readString(file).replace("[20, 30]", "[20, 40]"));
        assertThat(RunReplay.of(to, List.of(1L), 1, done -> {})).isEmpty();
        Files.delete(file);
        assertThat(RunReplay.of(to, List.of(1L), 1, done -> {})).isEmpty();
    }

    @Test
    void runsOfAnotherExperimentAreNotContinued() throws IOException {
        Path to = killed("mixed", 2);
        Files.writeString(file, Files.readString(file).replace("[20, 30]", "[20, 40]"));
        assertThatThrownBy(() -> new Lab(plan(Selection.ALL), to, "1", "").run(1, (done, all) -> {}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("another experiment");
    }

    @Test
    void theManifestRecordsTheOriginOfTheTable() throws IOException {
        Path to = run("manifest", Selection.ALL, 1);
        assertThat(Manifest.read(to))
                .containsEntry("command", "a command")
                .containsEntry("version", "1")
                .containsEntry("runs", "48")
                .containsKeys("fingerprint", "started", "ended", "seconds", "shareOfTimeWriting");
    }
}
