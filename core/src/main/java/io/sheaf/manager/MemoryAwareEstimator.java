package io.sheaf.manager;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.Workflow;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An estimator for a run's strategy: queries without memory get what a job that may run any unfinished task would request on each node.
 *
 * <p>A strategy queries before it chooses the tasks of a job, so the estimate holds for every choice, and may be too late for jobs of small tasks.
 */
final class MemoryAwareEstimator implements StartEstimator {
    private static final long UNKNOWN = -1;

    private final ManagedRun run;
    private final StartEstimator inner;
    /** The request per node, or {@link #UNKNOWN} until the first query of a decision. */
    private long perNode = UNKNOWN;
    /** The workflow that {@link #requested} holds for; null before the first query. */
    private @Nullable Workflow read;
    /** Whether a task has a memory request; requests grow only from given ones. */
    private boolean requested;

    private MemoryAwareEstimator(ManagedRun run, StartEstimator inner) {
        this.run = run;
        this.inner = inner;
    }

    /** An estimator of a run; the same one if memory is not counted. */
    static StartEstimator of(ManagedRun run, StartEstimator estimates) {
        StartEstimator plain = estimates instanceof MemoryAwareEstimator other ? other.inner : estimates;
        return run.node().countsMemory() ? new MemoryAwareEstimator(run, plain) : plain;
    }

    /** Forgets what jobs would have requested at the decision before; to be called before each decision. */
    static void update(StartEstimator estimator) {
        if (estimator instanceof MemoryAwareEstimator aware) {
            aware.perNode = UNKNOWN;
        }
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        inner.estimate(query.memory() == 0 ? query.needing(perNode()) : query, answer);
    }

    /** Reads all unfinished tasks, so only if a strategy queries and a task has a memory request. */
    private long perNode() {
        if (perNode == UNKNOWN) {
            perNode = isRequested()
                    ? run.binding.work.atOnce(Claim.all(run), run.node()).memory()
                    : 0;
        }
        return perNode;
    }

    private boolean isRequested() {
        Workflow workflow = run.workflow();
        if (!workflow.equals(read)) {
            read = workflow;
            requested = IntStream.range(0, workflow.size())
                    .anyMatch(task -> workflow.resources(task).memory() > 0);
        }
        return requested;
    }

    @Override
    public Basis basis() {
        return inner.basis();
    }
}
