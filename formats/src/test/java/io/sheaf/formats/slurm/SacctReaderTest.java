package io.sheaf.formats.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.formats.slurm.SacctReader.Imported;
import io.sheaf.formats.slurm.SacctReader.Unit;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.testing.Shared;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SacctReaderTest {
    private static Imported sample(Unit unit) throws IOException {
        try (InputStream in = SacctReaderTest.class.getResourceAsStream("sacct.txt")) {
            if (in == null) {
                throw new AssertionError("no test file sacct.txt");
            }
            return SacctReader.strict(unit, ZoneOffset.UTC).read(Source.of("sacct.txt", in.readAllBytes()));
        }
    }

    private static Imported text(String text) {
        return SacctReader.strict(Unit.CPUS, ZoneOffset.UTC)
                .read(Source.of("jobs.txt", text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void stepsUnfinishedAndRepeatedRecordsAreLeftOutAndCounted() throws IOException {
        Imported in = sample(Unit.CPUS);
        assertThat(in.log().size()).isEqualTo(5);
        assertThat(in.steps()).isEqualTo(1);
        assertThat(in.unfinished()).isEqualTo(2);
        assertThat(in.repeated()).isEqualTo(1);
        assertThat(in.requeued()).isEqualTo(1);
        assertThat(in.renumbered()).isEqualTo(1);
    }

    @Test
    void jobsAreSortedBySubmissionAndTimedFromTheFirst() throws IOException {
        SwfLog log = sample(Unit.CPUS).log();
        // 501 and 502 at 7:00, 500 at 8:00, 503 at 8:30 and, requeued, at 8:41.
        assertThat(jobs(log)).containsExactly(501L, 502L, 500L, 503L, 504L);
        assertThat(log.submit(0)).isZero();
        assertThat(log.submit(2)).isEqualTo(3_600_000);
        assertThat(log.submit(4)).isEqualTo(101 * 60_000);
        assertThat(log.header().number("UnixStartTime")).hasValue(1_709_276_400);
        assertThat(log.header().all("Partition")).containsExactly("1 main", "2 big");
    }

    @Test
    void readsFieldsOfJobs() throws IOException {
        SwfLog log = sample(Unit.CPUS).log();
        assertThat(log.waited(0)).isEqualTo(24 * 3_600_000L);
        assertThat(log.run(0)).isEqualTo(95_400_000);
        assertThat(log.requestedTime(0)).isEqualTo(2 * 86_400_000L);
        assertThat(log.procs(0)).isEqualTo(4);
        assertThat(log.status(0)).as("TIMEOUT").isEqualTo(SwfLog.FAILED);
        assertThat(log.value(SwfField.CPU_TIME, 0))
                .as("26 h and half a second on 4")
                .isEqualTo(23_400_125);
        assertThat(log.value(SwfField.REQUESTED_MEMORY, 0)).as("2 GB per CPU").isEqualTo(2 << 20);
        assertThat(log.value(SwfField.REQUESTED_MEMORY, 2))
                .as("16 GB per node of 4 CPUs")
                .isEqualTo(4 << 20);
        assertThat(log.requestedTime(3)).as("UNLIMITED").isEqualTo(SwfLog.UNKNOWN);
        assertThat(log.value(SwfField.CPU_TIME, 3)).as("1.25 s on 16").isEqualTo(78);
        assertThat(log.status(4)).as("OUT_OF_ME+ is truncated").isEqualTo(SwfLog.FAILED);
        assertThat(log.user(2)).as("ann appeared first").isEqualTo(1);
        assertThat(log.user(0)).isEqualTo(2);
    }

    @Test
    void aJobCancelledInTheQueueKeepsItsWaitAndHasNoRunTime() throws IOException {
        SwfLog log = sample(Unit.CPUS).log();
        assertThat(log.status(1)).isEqualTo(SwfLog.CANCELLED);
        assertThat(log.waited(1)).isEqualTo(20 * 60_000);
        assertThat(log.run(1)).isEqualTo(SwfLog.UNKNOWN);
        assertThat(log.allocatedProcs(1)).isEqualTo((int) SwfLog.UNKNOWN);
        assertThat(log.requestedProcs(1)).isEqualTo(4);
    }

    @Test
    void nodesCanBeCountedInsteadOfCpus() throws IOException {
        SwfLog log = sample(Unit.NODES).log();
        assertThat(log.procs(2)).isEqualTo(2);
        assertThat(log.procs(3)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "1-02:30:00, 95400000",
        "02:14:22, 8062000",
        "05:12, 312000",
        "00:01.250, 1250",
        "2-12, 216000000",
        "1-00:30, 88200000",
        "UNLIMITED, -1",
        "Partition_Limit, -1"
    })
    void parsesDurations(String text, long milliseconds) {
        assertThat(SlurmTimes.duration(text)).isEqualTo(milliseconds);
    }

    @Test
    void parsesInstants() {
        assertThat(SlurmTimes.instant("1709276400", ZoneOffset.UTC)).isEqualTo(1_709_276_400_000L);
        assertThat(SlurmTimes.instant("2024-03-01T07:00:00", ZoneOffset.UTC)).isEqualTo(1_709_276_400_000L);
        assertThat(SlurmTimes.instant("2024-03-01 08:00:00", ZoneId.of("Europe/Stockholm")))
                .isEqualTo(1_709_276_400_000L);
        assertThat(SlurmTimes.instant("Unknown", ZoneOffset.UTC)).isEqualTo(SlurmTimes.UNKNOWN);
    }

    @Test
    void errorsNameFileAndLine() {
        assertThatThrownBy(() -> text("1001|ann|COMPLETED\n"))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("jobs.txt:1: no column JobID");
        assertThatThrownBy(() -> text("JobID|State|Elapsed\n"))
                .hasMessage("jobs.txt:1: no column Submit; add it to sacct's --format");
        String header = "JobID|Submit|Elapsed|State\n";
        assertThatThrownBy(() -> text(header + "1|1700000000|00:10|COMPLETED\n2|1700000000|ten|COMPLETED\n"))
                .hasMessage("jobs.txt:3: 'ten' is not a duration like D-HH:MM:SS");
        assertThatThrownBy(() -> text(header + "1|1700000000|00:10|DONE\n"))
                .hasMessage("jobs.txt:2: state 'DONE' is not one of Slurm's");
        assertThatThrownBy(() -> text(header + "1|1700000000|00:10\n"))
                .hasMessageStartingWith("jobs.txt:2: the line has 3 fields, the first line names 4 columns");
        assertThatThrownBy(() -> text("")).hasMessageStartingWith("jobs.txt: empty");
    }

    @Test
    void lenientReaderReportsProblemsAndContinues() throws IOException {
        List<String> problems = new ArrayList<>();
        String text = "JobID|Submit|Elapsed|State\n1|x|00:10|COMPLETED\n2|1700000000|00:10|COMPLETED\n";
        Imported in = SacctReader.lenient(Unit.CPUS, ZoneOffset.UTC, p -> problems.add(p.getMessage()))
                .read(Source.of("jobs.txt", text.getBytes(StandardCharsets.UTF_8)));
        assertThat(in.log().size()).isEqualTo(1);
        assertThat(in.malformed()).isEqualTo(1);
        assertThat(problems).containsExactly("jobs.txt:2: 'x' is not a time");
    }

    @Test
    void damagedBytesCauseOnlyReportedProblems() throws IOException {
        byte[] undamaged;
        try (InputStream in = SacctReaderTest.class.getResourceAsStream("sacct.txt")) {
            undamaged = Objects.requireNonNull(in).readAllBytes();
        }
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 2000; round++) {
            byte[] damaged = undamaged.clone();
            for (int k = random.nextInt(1, 12); k > 0; k--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            List<InputException> problems = new ArrayList<>();
            try {
                Imported in = SacctReader.lenient(Unit.CPUS, ZoneOffset.UTC, problems::add)
                        .read(Source.of("bad", damaged));
                assertThat(in.malformed()).isEqualTo(problems.size());
            } catch (InputException e) {
                assertThat(e).hasMessageStartingWith("bad:");
            }
        }
    }

    @Test
    void arrayTasksWithoutRawIdGetIdsAboveOtherJobs() throws IOException {
        String text = """
                JobID|Submit|Elapsed|State
                7_1|1700000000|00:10|COMPLETED
                7_2|1700000001|00:10|COMPLETED
                9|1700000002|00:10|COMPLETED
                """;
        SwfLog log = text(text).log();
        assertThat(jobs(log)).containsExactly(10L, 11L, 9L);
    }

    @Test
    void readsASampleOfAnotherProject() throws IOException {
        Imported in = SacctReader.strict(Unit.CPUS, ZoneOffset.UTC)
                .read(Source.of(Shared.path("data/slurm/sacct_parsable2_fixture.txt")));
        SwfLog log = in.log();
        assertThat(log.size()).isEqualTo(7);
        assertThat(in.steps()).isEqualTo(1);
        // By submission: 1005 at 6:00, 1003 at 7:30, 1001 at 8:00, ...
        assertThat(jobs(log)).containsExactly(1005L, 1003L, 1001L, 1002L, 1004L, 1006L, 1007L);
        assertThat(log.run(2)).isEqualTo((2 * 3600 + 15 * 60 + 18) * 1000L);
        assertThat(log.waited(2)).isEqualTo(312_000);
        assertThat(log.status(3)).isEqualTo(SwfLog.FAILED);
    }

    @Test
    void readsThePublishedCsvOfEagle() throws IOException {
        SwfLog log = SacctReader.strict(Unit.NODES, ZoneOffset.UTC)
                .read(Source.of(Shared.path("data/slurm/eagle_sample_1000_jobs.csv")))
                .log();
        assertThat(log.size()).isEqualTo(1000);
        int completed = 0;
        for (int i = 0; i < log.size(); i++) {
            completed += log.status(i) == SwfLog.COMPLETED ? 1 : 0;
            assertThat(log.requestedTime(i)).isPositive();
            assertThat(log.procs(i)).isPositive();
        }
        assertThat(completed).isEqualTo(985);
    }

    private static List<Long> jobs(SwfLog log) {
        List<Long> jobs = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            jobs.add(log.value(SwfField.JOB, i));
        }
        return jobs;
    }
}
