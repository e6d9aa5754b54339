package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;

/**
 * The common part of strategies that submit one job after another: OneJob, BigJob, LevelByLevel and Per-Stage.
 *
 * <p>Where a job is too long for the maximum walltime, it requests the maximum and starts only tasks that end within it. When none fits any more, the strategy cancels it, and submits the
 * rest in the same way as that of an expired job.
 */
final class SequentialJobs {
    private SequentialJobs() {}

    /** A job for the unfinished tasks of some levels. */
    static Order submit(LevelJob job, Sizing sizing, Profile profile) {
        Claim claim = Claim.levels(job.firstLevel(), job.lastLevel());
        return new Order.Submit(
                Request.of(job.nodes(), profile.request(job.runWithLeeway(), sizing.view.walltime(job.nodes()))),
                sizing.fits(job) ? claim : claim.onlyWhatFits());
    }

    private static boolean isLimited(View view) {
        return view.walltime() < Long.MAX_VALUE || view.pools().count() > 0;
    }

    /** Whether a job in the batch system is too short for the tasks that it claims. */
    static boolean isAnyCut(View view) {
        return isLimited(view) && view.hasJob(p -> p.claim().onlyIfFits());
    }

    /** The decision while a job is in the batch system: cancels one that has started all tasks that fit. */
    static Decision meanwhile(View view, Memo memo) {
        for (int i = 0; i < view.pilotJobs() && isLimited(view); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.isRunning() && p.claim().onlyIfFits() && p.runningTasks() == 0 && !isAnyInTime(view, p)) {
                return Decision.of(memo, new Order.Cancel(p.token()));
            }
        }
        return Decision.nothing(memo);
    }

    private static boolean isAnyInTime(View view, PilotJob p) {
        return view.readyTasks()
                .anyMatch(task ->
                        p.claim().hasLevel(view.workflow().level(task)) && view.now() + view.room(task) <= p.limit());
    }
}
