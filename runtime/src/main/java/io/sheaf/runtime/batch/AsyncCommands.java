package io.sheaf.runtime.batch;

import io.sheaf.agent.link.DaemonThread;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a batch system's commands in threads of their own, since they may take minutes. Results wait for the event
 * loop's next turn.
 *
 * <p>Orders run one after the other, in the order of their calls, unless one takes longer than {@link #ORDER_TIMEOUT_NANOS}: then
 * the next ones run beside it. Queries of the queue have a separate thread, so that one that hangs does not delay orders.
 */
final class AsyncCommands implements AutoCloseable {
    private static final int LAST_SECONDS = 5;

    /** A command to the batch system. */
    interface Operation<T> {
        T run() throws IOException, InterruptedException;
    }

    /** The time after which a running order no longer delays the next one, in nanoseconds. */
    private static final long ORDER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int MAX_ORDERS = 8;

    private final ThreadPoolExecutor orders = executor("batch orders");
    private final ThreadPoolExecutor queries = executor("batch queue");
    /** When an order last began or ended. */
    private volatile long progressAt = System.nanoTime();

    private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
    private final Runnable wake;

    /** No commands are pending. */
    AsyncCommands(Runnable wake) {
        this.wake = wake;
        // The number of threads is that of core threads, which changes.
        orders.setMaximumPoolSize(MAX_ORDERS);
    }

    private static ThreadPoolExecutor executor(String name) {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThread.named(name));
    }

    /** Runs an order; {@link #drain} calls one of the two consumers. */
    <T> void order(Operation<T> operation, Consumer<T> then, Consumer<IOException> otherwise) {
        send(
                orders,
                () -> {
                    progressAt = System.nanoTime();
                    try {
                        return operation.run();
                    } finally {
                        progressAt = System.nanoTime();
                    }
                },
                then,
                otherwise);
    }

    /** The same for a query of the queue. */
    <T> void query(Operation<T> operation, Consumer<T> then, Consumer<IOException> otherwise) {
        send(queries, operation, then, otherwise);
    }

    private <T> void send(
            ExecutorService executor, Operation<T> operation, Consumer<T> then, Consumer<IOException> otherwise) {
        try {
            executor.execute(() -> {
                try {
                    T result = operation.run();
                    done.add(() -> then.accept(result));
                } catch (IOException e) {
                    done.add(() -> otherwise.accept(e));
                } catch (RuntimeException e) {
                    done.add(() -> otherwise.accept(new IOException(e)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                wake.run();
            });
        } catch (RejectedExecutionException e) {
            // The process is ending.
            done.add(() -> otherwise.accept(new IOException("this process is ending", e)));
        }
    }

    /** Delivers the results of commands; called by the event loop's thread. */
    void drain() {
        boolean stuck = !orders.getQueue().isEmpty() && System.nanoTime() - progressAt > ORDER_TIMEOUT_NANOS;
        int threads = stuck ? Math.min(MAX_ORDERS, orders.getActiveCount() + 1) : 1;
        if (stuck || orders.getQueue().isEmpty()) {
            orders.setCorePoolSize(threads);
        }
        for (Runnable each = done.poll(); each != null; each = done.poll()) {
            each.run();
        }
    }

    /** Waits some seconds for running commands. */
    @Override
    public void close() {
        queries.shutdownNow();
        orders.shutdown();
        try {
            if (!orders.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                orders.shutdownNow();
            }
        } catch (InterruptedException e) {
            orders.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
