package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import java.util.function.LongToIntFunction;

/** Asks a batch engine that holds the queue as it is: the simulated one itself, or one loaded with a snapshot. */
public final class EngineEstimator implements Estimator {
    private final BatchEngine engine;
    private final LongToIntFunction handles;
    /** Whether what we submit is in its queue at once. */
    private final boolean heard;

    private int[] asked = new int[0];

    /** Where nothing is known of jobs that are queued already. */
    public EngineEstimator(BatchEngine engine) {
        this(engine, token -> -1, false);
    }

    /** With the engine's handles for our tokens; −1 for one that it does not know. What we submit is in its queue at once. */
    public EngineEstimator(BatchEngine engine, LongToIntFunction handles) {
        this(engine, handles, true);
    }

    private EngineEstimator(BatchEngine engine, LongToIntFunction handles, boolean heard) {
        this.engine = engine;
        this.handles = handles;
        this.heard = heard;
    }

    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        engine.estimate(now, units, walltime, count, out);
    }

    @Override
    public int inTurn(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        return engine.estimateInTurn(now, units, walltime, heard ? count : 1, out);
    }

    @Override
    public void together(long now, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        expect(now, -1, tokens, count, units, walltime, out);
    }

    @Override
    public void without(
            long now, long cancelled, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        expect(now, handles.applyAsInt(cancelled), tokens, count, units, walltime, out);
    }

    private void expect(long now, int cancelled, long[] tokens, int count, int units, long walltime, long[] out) {
        if (asked.length < count) {
            asked = new int[count];
        }
        for (int i = 0; i < count; i++) {
            asked[i] = handles.applyAsInt(tokens[i]);
        }
        engine.expectWithout(now, cancelled, asked, count, units, walltime, out);
    }

    @Override
    public Basis basis() {
        return engine.policy().depth() == Policy.CONSERVATIVE ? Basis.PROMISE : Basis.SIMULATED;
    }
}
