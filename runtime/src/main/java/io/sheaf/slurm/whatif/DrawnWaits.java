package io.sheaf.slurm.whatif;

import io.sheaf.predict.CalibratedQuantiles;
import io.sheaf.predict.Quantiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How drawn queues have fared: the quantiles of the starts that were drawn for each of our jobs stand in the {@linkplain StartBook book} beside the other predictions, before anything was made of them, and
 * what came is learnt from. As in the judgement on logs only jobs count that were to wait.
 */
final class DrawnWaits {
    private static final String NAME = SampledStarts.NAME + "-";

    private final CalibratedQuantiles calibrated = new CalibratedQuantiles();
    private final List<StartBook.Entry> waiting = new ArrayList<>();
    private int learnt;

    /** Nothing is known. */
    DrawnWaits() {}

    /**
     * What jobs on record teach.
     *
     * @param started in the order of their starts
     * @param waiting those that still wait, and surely so
     */
    DrawnWaits(List<StartBook.Entry> started, List<StartBook.Entry> waiting) {
        for (StartBook.Entry entry : started) {
            Quantiles drawn = of(entry);
            if (drawn != null) {
                calibrated.learn(drawn, entry.waited());
                learnt++;
            }
        }
        waiting.stream().filter(each -> of(each) != null).forEach(this.waiting::add);
    }

    /** Of how many starts it has learnt. */
    int learnt() {
        return learnt;
    }

    /** The quantiles of waits that were drawn, calibrated; a job that starts at once in all of them does so. */
    Quantiles calibrated(Quantiles drawn, long now) {
        if (drawn.high90() <= 0) {
            return drawn;
        }
        List<CalibratedQuantiles.Waiting> open = new ArrayList<>();
        for (StartBook.Entry entry : waiting) {
            Quantiles foretold = of(entry);
            if (foretold != null) {
                open.add(new CalibratedQuantiles.Waiting(foretold, Math.max(0, now - entry.submitted())));
            }
        }
        return calibrated.of(drawn, open);
    }

    /** As they stand in the book: the instants by name. */
    static Map<String, Long> noted(Quantiles waits, long now) {
        Map<String, Long> noted = new LinkedHashMap<>();
        for (int i = 0; i < Quantiles.levels().length; i++) {
            noted.put(name(i), now + waits.values()[i]);
        }
        return noted;
    }

    /** Whether something in the book is one of them, and not what an estimator said. */
    static boolean isQuantile(String name) {
        return name.startsWith(NAME);
    }

    private static String name(int level) {
        return NAME + Math.round(100 * Quantiles.levels()[level]);
    }

    /** Those of a job; null if none are on record, or if it was not to wait. */
    private static @Nullable Quantiles of(StartBook.Entry entry) {
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
