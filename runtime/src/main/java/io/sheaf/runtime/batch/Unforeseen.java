package io.sheaf.runtime.batch;

import io.sheaf.predict.Estimator;
import java.util.Arrays;

/** Knows nothing of the queue: everything may start at once. */
public final class Unforeseen implements Estimator {
    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        Arrays.fill(out, 0, count, now);
    }

    @Override
    public Basis basis() {
        return Basis.NONE;
    }
}
