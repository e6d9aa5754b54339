package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.AwayException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest snapshot of a cluster: at most one is taken in half a minute, beside the threads that ask.
 *
 * <p>Only the first is waited for, and not for long. While Slurm is away the last one is used, for ten minutes.
 */
final class Snapshots {
    /** The least time between two snapshots. */
    static final long APART = 30_000;

    private static final long TOO_OLD = 600_000;
    private static final long FIRST_SECONDS = 10;

    /** Takes a snapshot now. */
    interface Taking {
        Snapshot read(long now) throws AwayException, InterruptedException;
    }

    private final Taking taking;
    private final Executor beside;
    private final CountDownLatch first = new CountDownLatch(1);
    private @Nullable Snapshot newest;
    private boolean busy;
    private long triedAt = Long.MIN_VALUE;

    Snapshots(Taking taking, Executor beside) {
        this.taking = taking;
        this.beside = beside;
    }

    /** The newest; null if there is none that is young enough. */
    @Nullable
    Snapshot newest(long now) {
        want(now);
        try {
            first.await(FIRST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return newest == null || now - newest.at() > TOO_OLD ? null : newest;
        }
    }

    /** Takes one beside, unless the last one is young. */
    synchronized void want(long now) {
        if (!busy && (triedAt == Long.MIN_VALUE || now - triedAt >= APART)) {
            busy = true;
            triedAt = now;
            beside.execute(() -> take(now));
        }
    }

    private void take(long now) {
        Snapshot seen = null;
        try {
            seen = taking.read(now);
        } catch (AwayException e) {
            // The last one does for a while; half a minute from now it is tried again.
            seen = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            taken(seen);
            first.countDown();
        }
    }

    private synchronized void taken(@Nullable Snapshot seen) {
        newest = seen == null ? newest : seen;
        busy = false;
    }
}
