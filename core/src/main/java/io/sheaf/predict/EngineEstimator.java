package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;

/** Asks a batch engine that holds the queue as it is: the simulated one itself, or one loaded with a snapshot. */
public final class EngineEstimator implements Estimator {
    private final BatchEngine engine;

    public EngineEstimator(BatchEngine engine) {
        this.engine = engine;
    }

    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        engine.estimate(now, units, walltime, count, out);
    }

    @Override
    public Basis basis() {
        return engine.policy().depth() == Policy.CONSERVATIVE ? Basis.PROMISE : Basis.SIMULATED;
    }
}
