package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.manager.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands that read runs, on the run folders that {@link RecordedFolder} creates. */
class RecordedRunsTest {
    @TempDir
    Path folder = Path.of("");

    private Path run = Path.of("");

    @BeforeEach
    void setRunFolder() {
        run = folder.resolve("sheaf-runs/diamond-1");
    }

    private RecordedFolder recorded(String strategy) throws IOException {
        return new RecordedFolder(run, strategy, RecordedFolder.DIAMOND);
    }

    private Run sheaf(String... args) {
        return Run.in(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere", "SHEAF_CACHE", folder.toString()), args);
    }

    @Test
    void commandsReportACompletedRun() throws IOException {
        recorded("onejob").deliverAll().close();
        Run status = sheaf("status");
        assertThat(status.err()).isEmpty();
        assertThat(status.status()).isZero();
        // Queue wait 10 s, three levels of 30 s, and 1 s until the pilot job has ended.
        // Allocated: 2 nodes × 91 s. Used: 4 × 30 s.
        assertThat(status.out()).isEqualTo("""
                        run               %s
                        state             done
                        progress          [########################################] 100.0 %%
                        tasks             4 of 4 done
                        makespan          1.7 min
                        node-hours        0.0506 allocated, 0.0333 used
                        """.formatted(run));
        assertThat(sheaf("watch").status()).isZero();
        assertThat(sheaf("cancel").out()).isEqualTo("run " + run + " has already ended: done\n");
        assertThat(sheaf("resume").err()).contains("already ended: done");
    }

    /** Without a live manager no pilot job starts, so there is no estimate. */
    @Test
    void predictRefusesARunWithoutAManager() throws IOException {
        assertThat(sheaf("predict", "--nodes", "1", "--time", "1m").status()).isEqualTo(ExitStatus.USAGE);
        recorded("onejob").deliver(1).close();
        Run predict = sheaf("predict", "--nodes", "1", "--time", "1m");
        assertThat(predict.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(predict.err()).contains("diamond-1: no manager is running");
    }

    @Test
    void statusShowsAnInterruptedRunWithAQueuedJob() throws IOException {
        recorded("onejob").deliver(1).close();
        Run status = sheaf("status", run.toString());
        assertThat(status.out())
                .contains(
                        "interrupted: no manager is running", "0 of 4 done, 3 waiting, 1 ready", "queued", "levels 0-2")
                .contains("to continue       sheaf resume " + run);
        Run json = sheaf("status", "--json");
        assertThat(json.out())
                .contains("\"state\" : \"interrupted\"", "\"state\" : \"queued\"", "\"expectedStartSeconds\" : 20\n")
                .doesNotContain("\"startSeconds");
    }

    @Test
    void commandsShowAnInterruptedRunWithRunningTasks() throws IOException {
        recorded("onejob").deliver(3).close();
        Run json = sheaf("status", "--json");
        // Task a is done after 10 + 30 s; b and c run.
        assertThat(json.out())
                .contains("\"done\" : 1", "\"running\" : 2", "\"waiting\" : 1", "\"startSeconds\" : 10,")
                .contains("\"submittedSeconds\" : 0,", "\"claim\" : \"levels 0-2\"");
        Run watch = sheaf("watch");
        assertThat(watch.out()).contains("so far: 1 of 4 tasks done, 1 pilot job running, 0 queued");
        assertThat(watch.status()).as("no manager is live").isEqualTo(5);
        Run report = sheaf("report", "--html", folder.resolve("page.html").toString());
        assertThat(report.out()).contains("written when the run has ended");
        assertThat(folder.resolve("page.html"))
                .content()
                .contains("diamond", "interrupted")
                .as("one ended and two running attempts")
                .contains("id=\"attempts\" data-count=\"3\"");
        assertThat(run.resolve("record.json")).doesNotExist();
    }

    @Test
    void commandsReportFailedAndCancelledRuns() throws IOException {
        recorded("onejob")
                .deliver(2)
                .apply(new Event.Cancelled(RecordedFolder.BEGIN + 20_000))
                .deliverAll()
                .close();
        assertThat(sheaf("status").out()).contains("state             cancelled");
        assertThat(sheaf("watch").status()).isEqualTo(1);
        assertThat(sheaf("resume").status()).isEqualTo(1);
        run = folder.resolve("sheaf-runs/failed");
        recorded("onejob")
                .deliver(2)
                .apply(new Event.TaskEnded(RecordedFolder.BEGIN + 20_000, 1, 0, 1, Event.Outcome.FAILED))
                .deliverAll()
                .close();
        assertThat(sheaf("status", "failed").out()).contains("state             failed", "1 failed, 3 skipped");
    }

    /** Ten refusals in a row pause a run; the message of the last one is shown. */
    @Test
    void statusShowsWhyARunIsPaused() throws IOException {
        try (RecordedFolder recording = recorded("onejob")) {
            long at = RecordedFolder.BEGIN;
            for (int i = 1; i <= 10; i++) {
                at += 700_000;
                recording.apply(new Event.Refused(at, i, "the queue is closed"));
                recording.apply(new Event.Woken(at + 600_000));
            }
        }
        assertThat(sheaf("status").out()).contains("state             paused: ", "the queue is closed");
        assertThat(sheaf("status", "--json").out()).contains("\"state\" : \"paused\"", "\"why\" : ");
    }

    @Test
    void explainListsTheDecisionsOfARun() throws IOException {
        recorded("onejob").deliverAll().close();
        Run explain = sheaf("explain", run.toString());
        assertThat(explain.err()).isEmpty();
        assertThat(explain.status()).isZero();
        assertThat(explain.out())
                .startsWith("diamond with onejob on the embedded cluster of 2 nodes: done")
                .contains("1. after 0 s: ")
                .contains("10.0 s earlier")
                .contains("1 of 1 jobs compared: 1 started earlier");
        assertThat(sheaf("explain", "diamond-1").out()).isEqualTo(explain.out());
        assertThat(sheaf("explain", "diamond-1", "--json").out())
                .contains("\"expectedStartSeconds\" : 20,", "\"startSeconds\" : 10,", "\"makespanSeconds\" : 100,");
    }

    @Test
    void reportWritesAPageAndTheMeasuredWorkflow() throws IOException {
        recorded("onejob").deliverAll().close();
        Run report = sheaf("report");
        assertThat(report.status()).isZero();
        assertThat(run.resolve("report.html"))
                .content()
                .contains("<html", "diamond", "levels 0-2", "Started ", "Run folder: ");
        assertThat(run.resolve("record.json")).content().contains("\"schemaVersion\"");
        byte[] first = Files.readAllBytes(run.resolve("report.html"));
        sheaf("report");
        assertThat(Files.readAllBytes(run.resolve("report.html"))).isEqualTo(first);
    }

    /**
     * Two nodes are allocated from 10 s on for 91 s: 182 node-seconds at 100 W. Four tasks of 30 s on one core: 120
     * core-seconds at 10 W. 19,400 J are 0.005389 kWh.
     */
    @Test
    void energyIsEstimatedFromTheConfiguredPower() throws IOException {
        recorded("onejob").deliverAll().close();
        Map<String, String> power =
                Map.of("SHEAF_SITE_CONFIG", "nowhere", "SHEAF_POWER_NODE", "100", "SHEAF_POWER_CORE", "10.0");
        assertThat(Run.in(folder, power, "status", "--json").out())
                .contains("\"energyEstimateKilowattHours\" : 0.005389,");
        assertThat(Run.in(folder, power, "status").out())
                .contains("energy (estimate) 0.005389 kWh at 100 W per node and 10.0 W per busy core");
        assertThat(Run.in(folder, power, "report").status()).isZero();
        assertThat(run.resolve("report.html"))
                .content()
                .contains("energy (estimate)", "0.005389 kWh at 100 W per node");
        assertThat(sheaf("status", "--json").out()).doesNotContain("energy");
    }

    /** The first record of a journal: length, type, a string with its length, the version, …, and a checksum. */
    @Test
    void aRunOfANewerVersionIsRefusedInOneLine() throws IOException {
        recorded("onejob").deliver(3).close();
        Path file = run.resolve("journal/000001.log");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int payload = Integer.BYTES + 1;
        bytes.putInt(payload + Short.BYTES + bytes.getShort(payload), 3);
        int end = payload + bytes.getInt(0);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, end);
        bytes.putInt(end, (int) crc.getValue());
        Files.write(file, bytes.array());
        for (String command : List.of("status", "watch", "explain", "report", "resume", "cancel")) {
            Run refused = sheaf(command, run.toString());
            assertThat(refused.status()).as(command).isEqualTo(3);
            assertThat(refused.err())
                    .as(command)
                    .matches(
                            "sheaf: .*000001.log: this journal has version 3, this Sheaf reads versions up to 2; continue with .*\n");
        }
    }

    /** An incomplete last record is ignored, and reading does not change the file. */
    @Test
    void aTornTailIsIgnored() throws IOException {
        recorded("onejob").deliver(3).close();
        String before = sheaf("status", "--json").out().replaceAll("\"elapsedSeconds.*", "");
        Path file = run.resolve("journal/000001.log");
        byte[] whole = Files.readAllBytes(file);
        byte[] torn = Arrays.copyOf(whole, whole.length + 20);
        Arrays.fill(torn, whole.length, torn.length, (byte) 7);
        Files.write(file, torn);
        assertThat(sheaf("status", "--json").out().replaceAll("\"elapsedSeconds.*", ""))
                .isEqualTo(before);
        assertThat(Files.readAllBytes(file)).isEqualTo(torn);
    }

    @Test
    void aDamagedJournalIsNamed() throws IOException {
        recorded("onejob").deliverAll().close();
        Path file = run.resolve("journal/000001.log");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Run status = sheaf("status");
        assertThat(status.status()).isEqualTo(3);
        assertThat(status.err()).contains("000001.log").hasLineCount(1);
    }

    @Test
    void theNewestRunIsUsedIfNoneIsNamed() throws IOException {
        List<String> found = new ArrayList<>();
        for (String name : List.of("b", "a")) {
            run = folder.resolve("sheaf-runs").resolve(name);
            recorded("onejob").close();
            Files.setLastModifiedTime(run.resolve("run.json"), FileTime.fromMillis(found.size() * 1_000_000_000L));
            found.add(sheaf("status").out().lines().findFirst().orElse(""));
        }
        assertThat(found.get(0)).endsWith("/b");
        assertThat(found.get(1)).endsWith("/a");
    }

    @Test
    void missingRunsAreRefusedInOneLine() throws IOException {
        for (String command : List.of("status", "watch", "cancel", "report", "resume")) {
            Run none = sheaf(command);
            assertThat(none.status()).isEqualTo(3);
            assertThat(none.err()).isEqualTo("sheaf: no runs in ./sheaf-runs; give the folder of a run\n");
            Run wrong = sheaf(command, "elsewhere");
            assertThat(wrong.status()).isEqualTo(3);
            assertThat(wrong.err()).contains("elsewhere").hasLineCount(1);
        }
    }
}
