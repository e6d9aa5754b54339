package io.sheaf.runtime.past;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.QueueSnapshot.Job;
import io.sheaf.text.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSnapshotsTest {
    private static final long AT = 1_794_729_600_000L;

    @TempDir
    Path run = Path.of("");

    private static QueueSnapshot queueAt(long at, Job... jobs) {
        return QueueSnapshot.of(AT + at, 8, 500, List.of(jobs));
    }

    private static final Job WAITS = Job.of("4711", 4, 3_600_000, QueueSnapshot.QUEUED);
    private static final Job RUNS = Job.of("4711", 4, 3_600_000, AT + 40_000);
    private static final Job ANOTHER = Job.of("4712", 1, 60_000, AT - 5);

    private static List<QueueSnapshot> sampleSnapshots() {
        return List.of(
                queueAt(0, ANOTHER, WAITS),
                queueAt(60_000, ANOTHER, RUNS),
                queueAt(120_000, RUNS),
                queueAt(180_000),
                queueAt(240_000, WAITS));
    }

    private void write(List<QueueSnapshot> all) {
        try (QueueSnapshots snapshots = new QueueSnapshots(run)) {
            all.forEach(snapshots::write);
        }
    }

    @Test
    void snapshotsAreReadBack() throws IOException {
        assertThat(QueueSnapshots.read(run)).isEmpty();
        write(sampleSnapshots());
        assertThat(QueueSnapshots.read(run)).isEqualTo(sampleSnapshots());
    }

    @Test
    void eachProcessWritesItsOwnFile() throws IOException {
        write(sampleSnapshots().subList(0, 2));
        write(sampleSnapshots().subList(2, 5));
        assertThat(QueueSnapshots.read(run)).isEqualTo(sampleSnapshots());
        try (Stream<Path> files = Files.list(run.resolve("snapshots"))) {
            assertThat(files).hasSize(2);
        }
    }

    /** A process may be killed at any byte: complete snapshots written before count, and no half of a snapshot does. */
    @Test
    void aTruncatedFileKeepsItsCompleteSnapshots() throws IOException {
        write(sampleSnapshots());
        Path file = run.resolve("snapshots/000001.gz");
        byte[] whole = Files.readAllBytes(file);
        int maximum = 0;
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            List<QueueSnapshot> read = QueueSnapshots.read(run);
            assertThat(read).isEqualTo(sampleSnapshots().subList(0, read.size()));
            assertThat(read.size()).as("cut off after %d bytes", length).isGreaterThanOrEqualTo(maximum);
            maximum = read.size();
        }
        assertThat(maximum).isEqualTo(sampleSnapshots().size());
    }

    /** A folder of another person may contain anything; this file expands to 2 GiB. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "+ 4711 4 3600000 -1\n"})
    void aFileThatExpandsTooMuchIsRefused(String unit) throws IOException {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(member)) {
            out.write(("sheaf-queue 1\n" + unit.repeat(8 << 20)).getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.createDirectory(run.resolve("snapshots")).resolve("000001.gz");
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < 256; i++) {
                member.writeTo(out);
            }
        }
        assertThatThrownBy(() -> QueueSnapshots.read(run))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": expands to more than");
    }

    /** A snapshot is offered every half minute for a week: 100 are stored, then one a minute, … */
    @Test
    void aLongRunStoresFewSnapshots() throws IOException {
        List<Long> stored = new ArrayList<>();
        try (QueueSnapshots snapshots = new QueueSnapshots(run)) {
            for (long at = 0; at < 7L * 86_400_000; at += 30_000) {
                if (snapshots.isDue(AT + at)) {
                    stored.add(at);
                    snapshots.write(queueAt(at, WAITS));
                }
                snapshots.write(queueAt(at + 1, RUNS));
            }
        }
        assertThat(stored).hasSizeBetween(700, 800).startsWith(0L, 30_000L, 60_000L);
        assertThat(QueueSnapshots.read(run)).hasSameSizeAs(stored).allMatch(each -> each.jobs()
                .equals(List.of(WAITS)));
        assertThat(run.resolve("snapshots/000001.gz").toFile().length()).isLessThan(100_000);
    }

    @Test
    void anUnwritableFolderStoresNoSnapshots() throws IOException {
        Files.writeString(run.resolve("snapshots"), "no folder");
        write(sampleSnapshots());
        assertThat(run.resolve("snapshots")).hasContent("no folder");
    }
}
