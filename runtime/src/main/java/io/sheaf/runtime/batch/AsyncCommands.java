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
 * Has a batch system's commands run beside the event loop, which they may take minutes off; what comes of them waits for the loop's next turn.
 *
 * <p>Orders are carried out one after the other. Looking at the queue has a thread of its own: it may hang without holding them up.
 */
final class AsyncCommands implements AutoCloseable {
    private static final int LAST_SECONDS = 5;

    /** Something that asks the batch system, or has it do something. */
    interface Errand<T> {
        T run() throws IOException, InterruptedException;
    }

    private final ExecutorService orders = executor("batch orders");
    private final ExecutorService looks = executor("batch queue");
    private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
    private final Runnable wake;

    /** None are under way. */
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

    /** Sends an order; one of the two is called by {@link #drain}. */
    <T> void order(Errand<T> errand, Consumer<T> then, Consumer<IOException> otherwise) {
        send(orders, errand, then, otherwise);
    }

    /** The same for a look at the queue. */
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

    /** Tells what has come of errands; by the event loop's thread. */
    void drain() {
        for (Runnable each = done.poll(); each != null; each = done.poll()) {
            each.run();
        }
    }

    /** What is under way gets some seconds. */
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
