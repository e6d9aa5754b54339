package io.sheaf.runtime.run;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** Start-time estimates of jobs whose tasks begin some time after the jobs do, because their inputs have to be copied. Answers of one instant are alike. */
final class DelayedStarts implements StartEstimator {
    private final StartEstimator starts;
    private final IntToLongFunction delay;
    private final Map<Integer, Long> delays = new HashMap<>();
    private long asOf = Long.MIN_VALUE;

    /**
     * Estimates with a delay.
     *
     * @param delay the time after the start of a job in a node pool, in milliseconds
     */
    DelayedStarts(StartEstimator starts, IntToLongFunction delay) {
        this.starts = starts;
        this.delay = delay;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        starts.estimate(query, answer);
        if (query.now() != asOf) {
            asOf = query.now();
            delays.clear();
        }
        for (int i = 0; i < answer.answered(); i++) {
            if (answer.job(i) != StartTimes.NEVER && answer.job(i) != StartTimes.UNKNOWN) {
                long later = delays.computeIfAbsent(query.pool(i), delay::applyAsLong);
                answer.job(i, answer.job(i) + later);
            }
        }
    }

    @Override
    public Basis basis() {
        return starts.basis();
    }
}
