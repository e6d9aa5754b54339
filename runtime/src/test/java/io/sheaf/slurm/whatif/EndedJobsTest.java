package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.sim.JobLog;
import io.sheaf.slurm.SlurmCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedJobsTest {
    private static final QueueModel.SubmissionTarget MAIN = Texts.target("main");
    private static final String EIGHT = Texts.EIGHT;

    @TempDir
    Path folder = Path.of("");

    private EndedJobs ended() {
        return new EndedJobs(SlurmCommands.runner(folder, Reach.here(Map.of()), 1_000), folder);
    }

    private static SlurmSnapshot later(SlurmSnapshot snapshot, long millis) {
        return new SlurmSnapshot(
                snapshot.at() + millis,
                snapshot.user(),
                snapshot.jobs(),
                snapshot.nodes(),
                snapshot.reservations(),
                snapshot.tiers(),
                snapshot.config(),
                snapshot.limits(),
                snapshot.lost(),
                snapshot.problems(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    /** A cluster with accounting whose {@code sacct} prints these lines. */
    private EndedJobs accounted(String rows) throws IOException, InterruptedException {
        Path sacct = folder.resolve("sacct");
        Files.writeString(folder.resolve("rows"), rows);
        Files.writeString(sacct, "#!/bin/sh\ncat " + folder + "/rows\n");
        Files.setPosixFilePermissions(sacct, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = Map.of("PATH", folder + ":" + System.getenv("PATH"));
        EndedJobs ended = new EndedJobs(SlurmCommands.runner(null, Reach.here(environment), 10_000), folder);
        ended.learn(Texts.snapshot("", EIGHT, "", Map.of("AccountingStorageType", "accounting_storage/slurmdbd")));
        return ended;
    }

    @Test
    void endedJobsAreReadFromSacct() throws IOException, InterruptedException {
        EndedJobs ended = accounted("""
                ann|4|60|1800|COMPLETED|1794700000|lab|main|4|8
                ann|4|60|3600|TIMEOUT|1794690000|lab|main|4|8
                ann|4|60|900|CANCELLED by 7|Unknown|lab|main|4|8
                ann|4|60|100|RUNNING|1794740000|lab|main|4|8
                ann|0|60|0|CANCELLED|1794690000|lab|main|4|8
                bob|1|UNLIMITED|5|FAILED|1794690000|lab|main|4|8

                half a li""");
        assertThat(ended.basis()).isEqualTo("3 jobs in sacct");
        JobLog past = ended.past();
        assertThat(past.size()).isEqualTo(3);
        assertThat(LongStream.range(0, 3).map(job -> past.submit((int) job)))
                .containsExactly(0L, 1_794_690_000_000L, 1_794_700_000_000L);
        assertThat(LongStream.range(0, 3).map(job -> past.run((int) job)))
                .containsExactly(900_000L, 3_600_000L, 1_800_000L);
        assertThat(past.requested(2)).isEqualTo(3_600_000);
        assertThat(past.nodes(2)).isEqualTo(4);
        assertThat(past.user(0)).isEqualTo(past.user(2)).isNotNegative();
    }

    /** Three jobs are too few to learn from; the next query is after 5 minutes, not after an hour. */
    @Test
    void accountingWithFewJobsIsReadAgainSoon() throws IOException, InterruptedException {
        EndedJobs ended = accounted("ann|4|60|1800|COMPLETED|1794700000|lab|main|4|8\n".repeat(3));
        Files.writeString(folder.resolve("rows"), "ann|4|60|1800|COMPLETED|1794700000|lab|main|4|8\n".repeat(30));
        SlurmSnapshot now =
                Texts.snapshot("", EIGHT, "", Map.of("AccountingStorageType", "accounting_storage/slurmdbd"));
        ended.learn(later(now, 200_000));
        assertThat(ended.count()).isEqualTo(3);
        ended.learn(later(now, 300_000));
        assertThat(ended.count()).isEqualTo(30);
        Files.writeString(folder.resolve("rows"), "");
        ended.learn(later(now, 700_000));
        assertThat(ended.count()).as("these are enough for an hour").isEqualTo(30);
    }

    @Test
    void runTimesAreLearntFromJobsThatLeftTheQueue() throws InterruptedException {
        StringBuilder queue = new StringBuilder();
        for (int i = 1; i <= 25; i++) {
            queue.append(Texts.running(i, "n[1-8]", 3_200));
        }
        SlurmSnapshot full = Texts.snapshot(queue.toString(), EIGHT);
        EndedJobs ended = ended();
        ended.learn(full);
        assertThat(ended.count()).isZero();
        assertThat(SampledStarts.drawn(full, draw -> MAIN, ended, StartQuery.of(Texts.AT, 0, 8, 60_000), 11))
                .as("no job has ended yet")
                .isNull();
        // They had run for 400 s of their hour, and have left the queue 200 s later.
        ended.learn(later(Texts.snapshot("", EIGHT), 200_000));
        EndedJobs another = ended();
        SlurmSnapshot snapshot = Texts.snapshot(Texts.running(99, "n[1-8]", 3_200), EIGHT);
        another.learn(snapshot);
        assertThat(another.count()).as("one process learns from the other").isEqualTo(25);
        assertThat(another.basis()).isEqualTo("25 jobs observed until their end");
        assertThat(another.past().run(24)).isEqualTo(600_000);
        Quantiles waits = Objects.requireNonNull(
                SampledStarts.drawn(snapshot, draw -> MAIN, another, StartQuery.of(Texts.AT, 0, 8, 60_000), 101));
        assertThat(waits.median()).as("a sixth of its hour, and not all of it").isEqualTo(200_000);
        assertThat(List.of(waits.low90(), waits.low50(), waits.median(), waits.high50(), waits.high90()))
                .isSorted();
        assertThat(waits.high90()).isLessThanOrEqualTo(3_200_000);
        assertThat(Texts.start(snapshot, MAIN, 8, 1)).isEqualTo(3_200);
    }

    /** The user's own job ends as others did; a pilot job of the user lasts its walltime, of which 3,200 s are left. */
    @Test
    void ownJobsEndLikeBackgroundJobsAndPilotJobsDoNot() throws InterruptedException {
        StringBuilder queue = new StringBuilder();
        for (int i = 1; i <= 25; i++) {
            queue.append(Texts.running(i, "n[1-8]", 3_200));
        }
        EndedJobs ended = ended();
        ended.learn(Texts.snapshot(queue.toString(), EIGHT));
        ended.learn(later(Texts.snapshot("", EIGHT), 200_000));
        String own = Texts.running(99, "n[1-8]", 3_200).replace("|you|", "|me|");
        assertThat(medianWait(ended, own)).isEqualTo(200_000);
        assertThat(medianWait(ended, own.replace("|job\n", "|sheaf-montage-p1.1f0c\n")))
                .isEqualTo(3_200_000);
        assertThat(medianWait(ended, own.replace("|job\n", "|sheaf-1f0c.manager\n")))
                .isEqualTo(200_000);
    }

    /**
     * In the last 40 minutes ann has submitted a job of 8 nodes × 10 minutes each minute, ten times what 8 nodes can
     * run. Samples do not continue this rate: a queue that is empty now stays so, and one with such a job grows by
     * another. In this sample all these jobs use their limits.
     */
    @Test
    void arrivalsDoNotExceedWhatTheClusterCanRun() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder();
        for (int i = 40; i > 0; i--) {
            rows.append("ann|8|10|600|COMPLETED|")
                    .append(Texts.AT / 1000 - i * 60L)
                    .append("|lab|main|8|16\n");
        }
        EndedJobs ended = accounted(rows.toString());
        assertThat(arrivals(ended, "")).containsExactly(0L, 10L, 20L, 30L, 40L, 50L);
        assertThat(arrivals(ended, Texts.waiting(1, 8, "10:00", "Resources", "(null)")))
                .containsExactly(0L, 1L, 10L, 20L, 30L, 40L, 50L);
    }

    /** The minutes within the next hour at which jobs arrive in a sample. */
    private static List<Long> arrivals(EndedJobs ended, String queue) {
        Map<String, String> config = Map.of("PriorityType", "priority/multifactor", "PriorityWeightFairShare", "10000");
        SlurmPriority priority = new SlurmPriority(
                config, Map.of(), Map.of(), "", 8, 16, SlurmShares.read("lab|ann|1|0|0.500000\n", "me", "lab"));
        SlurmSnapshot now = Texts.counting(Texts.snapshot(queue, EIGHT), SlurmMemory.UNCOUNTED, priority);
        return ended.drawn(now, new RandomStream(1)).jobs().stream()
                .filter(job -> job.isArrival() && job.start() < Texts.AT + 3_600_000)
                .map(job -> (job.start() - Texts.AT) / 60_000)
                .toList();
    }

    private static long medianWait(EndedJobs ended, String job) {
        return Objects.requireNonNull(SampledStarts.drawn(
                        Texts.snapshot(job, EIGHT), draw -> MAIN, ended, StartQuery.of(Texts.AT, 0, 8, 60_000), 101))
                .median();
    }
}
