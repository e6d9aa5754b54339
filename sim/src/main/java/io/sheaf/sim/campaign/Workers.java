package io.sheaf.sim.campaign;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that process numbered work items.
 *
 * <p>If one fails, the others stop after their current item, and the failure is rethrown to the caller. They also stop when the waiting thread is
 * interrupted. They are daemon threads.
 */
public final class Workers {
    private Workers() {}

    /** Processes all items from 0 on with this many threads, each with its own worker; a single worker runs in the calling thread. */
    public static void run(int threads, int items, Supplier<IntConsumer> workers, Runnable afterEach) {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable loop = () -> {
            try {
                IntConsumer worker = workers.get();
                for (int item = next.getAndIncrement(); item < items; item = next.getAndIncrement()) {
                    worker.accept(item);
                    afterEach.run();
                }
            } catch (RuntimeException | Error e) {
                next.set(items);
                failure.compareAndSet(null, e);
            }
        };
        if (threads <= 1) {
            loop.run();
        } else {
            join(start(Math.min(threads, items), loop), () -> next.set(items));
        }
        rethrow(failure.get());
    }

    private static Thread[] start(int threads, Runnable loop) {
        Thread[] started = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            started[i] = new Thread(loop, "campaign-" + i);
            started[i].setDaemon(true);
            started[i].start();
        }
        return started;
    }

    private static void join(Thread[] threads, Runnable stop) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                stop.run();
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
        }
    }

    private static void rethrow(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
