package io.sheaf.runtime.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.View;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.ThoughtFutures;
import io.sheaf.workflow.Workflow;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The futures of a real run, looked into by a thread of their own: the event loop hands over a copy of the queue and of the manager and goes on.
 *
 * <p>For each question there is a limit of time, after which nothing more is played.
 */
final class BesideFutures implements Futures, AutoCloseable {
    /** How long a question may take. */
    private static final long LIMIT_NANOS = 1_800_000_000L;

    private static final long PAUSE = 500;

    /** Of a queue that nobody knows: nothing can be foreseen. */
    private static final Moment UNKNOWN = (strategy, memo, future, until) -> new Play() {
        @Override
        public long goOn() {
            return 0;
        }

        @Override
        public long end() {
            return Decision.NEVER;
        }
    };

    private final Supplier<@Nullable KnownQueue> queue;
    private final ThoughtFutures thoughts;
    private final ExecutorService beside = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "futures");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Future<?> asked;

    BesideFutures(Supplier<@Nullable KnownQueue> queue, Workflow workflow, long begun, SimulationSetup setup) {
        this.queue = queue;
        thoughts = new ThoughtFutures(begun, workflow, setup);
    }

    /** By the event loop only. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T find(View view, Function<Moment, Question<T>> question) {
        Future<?> before = asked;
        if (before == null) {
            Moment moment = moment(view);
            asked = beside.submit(() -> question.apply(moment).goOn(Long.MAX_VALUE));
            return null;
        }
        if (!before.isDone()) {
            return null;
        }
        asked = null;
        try {
            return (T) before.get();
        } catch (ExecutionException e) {
            return question.apply(UNKNOWN).goOn(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public long pause() {
        return PAUSE;
    }

    private Moment moment(View view) {
        KnownQueue known = queue.get();
        if (known == null || !(view instanceof Manager manager)) {
            return UNKNOWN;
        }
        return thoughts.copied(known, manager, LIMIT_NANOS);
    }

    @Override
    public void close() {
        beside.shutdownNow();
    }
}
