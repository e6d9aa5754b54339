package io.sheaf.runtime.batch;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest answer of a batch system, such as a snapshot of its queue: read at most every {@value #APART} ms, in a
 * separate thread.
 *
 * <p>Callers wait only for the first answer, at most until ten seconds after the first call. While the batch system does not answer, the last
 * answer is used for ten minutes. Thread-safe.
 *
 * @param <T> the type of the answer
 */
public final class NewestAnswer<T> {
    /** The minimum time between two reads, in milliseconds. */
    public static final int APART = 30_000;

    private static final long TOO_OLD = 600_000;
    private static final long FIRST_MILLIS = 10_000;

    /** Reads an answer now. */
    @FunctionalInterface
    public interface AnswerReader<T> {
        /** Reads an answer; null if there is none. Throws {@link InputException} if the output is unreadable. */
        @Nullable
        T read(long now) throws IOException, InterruptedException;
    }

    private final AnswerReader<T> reading;
    private final Executor executor;
    private final CountDownLatch first = new CountDownLatch(1);
    private final long firstNanos;
    /** When callers no longer wait for the first answer, by the monotonic clock; null before the first call. */
    private @Nullable Long giveUpAt;

    private @Nullable T newest;
    private long newestAt;
    private @Nullable String failure;
    private boolean busy;
    private long triedAt = Long.MIN_VALUE;

    public NewestAnswer(AnswerReader<T> reading, Executor executor) {
        this(reading, executor, FIRST_MILLIS);
    }

    NewestAnswer(AnswerReader<T> reading, Executor executor, long firstMillis) {
        this.reading = reading;
        this.executor = executor;
        firstNanos = TimeUnit.MILLISECONDS.toNanos(firstMillis);
    }

    /** The newest answer; null if there is none that is recent enough. */
    public @Nullable T newest(long now) {
        refresh(now);
        try {
            first.await(remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return recent(now);
    }

    private synchronized @Nullable T recent(long now) {
        return newest == null || now - newestAt > TOO_OLD ? null : newest;
    }

    /** Why there is no answer that is recent enough: the error of the last read; null if there is one, or no read has failed. Does not wait. */
    public synchronized @Nullable String failure(long now) {
        return recent(now) == null ? failure : null;
    }

    /** The time that callers still wait for the first answer; negative if it has passed. */
    private synchronized long remainingNanos() {
        long now = System.nanoTime();
        giveUpAt = giveUpAt == null ? now + firstNanos : giveUpAt;
        return giveUpAt - now;
    }

    /** Starts a read in a thread, unless the last answer is recent. */
    public synchronized void refresh(long now) {
        if (!busy && (triedAt == Long.MIN_VALUE || now - triedAt >= APART)) {
            busy = true;
            triedAt = now;
            executor.execute(() -> read(now));
        }
    }

    private void read(long now) {
        T answer = null;
        String error = null;
        try {
            answer = reading.read(now);
        } catch (IOException | InputException e) {
            // The last answer is used for a while; the next read is half a minute from now.
            error = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            store(answer, error, now);
            first.countDown();
        }
    }

    private synchronized void store(@Nullable T answer, @Nullable String error, long now) {
        if (answer != null) {
            newest = answer;
            newestAt = now;
        }
        failure = answer != null || error != null ? error : failure;
        busy = false;
    }
}
