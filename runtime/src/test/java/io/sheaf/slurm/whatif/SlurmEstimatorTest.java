package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.learnt.SharedEnds;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.Await;
import io.sheaf.testing.RecordedSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The estimator of a cluster whose commands print texts of the tests. */
@Timeout(1200)
class SlurmEstimatorTest {
    @TempDir
    Path folder = Path.of("");

    /** 8 nodes, all in use for 300 s more. */
    private SlurmEstimator estimator() {
        return new SlurmEstimator(
                commands(),
                "me",
                Submissions.of(List.of(), Map.of(), 0),
                folder.resolve("book"),
                token -> "sheaf-r." + token,
                snapshot -> {},
                (job, priority) -> {},
                (job, priority) -> {});
    }

    private CommandRunner commands() {
        new RecordedSlurm(folder)
                .prints("squeue", Texts.running(1, "n[1-8]", 300))
                .prints("sinfo", "main*|up|infinite|allocated|2|NO|(null)|n[1-8]\n")
                .does(
                        "sbatch",
                        "echo 'sbatch: Job 9 to start at " + (Texts.AT / 1000 + 900) + " using 1 processors' >&2");
        return SlurmCommands.runner(folder, Reach.here(Map.of("PATH", "/usr/bin:/bin")), 20_000);
    }

    private static long start(SlurmEstimator estimator, long now) {
        return (estimator.estimate(StartQuery.of(now, 0, 4, 600_000)).job(0) - Texts.AT) / 1000;
    }

    private List<StartRecords.StartRecord> book(int predictions) throws IOException, InterruptedException {
        return Await.found(() -> predictions + " predictions", () -> {
            List<StartRecords.StartRecord> entries = new StartRecords(folder.resolve("book")).entries();
            return !entries.isEmpty() && entries.get(0).predicted().size() >= predictions ? entries : null;
        });
    }

    @Test
    void startsAreEstimatedFromTheQueueAndRecorded() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            assertThat(start(estimator, Texts.AT)).isEqualTo(300);
            assertThat(estimator.basis()).isEqualTo(Basis.SIMULATED);
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            assertThat(book(2)).hasSize(1);
            estimator.accepted(Texts.AT + 1_000, "sheaf-r.1", Request.of(8, 600_000));
            // The job that no snapshot shows yet counts: it runs from 300 to 900.
            assertThat(start(estimator, Texts.AT + 1_000)).isEqualTo(900);
            estimator.started(Texts.AT + 301_000, "sheaf-r.1");
            StartRecords.StartRecord entry = book(2).get(0);
            assertThat(entry.waited()).isEqualTo(300_000);
            assertThat(entry.predicted())
                    .containsOnly(Map.entry("engine", Texts.AT + 300_000), Map.entry("test-only", Texts.AT + 900_000));
            estimator.removed("sheaf-r.1");
            assertThat(book(2)).hasSize(1);
        }
    }

    @Test
    void aJobThatNeverStartedIsNotLearntFrom() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            assertThat(book(2)).hasSize(1);
            estimator.removed("sheaf-r.1");
            assertThat(new StartRecords(folder.resolve("book")).entries()).isEmpty();
        }
    }

    /**
     * 25 other users' jobs have used a sixth of their hour, of which the running job has used some. Sampled quantiles
     * are recorded beside the predictions of each estimator, and calibrated by actual waits.
     */
    @Test
    void sampledQuantilesAreRecordedAndCalibrated() throws Exception {
        SharedEnds ends = new SharedEnds(folder.resolve("book").resolve("ends"), System::currentTimeMillis);
        for (int i = 0; i < 25; i++) {
            ends.add("you", 8, 3_600_000, 600_000);
        }
        StartRecords book = new StartRecords(folder.resolve("book"));
        for (int i = 0; i < 120; i++) {
            long at = Texts.AT - 10_000_000 + i * 1_000L;
            Map<String, Long> predicted = new HashMap<>(DrawnWaits.noted(Quantiles.always(100_000), at));
            predicted.put("engine", at + 300_000);
            // The engine was always wrong, and so were samples, but by far less.
            predicted.put("corrected", at + 100_000);
            book.write(new StartRecords.StartRecord("old" + i, at, 4, 600_000, at + 20_000, predicted));
        }
        try (SlurmEstimator estimator = estimator()) {
            long calibrated = start(estimator, Texts.AT);
            assertThat(estimator.used()).isEqualTo("corrected");
            assertThat(calibrated).as("half of 200 s, a minute more each").isEqualTo(70);
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            Map<String, Long> recorded = Await.found(() -> "8 predictions", () -> {
                StartRecords.StartRecord entry = book.entry("sheaf-r.1");
                return entry == null || entry.predicted().size() < 8 ? null : entry.predicted();
            });
            assertThat(recorded.keySet())
                    .contains("engine", "corrected", "corrected-5", "corrected-25", "corrected-50", "corrected-95");
            assertThat(recorded.get("corrected-50"))
                    .as("the sampled median before calibration")
                    .isGreaterThan(recorded.get("corrected"));
        }
    }

    private void writeWaitsOf100Seconds() throws IOException {
        StartRecords book = new StartRecords(folder.resolve("book"));
        for (int i = 0; i < 5; i++) {
            long at = Texts.AT - 1_000_000 + i * 1_000L;
            book.write(new StartRecords.StartRecord(
                    "old" + i,
                    at,
                    4,
                    600_000,
                    at + 100_000,
                    Map.of("engine", at + 9_000_000, "mean-wait", at + 90_000)));
        }
    }

    /** Our jobs have waited for 100 s each, which the engine had not estimated. */
    @Test
    void theEstimatorWithTheLeastErrorIsUsed() throws Exception {
        writeWaitsOf100Seconds();
        try (SlurmEstimator estimator = estimator()) {
            assertThat(start(estimator, Texts.AT)).isEqualTo(100);
            assertThat(estimator.used()).isEqualTo("mean-wait");
            assertThat(estimator.basis()).isEqualTo(Basis.LEARNED);
        }
    }

    /** Our jobs have waited for a second each. A job on all nodes is submitted and not accepted yet: the next one has to wait for its end. */
    @Test
    void aJobThatIsAboutToStartHasItsNodes() throws Exception {
        StartRecords book = new StartRecords(folder.resolve("book"));
        for (int i = 0; i < 5; i++) {
            long at = Texts.AT - 1_000_000 + i * 1_000L;
            Map<String, Long> predicted = Map.of("engine", at + 9_000_000, "mean-wait", at + 1_000);
            book.write(new StartRecords.StartRecord("old" + i, at, 4, 600_000, at + 1_000, predicted));
        }
        new RecordedSlurm(folder).prints("squeue", "");
        try (SlurmEstimator estimator = estimator()) {
            assertThat(start(estimator, Texts.AT)).isBetween(0L, 5L);
            assertThat(estimator.used()).isEqualTo("mean-wait");
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            Await.until("the submitted job counts", () -> start(estimator, Texts.AT) > 10);
            assertThat(start(estimator, Texts.AT + 1_000)).isEqualTo(600);
        }
    }

    @Test
    void withoutSlurmEstimatesHaveNoBasis() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder).does("squeue", "echo garbage; exit 1");
            assertThat(start(estimator, Texts.AT)).isZero();
            assertThat(estimator.basis()).isEqualTo(Basis.NONE);
        }
    }

    /** Slurm's planned start of an own job is recorded when a snapshot contains it. */
    @Test
    void plannedStartsAreRecorded() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder)
                    .prints(
                            "squeue",
                            Texts.running(1, "n[1-8]", 300)
                                    + Texts.waiting(2, 8, "10:00", "Resources", "(null)")
                                            .replace("|job\n", "|sheaf-r.1\n")
                                            .replace("|10:00|N/A|", "|10:00|" + (Texts.AT / 1000 + 333) + "|"));
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            assertThat(book(2)).hasSize(1);
            start(estimator, Texts.AT);
            start(estimator, Texts.AT);
            assertThat(book(3).get(0).predicted()).containsEntry("planned", Texts.AT + 333_000);
        }
    }

    private static long[] startSeconds(SlurmEstimator estimator, long now, int units, long... tokens) {
        StartQuery query = StartQuery.ofQueued(now, tokens, tokens.length);
        return seconds(estimator, units == 0 ? query : query.add(0, units, 600_000));
    }

    /** The starts of queued jobs and then of others, in seconds; −1 for never. */
    private static long[] seconds(SlurmEstimator estimator, StartQuery query) {
        StartTimes starts = estimator.estimate(query);
        long[] out = new long[query.queued() + query.jobs()];
        for (int i = 0; i < out.length; i++) {
            long start = i < query.queued() ? starts.queued(i) : starts.job(i - query.queued());
            out[i] = start == StartTimes.NEVER ? -1 : (start - Texts.AT) / 1000;
        }
        return out;
    }

    /** One job is in the snapshot (8 nodes from 300 to 900), one is not yet, and one is unknown. */
    @Test
    void startsOfQueuedJobsAreEstimatedBesideAnother() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder)
                    .prints(
                            "squeue",
                            Texts.running(1, "n[1-8]", 300)
                                    + Texts.waiting(2, 8, "10:00", "Resources", "(null)")
                                            .replace("|you|", "|me|")
                                            .replace("|job\n", "|sheaf-r.1\n"));
            assertThat(start(estimator, Texts.AT)).isEqualTo(900);
            estimator.accepted(Texts.AT, "sheaf-r.2", Request.of(6, 600_000));
            assertThat(startSeconds(estimator, Texts.AT, 0, 1, 2, 3)).containsExactly(300, 900, -1);
            assertThat(startSeconds(estimator, Texts.AT, 2, 2, 1)).containsExactly(900, 300, 900);
            assertThat(startSeconds(estimator, Texts.AT, 4, 1)).containsExactly(300, 1500);
            assertThat(startSeconds(estimator, Texts.AT, 9, 1)).containsExactly(300, -1);
        }
    }

    /**
     * A job of 8 nodes is ahead of one of 6. If the first is cancelled, the second, and another one beside it, start
     * when the first would have started.
     */
    @Test
    void startsInPlaceOfACancelledJobAreEstimated() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder)
                    .prints(
                            "squeue",
                            Texts.running(1, "n[1-8]", 300)
                                    + Texts.waiting(2, 8, "10:00", "Resources", "(null)")
                                            .replace("|you|", "|me|")
                                            .replace("|job\n", "|sheaf-r.1\n"));
            assertThat(start(estimator, Texts.AT)).isEqualTo(900);
            estimator.accepted(Texts.AT, "sheaf-r.2", Request.of(6, 600_000));
            assertThat(startSeconds(estimator, Texts.AT, 2, 2)).containsExactly(900, 900);
            StartQuery without =
                    StartQuery.ofQueued(Texts.AT, new long[] {2}, 1).cancelling(1);
            assertThat(seconds(estimator, without.add(0, 2, 600_000))).containsExactly(300, 300);
            assertThat(seconds(estimator, without.add(0, 3, 600_000))).containsExactly(300, 300, 900);
        }
    }

    /** Our waits are 100 s: a job that was submitted 40 s ago has 60 s left. */
    @Test
    void aLearntWaitIsCountedFromTheSubmission() throws Exception {
        writeWaitsOf100Seconds();
        try (SlurmEstimator estimator = estimator()) {
            estimator.accepted(Texts.AT, "sheaf-r.1", Request.of(4, 600_000));
            assertThat(startSeconds(estimator, Texts.AT + 40_000, 4, 1)).containsExactly(100, 140);
            assertThat(startSeconds(estimator, Texts.AT + 200_000, 0, 1)).containsExactly(200);
        }
    }

    /**
     * Our waits were short, but our running job has 6 of 8 nodes until 700: a job of 4 nodes cannot start before, one
     * of 2 can.
     */
    @Test
    void aLearntWaitDoesNotIgnoreOurRunningJobs() throws Exception {
        writeWaitsOf100Seconds();
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder)
                    .prints("squeue", "")
                    .prints("sinfo", "main*|up|infinite|idle|2|NO|(null)|n[1-8]\n");
            start(estimator, Texts.AT);
            estimator.accepted(Texts.AT, "sheaf-r.1", Request.of(6, 700_000));
            assertThat(start(estimator, Texts.AT)).as("it is queued").isEqualTo(100);
            estimator.started(Texts.AT, "sheaf-r.1");
            assertThat(start(estimator, Texts.AT)).isEqualTo(700);
            estimator.accepted(Texts.AT, "sheaf-r.2", Request.of(4, 600_000));
            assertThat(startSeconds(estimator, Texts.AT, 2, 2)).containsExactly(700, 100);
            assertThat(estimator.used()).isEqualTo("mean-wait");
        }
    }

    /** Our waits were short, but a pilot job of another run of ours has the nodes for 300 s more. */
    @Test
    void predictShowsWhatARunUses() throws Exception {
        writeWaitsOf100Seconds();
        WhatIf whatIf =
                new SlurmWhatIf(commands(), "me", folder.resolve("book"), Submissions.of(List.of(), Map.of(), 0));
        try (SlurmEstimator estimator = estimator()) {
            new RecordedSlurm(folder)
                    .prints(
                            "squeue",
                            Texts.running(1, "n[1-8]", 300)
                                    .replace("|you|", "|me|")
                                    .replace("|job\n", "|sheaf-q.1\n"));
            WhatIf.Answers answers = whatIf.estimate(StartQuery.of(Texts.AT, 0, 4, 600_000), 0);
            assertThat(answers.used()).isEqualTo("mean-wait");
            assertThat(answers.answers())
                    .filteredOn(each -> each.estimator().equals("mean-wait"))
                    .extracting(each -> (each.start() - Texts.AT) / 1000)
                    .containsExactly(300L);
            assertThat(start(estimator, Texts.AT)).isEqualTo(300);
            assertThat(estimator.used()).isEqualTo("mean-wait");
        }
    }

    @Test
    void aJobQueuedBeforeARestartIsLearntFrom() throws Exception {
        try (SlurmEstimator before = estimator()) {
            before.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            assertThat(book(2)).hasSize(1);
            before.accepted(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
        }
        try (SlurmEstimator after = estimator()) {
            after.recall("sheaf-r.1");
            after.recall("sheaf-r.7");
            after.started(Texts.AT + 250_000, "sheaf-r.1");
        }
        StartRecords.StartRecord entry = book(2).get(0);
        assertThat(entry.waited()).isEqualTo(250_000);
        assertThat(entry.predicted()).containsEntry("engine", Texts.AT + 300_000);
    }

    /** Two runs of a user: the second uses the queue history of the first. */
    @Test
    void oneSnapshotServesAllProcesses() throws Exception {
        try (SlurmEstimator first = estimator();
                SlurmEstimator second = estimator()) {
            Path file = folder.resolve("squeue");
            Files.writeString(file, Files.readString(file) + "\necho x >>'" + folder + "/asked'\n");
            assertThat(start(first, Texts.AT)).isEqualTo(300);
            assertThat(start(second, Texts.AT)).isEqualTo(300);
        }
        assertThat(folder.resolve("asked")).content().isEqualTo("x\n");
    }

    /** Waits for the next snapshot. Our factor is 0.8 of 1000, so the job of priority 500 is behind ours. Slurm then gives 760 to our job; the next one is expected to have 760, too. */
    @Test
    @Tag("slow")
    void ourPriorityIsPredictedAndItsErrorLearnt() throws Exception {
        try (SlurmEstimator estimator = estimator()) {
            RecordedSlurm slurm = new RecordedSlurm(folder)
                    .does(
                            "scontrol",
                            "case \"$*\" in *config*) printf 'PriorityType = priority/multifactor\\nPriorityWeightFairShare = 1000\\nPriorityWeightAge = 0\\n' ;; esac")
                    .does("sshare", "printf 'root|||10|\\n root|me|1|5|0.800000\\n root|you|1|5|0.400000\\n'");
            String background = Texts.running(1, "n[1-8]", 300)
                    + Texts.waiting(2, 8, "10:00", "Priority", "(null)").replace("|99998|", "|500|");
            String ours = Texts.waiting(3, 8, "10:00", "Priority", "(null)")
                    .replace("|99997|", "|760|")
                    .replace("|you|", "|me|")
                    .replace("|job\n", "|sheaf-r.1\n");
            slurm.prints("squeue", background);
            assertThat(start(estimator, Texts.AT))
                    .as("before the job of priority 500")
                    .isEqualTo(300);
            estimator.submitting(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            estimator.accepted(Texts.AT, "sheaf-r.1", Request.of(8, 600_000));
            slurm.prints("squeue", background + ours);
            StartRecords.StartRecord observed = Await.found(() -> "our job in a snapshot", () -> {
                estimator.refresh(System.currentTimeMillis());
                start(estimator, System.currentTimeMillis());
                StartRecords.StartRecord entry = new StartRecords(folder.resolve("book")).entry("sheaf-r.1");
                return entry != null && entry.predicted().containsKey(PriorityErrors.OBSERVED) ? entry : null;
            });
            assertThat(observed.predicted())
                    .containsEntry(PriorityErrors.PREDICTED, 800L)
                    .containsEntry(PriorityErrors.OBSERVED, 760L);
            estimator.started(Texts.AT + 300_000, "sheaf-r.1");
            PriorityErrors errors = new PriorityErrors(new StartRecords(folder.resolve("book")).started(Texts.AT));
            assertThat(errors.count()).isEqualTo(1);
            assertThat(errors.median()).isEqualTo(-40);
        }
    }
}
