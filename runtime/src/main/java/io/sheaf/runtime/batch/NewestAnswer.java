package io.sheaf.runtime.batch;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest answer of a batch system, such as a snapshot of its queue: read at most every {@value #APART} ms, beside the threads that ask.
 *
 * <p>Only the first answer is waited for, at most ten seconds. While the batch system does not answer, the last answer is used for ten minutes. Thread-safe.
 *
 * @param <T> what is read
 */
public final class NewestAnswer<T> {
    /** The least time between two readings, in milliseconds. */
    public static final int APART = 30_000;

    private static final long TOO_OLD = 600_000;
    private static final long FIRST_SECONDS = 10;

    /** Reads an answer now. */
    @FunctionalInterface
    public interface Reading<T> {
        /** Null if there is none. */
        @Nullable
        T read(long now) throws IOException, InterruptedException;
    }

    private final Reading<T> reading;
    private final Executor beside;
    private final CountDownLatch first = new CountDownLatch(1);
    private @Nullable T newest;
    private long newestAt;
    private boolean busy;
    private long triedAt = Long.MIN_VALUE;

    public NewestAnswer(Reading<T> reading, Executor beside) {
        this.reading = reading;
        this.beside = beside;
    }

    /** The newest; null if there is none that is young enough. */
    public @Nullable T newest(long now) {
        want(now);
        try {
            first.await(FIRST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return known(now);
    }

    /** The newest that was read, without waiting; null if there is none that is young enough. */
    public synchronized @Nullable T known(long now) {
        return newest == null || now - newestAt > TOO_OLD ? null : newest;
    }

    /** Reads one beside, unless the last one is young. */
    public synchronized void want(long now) {
        if (!busy && (triedAt == Long.MIN_VALUE || now - triedAt >= APART)) {
            busy = true;
            triedAt = now;
            beside.execute(() -> read(now));
        }
    }

    private void read(long now) {
        T answer = null;
        try {
            answer = reading.read(now);
        } catch (IOException e) {
            // The last one is used for a while; it is tried again half a minute from now.
            answer = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            keep(answer, now);
            first.countDown();
        }
    }

    private synchronized void keep(@Nullable T answer, long now) {
        newest = answer == null ? newest : answer;
        newestAt = answer == null ? newestAt : now;
        busy = false;
    }
}
