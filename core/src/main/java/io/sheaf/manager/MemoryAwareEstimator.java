package io.sheaf.manager;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;

/**
 * An estimator for a run's strategy: queries without memory get what a job that may run any unfinished task would request on each node.
 *
 * <p>A strategy queries before it chooses the tasks of a job, so the estimate holds for every choice, and may be too late for jobs of small tasks.
 */
final class MemoryAwareEstimator implements StartEstimator {
    private final ManagedRun run;
    private final StartEstimator inner;
    private long perNode;

    private MemoryAwareEstimator(ManagedRun run, StartEstimator inner) {
        this.run = run;
        this.inner = inner;
    }

    /** An estimator of a run; the same one if memory is not counted. */
    static StartEstimator of(ManagedRun run, StartEstimator asked) {
        StartEstimator plain = asked instanceof MemoryAwareEstimator other ? other.inner : asked;
        return run.node().countsMemory() ? new MemoryAwareEstimator(run, plain) : plain;
    }

    /** Finds what jobs may request now; to be called before each decision. */
    static void update(StartEstimator estimator) {
        if (estimator instanceof MemoryAwareEstimator aware) {
            aware.perNode = aware.run
                    .binding
                    .atOnce(Claim.all(aware.run), aware.run.node())
                    .memory();
        }
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        inner.estimate(query.memory() == 0 ? query.needing(perNode) : query, answer);
    }

    @Override
    public Basis basis() {
        return inner.basis();
    }
}
