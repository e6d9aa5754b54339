package io.sheaf.manager;

/**
 * The time for which idle nodes are kept while a tool submits tasks one by one and more are expected ({@link Event.Awaited}).
 *
 * <p>Snakemake submits a job when it has seen that those before it are done, some seconds after they are. Nodes that were given back by then would have to be waited for once more. So a
 * pilot job is kept as long as it had waited in the queue, which is about what another one would, half a minute at least, and {@link Rules#hold} at most. Of the
 * time that it has run it is idle for no more than a quarter and half a minute. One that is still queued keeps its place for as long. When that tool has ended, all are
 * released at once. Those that were asked for for just some tasks are never kept.
 */
final class IdleRetention {
    private static final long LEAST = 30_000;
    private static final int SHARE = 4;

    private IdleRetention() {}

    /** Whether a pilot job that has nothing to do is kept for now; takes note since when that is so. */
    static boolean keeps(PilotJob p, ManagedRun run) {
        if (!run.isAwaited() || !p.claim.tasks().isAll()) {
            return false;
        }
        p.idleSince = p.idleSince < 0 ? run.now : p.idleSince;
        return run.now < until(p, run.rules.hold());
    }

    /** Until when a pilot job is kept that has had nothing to do for a while. */
    static long until(PilotJob p, long hold) {
        long waited = (p.startedAt < 0 ? p.idleSince : p.startedAt) - p.submittedAt;
        long kept = Math.min(hold, Math.max(LEAST, waited));
        long share = p.startedAt < 0 ? kept : LEAST + (p.idleSince - p.startedAt) / SHARE - p.idled;
        return p.idleSince + Math.max(0, Math.min(kept, share));
    }
}
