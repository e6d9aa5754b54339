package io.sheaf.runtime.batch;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.function.LongSupplier;

/** Start-time estimates of jobs whose tasks begin some time after the jobs do, because their inputs have to be copied. */
record DelayedStarts(StartEstimator starts, LongSupplier delay) implements StartEstimator {
    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        starts.estimate(query, answer);
        long later = delay.getAsLong();
        for (int i = 0; i < answer.answered(); i++) {
            if (answer.job(i) != StartTimes.NEVER && answer.job(i) != StartTimes.UNKNOWN) {
                answer.job(i, answer.job(i) + later);
            }
        }
    }

    @Override
    public Basis basis() {
        return starts.basis();
    }
}
