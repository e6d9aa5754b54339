package io.sheaf.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits in tests for a condition, never for a fixed time: the condition is checked again and again, and the test fails when it does not hold in time. */
public final class Await {
    /** Seconds that are enough on a busy machine for anything that takes a few seconds on an idle one. */
    private static final int TIMEOUT_SECONDS = 180;

    private static final long FIRST_PAUSE_MILLIS = 2;
    private static final long LAST_PAUSE_MILLIS = 100;

    private Await() {}

    /**
     * Something that may become true.
     *
     * @param <E> what checking it may throw
     */
    public interface Condition<E extends Exception> {
        boolean holds() throws E, InterruptedException;
    }

    /**
     * A search for an object that may not exist yet.
     *
     * @param <T> its type
     * @param <E> what looking for it may throw
     */
    public interface Search<T, E extends Exception> {
        /** Null while it does not exist. */
        @Nullable
        T find() throws E, InterruptedException;
    }

    /** Waits until a condition holds; what it is stands in the message of the failure. */
    public static <E extends Exception> void until(String description, Condition<E> condition)
            throws E, InterruptedException {
        until(() -> description, condition);
    }

    /** Waits until a condition holds; the description is made when it does not. */
    public static <E extends Exception> void until(Callable<String> description, Condition<E> condition)
            throws E, InterruptedException {
        found(description, () -> condition.holds() ? Boolean.TRUE : null);
    }

    /** Waits until something is found, and returns it. */
    public static <T, E extends Exception> T found(Callable<String> description, Search<T, E> search)
            throws E, InterruptedException {
        long from = System.nanoTime();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            T found = search.find();
            if (found != null) {
                return found;
            }
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
                throw new AssertionError("not within " + TIMEOUT_SECONDS + " s: " + text(description));
            }
            Thread.sleep(pause);
            pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
        }
    }

    private static String text(Callable<String> description) {
        try {
            return description.call();
        } catch (Exception e) {
            return e.toString();
        }
    }
}
