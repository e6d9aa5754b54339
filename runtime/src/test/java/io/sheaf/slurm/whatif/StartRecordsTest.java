package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Calibration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predicted and actual starts of jobs are stored on disk. */
class StartRecordsTest {
    @TempDir
    Path folder = Path.of("");

    private static StartRecords.StartRecord entry(int i, long waited, Map<String, Long> predicted) {
        return new StartRecords.StartRecord("sheaf-x." + i, i, 4, 60_000, i + waited, predicted);
    }

    @Test
    void entriesAreReadBackByAnotherProcess() throws IOException {
        StartRecords.StartRecord waiting =
                new StartRecords.StartRecord("sheaf-x.1", 5, 4, 60_000, Limit.UNKNOWN, Map.of("engine", 9L));
        new StartRecords(folder).write(waiting);
        StartRecords other = new StartRecords(folder);
        assertThat(other.entries()).containsExactly(waiting);
        assertThat(other.started(100)).isEmpty();
        StartRecords.StartRecord started =
                waiting.with(Map.of("planned", 8L)).with(Map.of("planned", 99L)).started(7);
        new StartRecords(folder).write(started);
        assertThat(other.started(100)).containsExactly(started);
        assertThat(started.predicted()).containsEntry("planned", 8L);
        assertThat(started.waited()).isEqualTo(2);
    }

    /** A file cut off at any byte is not read as another entry. */
    @Test
    void damagedFilesAreIgnored() throws IOException {
        StartRecords book = new StartRecords(folder);
        book.write(entry(1, 5, Map.of("engine", 123_456L, "mean-wait", 777L)));
        List<StartRecords.StartRecord> whole = book.entries();
        Path file;
        try (var files = Files.list(folder)) {
            file = files.toList().get(0);
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length < bytes.length - 1; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThat(book.entries()).as("%d bytes", length).isEmpty();
        }
        Files.write(file, bytes);
        assertThat(book.entries()).isEqualTo(whole);
        Files.write(file, new byte[] {'j', 'o', 'b', (byte) 0xff});
        assertThat(book.entries()).isEmpty();
    }

    @Test
    void theLatestEntriesAreKept() throws IOException {
        StartRecords book = new StartRecords(folder);
        for (int i = 0; i < StartRecords.KEPT + 5; i++) {
            book.write(entry(i, 10, Map.of()));
        }
        book.write(new StartRecords.StartRecord("waiting", 0, 1, 1, Limit.UNKNOWN, Map.of()));
        assertThat(book.started(1_000)).hasSize(StartRecords.KEPT);
        assertThat(book.entries()).hasSize(StartRecords.KEPT + 1);
        assertThat(book.started(61L * 86_400_000)).hasSize(StartRecords.KEPT);
        assertThat(book.entries()).hasSize(StartRecords.KEPT);
    }

    @Test
    void theEstimatorWithTheLeastErrorIsBest() {
        List<String> names = List.of("engine", "mean-wait", "test-only");
        Calibration none = new Calibration();
        assertThat(none.best(names)).isEqualTo("engine");
        Calibration calibration = StartRecords.calibration(List.of(
                entry(0, 600_000, Map.of("engine", 6_000_000L, "mean-wait", 600_000L)),
                entry(1, 600_000, Map.of("engine", 6_000_000L, "mean-wait", 600_000L))));
        assertThat(calibration.best(names)).isEqualTo("engine");
        calibration.add("mean-wait", 600_000, 600_000);
        calibration.add("engine", 600_000, 600_000);
        assertThat(calibration.best(names)).isEqualTo("mean-wait");
        for (int i = 0; i < Calibration.RECENT; i++) {
            calibration.add("engine", 600_000, 600_000);
            calibration.add("mean-wait", 0, 600_000);
        }
        assertThat(calibration.recentLoss("engine")).isZero();
        assertThat(calibration.best(names)).isEqualTo("engine");
    }
}
