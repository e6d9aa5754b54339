package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Calibration;
import io.sheaf.predict.Quantiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sampled waits of own jobs are calibrated by their actual waits. */
class DrawnWaitsTest {
    private static final long HOUR = 3_600_000;
    private static final Quantiles PREDICTED = new Quantiles(HOUR / 2, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR);

    @TempDir
    Path folder = Path.of("");

    private static StartRecords.StartRecord entry(int i, long engine, long start) {
        long at = i * HOUR;
        Map<String, Long> predicted = new HashMap<>(DrawnWaits.noted(PREDICTED, at));
        predicted.put("engine", at + engine);
        return new StartRecords.StartRecord("job" + i, at, 4, HOUR, start < 0 ? Limit.UNKNOWN : at + start, predicted);
    }

    private static List<StartRecords.StartRecord> entries(int count, long engine, long start) {
        List<StartRecords.StartRecord> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(entry(i, engine, start));
        }
        return entries;
    }

    /** Actual waits, read from the book of another process, are always twice the estimated median. */
    @Test
    void actualWaitsCalibrateEstimates() throws IOException {
        StartRecords book = new StartRecords(folder);
        for (StartRecords.StartRecord each : entries(120, 9 * HOUR, 4 * HOUR)) {
            book.write(each);
        }
        DrawnWaits waits = new DrawnWaits(new StartRecords(folder).started(HOUR), List.of());
        assertThat(waits.learnt()).isEqualTo(120);
        Quantiles interval = waits.calibrated(PREDICTED, 0);
        assertThat(interval.median()).isBetween(4 * HOUR - 1, 4 * HOUR + 1);
        assertThat(interval.high90() - interval.low90()).isLessThan(4 * HOUR);
    }

    @Test
    void withoutActualWaitsIntervalsAreWidened() {
        Quantiles interval = new DrawnWaits(List.of(), List.of()).calibrated(PREDICTED, 0);
        assertThat(interval.median()).isEqualTo(PREDICTED.median());
        assertThat(interval.low90()).isLessThan(PREDICTED.low90());
        assertThat(interval.high90()).isBetween(5 * HOUR, 7 * HOUR);
    }

    @Test
    void jobsWithoutAnEstimatedWaitAreNotLearntFrom() {
        DrawnWaits waits = new DrawnWaits(entries(50, 0, 20 * HOUR), List.of());
        assertThat(waits.learnt()).isZero();
        Quantiles atOnce = Quantiles.always(0);
        assertThat(waits.calibrated(atOnce, 0)).isEqualTo(atOnce);
    }

    /** 40 started as estimated, and 200 have waited for days. */
    @Test
    void jobsThatStillWaitCount() {
        List<StartRecords.StartRecord> started = entries(40, 9 * HOUR, 2 * HOUR);
        DrawnWaits alone = new DrawnWaits(started, List.of());
        DrawnWaits both = new DrawnWaits(started, entries(200, 9 * HOUR, -1));
        assertThat(alone.calibrated(PREDICTED, 300 * HOUR).median()).isEqualTo(2 * HOUR);
        assertThat(both.calibrated(PREDICTED, 300 * HOUR).median()).isGreaterThan(4 * HOUR);
    }

    @Test
    void quantilesAreNotCountedAsEstimators() {
        Calibration calibration = StartRecords.calibration(entries(5, 9 * HOUR, 2 * HOUR));
        assertThat(calibration.count("engine")).isEqualTo(5);
        assertThat(calibration.count("corrected-50")).isZero();
    }
}
