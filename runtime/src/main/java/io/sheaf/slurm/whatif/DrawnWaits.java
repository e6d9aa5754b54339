package io.sheaf.slurm.whatif;

import io.sheaf.predict.CalibratedQuantiles;
import io.sheaf.predict.Quantiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calibration of sampled queue waits. The {@linkplain StartRecords book} records the uncalibrated quantiles for each
 * of our jobs with its actual start. Only jobs that were expected to wait count.
 */
final class DrawnWaits {
    private static final String NAME = SampledStarts.NAME + "-";

    private final CalibratedQuantiles calibrated = new CalibratedQuantiles();
    private final List<StartRecords.StartRecord> waiting;
    private int learnt;

    /**
     * Learns from recorded jobs.
     *
     * @param started in the order of their starts
     * @param waiting jobs that are known to be still queued
     */
    DrawnWaits(List<StartRecords.StartRecord> started, List<StartRecords.StartRecord> waiting) {
        for (StartRecords.StartRecord entry : started) {
            Quantiles drawn = of(entry);
            if (drawn != null) {
                calibrated.learn(drawn, entry.waited());
                learnt++;
            }
        }
        this.waiting = waiting.stream().filter(each -> of(each) != null).toList();
    }

    /** The number of starts that it has learnt from. */
    int learnt() {
        return learnt;
    }

    /** Calibrates the quantiles of sampled waits; a job that starts immediately in all samples is unchanged. */
    Quantiles calibrated(Quantiles drawn, long now) {
        if (drawn.high90() <= 0) {
            return drawn;
        }
        List<CalibratedQuantiles.Waiting> open = new ArrayList<>();
        for (StartRecords.StartRecord entry : waiting) {
            Quantiles predicted = of(entry);
            if (predicted != null) {
                open.add(new CalibratedQuantiles.Waiting(predicted, Math.max(0, now - entry.submitted())));
            }
        }
        return calibrated.of(drawn, open);
    }

    /** Converts quantiles to instants by name, for the book. */
    static Map<String, Long> noted(Quantiles waits, long now) {
        Map<String, Long> noted = new LinkedHashMap<>();
        for (int i = 0; i < Quantiles.levels().length; i++) {
            noted.put(name(i), now + waits.values()[i]);
        }
        return noted;
    }

    /** Whether an entry of the book is a quantile, as opposed to an estimator's prediction. */
    static boolean isQuantile(String name) {
        return name.startsWith(NAME);
    }

    private static String name(int level) {
        return NAME + Math.round(100 * Quantiles.levels()[level]);
    }

    /** The quantiles of a job; null if none are recorded, or if it was not expected to wait. */
    private static @Nullable Quantiles of(StartRecords.StartRecord entry) {
        long[] waits = new long[Quantiles.levels().length];
        for (int i = 0; i < waits.length; i++) {
            Long at = entry.predicted().get(name(i));
            if (at == null) {
                return null;
            }
            waits[i] = Math.max(0, at - entry.submitted());
        }
        return entry.predicted().getOrDefault(SnapshotEstimator.NAME, 0L) > entry.submitted()
                ? Quantiles.at(waits)
                : null;
    }
}
