package io.sheaf.manager;

/**
 * The time for which idle nodes are kept while a tool submits tasks one by one and more are expected ({@link Event.Awaited}).
 *
 * <p>Tools such as Snakemake submit a job some seconds after its inputs are finished. Releasing the nodes before that would cost another queue wait.
 *
 * <ul>
 *   <li>A pilot job is kept for as long as it waited in the queue, at least 30 s and at most {@link Rules#hold}.
 *   <li>Its total idle time is at most a quarter of its run time plus 30 s.
 *   <li>A queued pilot job stays in the queue for the same time.
 *   <li>When the tool ends, the manager releases all idle pilot jobs at once.
 *   <li>Pilot jobs that claim named tasks are never kept.
 *   <li>If no tool runs, but a group over files is expected ({@link ManagedRun#expected}), an idle pilot job is kept for 10 s at most: the run adds the group when its files are written.
 * </ul>
 */
final class IdleRetention {
    private static final long MIN = 30_000;
    private static final long UNTIL_ADDED = 10_000;
    private static final int SHARE = 4;

    private IdleRetention() {}

    /** Whether an idle pilot job is kept for now. Records since when it is idle. */
    static boolean keeps(PilotJob p, ManagedRun run) {
        if (!run.isMoreExpected() || !p.claim.tasks().isAll()) {
            return false;
        }
        p.idleSince = p.idleSince < 0 ? run.now : p.idleSince;
        return run.now < until(p, run);
    }

    /** The instant until which an idle pilot job is kept. */
    static long until(PilotJob p, ManagedRun run) {
        long hold = run.isAwaited() ? run.rules.hold : UNTIL_ADDED;
        long waited = (p.startedAt < 0 ? p.idleSince : p.startedAt) - p.submittedAt;
        long retained = Math.min(hold, Math.max(MIN, waited));
        long share = p.startedAt < 0 ? retained : MIN + (p.idleSince - p.startedAt) / SHARE - p.idled;
        return p.idleSince + Math.max(0, Math.min(retained, share));
    }
}
