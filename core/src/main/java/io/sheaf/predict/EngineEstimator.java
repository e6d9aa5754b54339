package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.InferredOrder;
import io.sheaf.batch.Policy;
import java.util.function.LongToIntFunction;

/** Estimates by a batch engine that contains the queue: that of a simulated or embedded cluster, or one loaded with a snapshot. */
public final class EngineEstimator implements StartEstimator {
    private final BatchEngine origin;
    private final InferredOrder order;
    private final LongToIntFunction handles;
    /** Whether submitted jobs are in its queue at once. */
    private final boolean seesSubmissions;

    private int[] queuedJobs = new int[0];

    /** An estimator that does not contain our queued jobs and does not see submissions at once. */
    public EngineEstimator(BatchEngine engine) {
        this(engine, token -> -1, false);
    }

    /** With the engine's handles for our tokens; −1 for an unknown one. Submitted jobs are in its queue at once. */
    public EngineEstimator(BatchEngine engine, LongToIntFunction handles) {
        this(engine, handles, true);
    }

    /** With the engine's handles for our tokens, whether or not submissions are in its queue at once. */
    public EngineEstimator(BatchEngine engine, LongToIntFunction handles, boolean seesSubmissions) {
        origin = engine;
        order = new InferredOrder(engine);
        this.handles = handles;
        this.seesSubmissions = seesSubmissions;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        long[] out = answer.begin(query, basis());
        BatchEngine engine = order.engine();
        if (query.isWithQueued()) {
            withQueued(engine, query, out);
        } else if (query.isInOrder() && seesSubmissions) {
            answer.answered(engine.estimateInOrder(query.now(), query.shapes(), out));
        } else {
            engine.estimate(query.now(), query.shapes(), out);
        }
    }

    private void withQueued(BatchEngine engine, StartQuery query, long[] out) {
        if (queuedJobs.length < query.queued()) {
            queuedJobs = new int[query.queued()];
        }
        for (int i = 0; i < query.queued(); i++) {
            queuedJobs[i] = handles.applyAsInt(query.token(i));
        }
        int cancelled = query.cancelled() == StartQuery.NONE ? -1 : handles.applyAsInt(query.cancelled());
        engine.expect(query.now(), cancelled, queuedJobs, query.queued(), query.shapes(), out);
    }

    @Override
    public Basis basis() {
        return origin.policy().depth() == Policy.CONSERVATIVE ? Basis.PROMISE : Basis.SIMULATED;
    }
}
