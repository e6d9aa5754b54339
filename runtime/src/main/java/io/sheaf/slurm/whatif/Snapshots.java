package io.sheaf.slurm.whatif;

import io.sheaf.slurm.SlurmAwayException;
import org.jspecify.annotations.Nullable;

/**
 * The newest snapshot of a cluster: at most one is taken in half a minute, beside the thread that asks.
 *
 * <p>Only the first is waited for. While Slurm is away the last one is used, for ten minutes.
 */
final class Snapshots {
    /** The least time between two snapshots. */
    static final long APART = 30_000;

    private static final long TOO_OLD = 600_000;

    private final SnapshotReader reader;
    private @Nullable Snapshot newest;
    private @Nullable Thread taking;
    private long lastTried;
    private String problem = "";

    Snapshots(SnapshotReader reader) {
        this.reader = reader;
    }

    synchronized Snapshot newest(long now) throws SlurmAwayException, InterruptedException {
        Snapshot known = newest;
        if (known == null || now - known.at() > TOO_OLD) {
            if (now - lastTried < APART && !problem.isEmpty()) {
                throw new SlurmAwayException(problem);
            }
            lastTried = now;
            try {
                known = reader.read(now);
                problem = "";
            } catch (SlurmAwayException e) {
                problem = String.valueOf(e.getMessage());
                throw e;
            }
            newest = known;
        } else if (now - known.at() >= APART && now - lastTried >= APART && taking == null) {
            lastTried = now;
            Thread thread = new Thread(() -> take(now), "slurm snapshot");
            thread.setDaemon(true);
            taking = thread;
            thread.start();
        }
        return known;
    }

    private void take(long now) {
        Snapshot seen = null;
        try {
            seen = reader.read(now);
        } catch (SlurmAwayException e) {
            // The last one does for a while; the next question tries again.
            seen = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        taken(seen);
    }

    private synchronized void taken(@Nullable Snapshot seen) {
        newest = seen == null ? newest : seen;
        taking = null;
    }
}
