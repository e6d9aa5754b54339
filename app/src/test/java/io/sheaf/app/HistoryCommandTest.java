package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.Event;
import io.sheaf.runtime.learnt.SharedRuns;
import io.sheaf.runtime.past.QueueSnapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The history of recorded runs (see {@link RecordedFolder}): a queue wait of 10 s that was estimated as 20 s, and tasks
 * of 30 s on two nodes.
 */
class HistoryCommandTest {
    @TempDir
    Path folder = Path.of("");

    private Path run = Path.of("");

    @BeforeEach
    void setUp() {
        run = folder.resolve("sheaf-runs/diamond-1");
    }

    private Run sheaf(String... args) {
        return Run.in(
                folder,
                Map.of(
                        "SHEAF_SITE_CONFIG",
                        "nowhere",
                        "SHEAF_STATE",
                        folder.resolve("state").toString()),
                args);
    }

    private RecordedFolder recordedRun() throws IOException {
        return new RecordedFolder(run, "onejob", RecordedFolder.DIAMOND);
    }

    private void changeSystemToSlurm() throws IOException {
        Path spec = run.resolve("run.json");
        // In the format of a release without checksums.
        String text = Files.readString(spec).replaceAll(",\"checksum\":\"[^\"]*\"", "");
        Files.writeString(
                spec, text.replace("\"version\":3", "\"version\":2").replace("\"on\":\"local\"", "\"on\":\"slurm\""));
    }

    /** Another user has both nodes until 10 s after the run's start: the middle between two snapshots. */
    private void writeSlurmSnapshots() throws IOException {
        changeSystemToSlurm();
        try (QueueSnapshots snapshots = new QueueSnapshots(run)) {
            long begin = RecordedFolder.BEGIN;
            QueueSnapshot.Job other = QueueSnapshot.Job.of("7", 2, 60_000, begin - 30_000);
            snapshots.write(QueueSnapshot.of(begin - 5_000, 2, 500, List.of(other)));
            snapshots.write(QueueSnapshot.of(begin + 25_000, 2, 500, List.of()));
        }
    }

    @Test
    void historyPrintsTheTablesOfARun() throws IOException {
        recordedRun().deliverAll().close();
        writeSlurmSnapshots();
        Run history = sheaf("history", "--strategies", "onejobpertask");
        assertThat(history.err()).isEmpty();
        assertThat(history.status()).isZero();
        // onejob requests two nodes once: three levels of 30 s after a wait of 10 s. onejobpertask gets the nodes that
        // it needs.
        assertThat(history.out()).isEqualTo("""
                1 run
                run        system  strategy  state  tasks done  failures  jobs  makespan  no job running  node-hours allocated    used  wasted
                diamond-1  slurm   onejob    done       4 of 4         0     1   1.7 min          10.0 s                0.0506  0.0333  0.0172

                tasks of these runs by category
                workflow  category  done  failed  lost  median time  p90 time  maximum time  median memory  maximum memory  memory requested  memory suggested
                diamond   a            1       0     0       30.0 s    30.0 s        30.0 s              -               -                 -                 -
                diamond   b            1       0     0       30.0 s    30.0 s        30.0 s              -               -                 -                 -
                diamond   c            1       0     0       30.0 s    30.0 s        30.0 s              -               -                 -                 -
                diamond   d            1       0     0       30.0 s    30.0 s        30.0 s              -               -                 -                 -

                start-time estimates of diamond-1: actual minus estimated start
                estimator  jobs  median error      mean error  maximum error
                used          1        10.0 s  10.0 s earlier         10.0 s

                simulated makespan of other strategies in the queue of diamond-1
                strategy       makespan  difference  node-hours allocated    used  jobs
                measured        1.7 min           -                0.0506  0.0333     1
                onejob (ran)    1.7 min           -                0.0500  0.0333     1
                onejobpertask   1.7 min    the same                0.0333  0.0333     4
                no strategy has a shorter makespan
                not included: jobs that were submitted and ended between two of 2 snapshots, up to 30.0 s apart
                """);
    }

    @Test
    void historyPrintsJson() throws IOException {
        recordedRun().deliverAll().close();
        writeSlurmSnapshots();
        Run history = sheaf("history", "diamond-1", "--strategies", "levelbylevel", "--json");
        assertThat(history.status()).isZero();
        assertThat(history.out())
                .contains("\"version\" : 1,", "\"makespanSeconds\" : 100,", "\"begun\" : \"1970-01-01T00:16:40Z\"")
                .contains("\"medianErrorSeconds\" : 10,", "\"meanErrorSeconds\" : -10.000")
                .containsPattern("\"p10\" : 30,\\s*\"p50\" : 30,\\s*\"p90\" : 30,\\s*\"p100\" : 30")
                .containsPattern("\"strategy\" : \"onejob\",\\s*\"completed\" : true,\\s*\"makespanSeconds\" : 100,")
                .containsPattern(
                        "\"strategy\" : \"levelbylevel\",\\s*\"completed\" : true,\\s*\"makespanSeconds\" : 100,");
    }

    /** Without background jobs, no job waits on the embedded cluster. */
    @Test
    void embeddedRunsAreSimulatedWithoutOmissions() throws IOException {
        recordedRun().deliverAll().close();
        Run history = sheaf("history", "--strategies", "glume");
        assertThat(history.out())
                .containsPattern("onejob \\(ran\\) +1.5 min")
                .contains("no strategy has a shorter makespan")
                .doesNotContain("not included");
    }

    @Test
    void runsThatCannotBeSimulatedGiveTheReason() throws IOException {
        recordedRun()
                .deliver(2)
                .apply(new Event.Cancelled(RecordedFolder.BEGIN + 20_000))
                .deliverAll()
                .close();
        assertThat(sheaf("history").out())
                .contains("cancelled")
                .contains("not simulated: only runs whose tasks are all done can be simulated");
        run = folder.resolve("sheaf-runs/unseen");
        recordedRun().deliverAll().close();
        changeSystemToSlurm();
        assertThat(sheaf("history", "unseen").out()).contains("the run has no queue snapshots");
    }

    @Test
    void aPageHasChartsAndIsReproducible() throws IOException {
        recordedRun().deliverAll().close();
        Path page = folder.resolve("h.html");
        assertThat(sheaf("history", "--html", "h.html").status()).isZero();
        byte[] first = Files.readAllBytes(page);
        sheaf("history", "--html", "h.html");
        assertThat(page)
                .hasBinaryContent(first)
                .content()
                .contains("<svg", "onejob (ran)", "run times by category", ">0.0333 of 0.0506<");
        assertThat(page).content().doesNotContain(folder.toString());
    }

    @Test
    void runsAreSelectedByTimeFolderAndName() throws IOException {
        recordedRun().deliverAll().close();
        assertThat(sheaf("history", "--since", "1970-01-03").out()).startsWith("0 runs");
        assertThat(sheaf("history", "--since", "40000d").out()).startsWith("1 run\n");
        assertThat(sheaf("history", "--since", "yesterday").status()).isEqualTo(3);
        run = folder.resolve("elsewhere/diamond-2");
        recordedRun().deliverAll().close();
        new SharedRuns(folder.resolve("state"), message -> {}).add(run);
        new SharedRuns(folder.resolve("state"), message -> {}).add(folder.resolve("gone"));
        assertThat(sheaf("history", "--all", "--strategies", "none").out())
                .startsWith("2 runs")
                .contains("diamond-1", "diamond-2");
        assertThat(sheaf("history", "elsewhere/diamond-2").out()).startsWith("1 run\n");
        assertThat(sheaf("history", "nowhere").status()).isEqualTo(3);
        assertThat(sheaf("history", "--strategies", "gloom").err()).contains("unknown strategy 'gloom'");
    }
}
