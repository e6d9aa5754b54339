package io.sheaf.runtime.batch;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a batch system's commands in threads of their own, since they may take minutes. Results wait for the event
 * loop's next turn.
 *
 * <p>Orders run one after the other. Queries of the queue have a separate thread, so that one that hangs does not
 * delay orders.
 */
final class AsyncCommands implements AutoCloseable {
    private static final int LAST_SECONDS = 5;

    /** A command to the batch system. */
    interface Errand<T> {
        T run() throws IOException, InterruptedException;
    }

    private final ExecutorService orders = executor("batch orders");
    private final ExecutorService looks = executor("batch queue");
    private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
    private final Runnable wake;

    /** No commands are pending. */
    AsyncCommands(Runnable wake) {
        this.wake = wake;
    }

    private static ExecutorService executor(String name) {
        return Executors.newSingleThreadExecutor(run -> {
            Thread thread = new Thread(run, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs an order; {@link #drain} calls one of the two consumers. */
    <T> void order(Errand<T> errand, Consumer<T> then, Consumer<IOException> otherwise) {
        send(orders, errand, then, otherwise);
    }

    /** The same for a query of the queue. */
    <T> void look(Errand<T> errand, Consumer<T> then, Consumer<IOException> otherwise) {
        send(looks, errand, then, otherwise);
    }

    private <T> void send(ExecutorService by, Errand<T> errand, Consumer<T> then, Consumer<IOException> otherwise) {
        try {
            by.execute(() -> {
                try {
                    T came = errand.run();
                    done.add(() -> then.accept(came));
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
        for (Runnable each = done.poll(); each != null; each = done.poll()) {
            each.run();
        }
    }

    /** Waits some seconds for running commands. */
    @Override
    public void close() {
        looks.shutdownNow();
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
