package io.sheaf.sim;

import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.workflow.Workflow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lookahead of a run in a simulated queue: background jobs to come are drawn, not read from the log.
 *
 * <p>A question proceeds by a fixed effort at each call, like in a real run, where it takes some time.
 */
final class SimulatedLookahead implements Lookahead {
    /** The effort at each call: some 10 ms. */
    private static final long PIECE = 10_000;

    private final Supplier<KnownQueue> queue;
    private final RunForks forks;
    private final Manager manager;
    private @Nullable Question<?> pending;

    /** For the run of a manager that begins at an instant. */
    SimulatedLookahead(
            Supplier<KnownQueue> queue, long start, Workflow workflow, SimulationSetup setup, Manager manager) {
        this.queue = queue;
        this.manager = manager;
        forks = new RunForks(start, workflow, setup);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T find(Function<Fork, Question<T>> question) {
        Question<T> open = pending == null ? question.apply(forks.fork(queue.get(), manager)) : (Question<T>) pending;
        T found = open.proceed(PIECE);
        pending = found == null ? open : null;
        return found;
    }

    /** Lookahead takes no simulated time, except for the least that there is. */
    @Override
    public long pause() {
        return 1;
    }
}
