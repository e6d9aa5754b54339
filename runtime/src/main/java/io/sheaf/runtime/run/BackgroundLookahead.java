package io.sheaf.runtime.run;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.RunForks;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.workflow.Workflow;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lookahead of a real run: a thread simulates forks of the queue and of the manager in parallel with the event
 * loop.
 *
 * <p>Each question has a fixed effort on every machine, so its answer depends only on the fork. The event loop
 * calls {@link #find}.
 */
final class BackgroundLookahead implements Lookahead, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BackgroundLookahead.class.getName());

    /** The effort for a question: about two seconds of CPU time. */
    private static final long EFFORT = 1_800_000;

    private static final long PAUSE = 500;

    /** The fork of an unknown queue: its simulations never complete. */
    private static final Fork UNKNOWN = (strategy, memo, future, until) -> new SteppedSimulation() {
        @Override
        public long step() {
            return 0;
        }

        @Override
        public long end() {
            return Decision.NEVER;
        }

        @Override
        public @Nullable Request firstRequest() {
            return null;
        }
    };

    private final Supplier<@Nullable KnownQueue> queue;
    private final RunForks forks;
    private final Manager manager;
    private final ExecutorService background = Executors.newSingleThreadExecutor(DaemonThread.named("lookahead"));
    private @Nullable Future<?> pending;

    BackgroundLookahead(
            Supplier<@Nullable KnownQueue> queue,
            Workflow workflow,
            long begun,
            SimulationSetup setup,
            Manager manager) {
        this.queue = queue;
        this.manager = manager;
        forks = new RunForks(begun, workflow, setup);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T find(Function<Fork, Question<T>> question) {
        Future<?> before = pending;
        if (before == null) {
            KnownQueue known = queue.get();
            Fork fork = known == null ? UNKNOWN : forks.fork(known, manager);
            pending = background.submit(() -> answer(question.apply(fork)));
            return null;
        }
        if (!before.isDone()) {
            return null;
        }
        pending = null;
        try {
            return (T) before.get();
        } catch (ExecutionException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the run cannot be simulated; its strategy stays active",
                    e.getCause());
            return answer(question.apply(UNKNOWN));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static <T> T answer(Question<T> question) {
        T found = question.proceed(EFFORT);
        return found == null ? question.conclude() : found;
    }

    @Override
    public long pause() {
        return PAUSE;
    }

    @Override
    public void close() {
        background.shutdownNow();
    }
}
