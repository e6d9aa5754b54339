package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import org.jspecify.annotations.Nullable;

/**
 * A short pilot job of few nodes that looks for a hole in the queue, beside the long one that {@link Auto} has asked for, where the times of tasks are what a user allows for.
 *
 * <p>What is asked for by such times is long, and waits long. A short one slips into a hole that nobody else can use: it is long enough for any ready task as far as can be told, finds out what
 * tasks really take, and may do all of them. When anything of ours runs none is asked for, since that finds out as well.
 */
final class Scout {
    /** The most of them in the queue. */
    private static final int MOST = 3;

    /** If a longer one starts within this time, none is needed. */
    private static final long SOON = 60_000;

    /** What its nodes need to call, after which a task must still fit. */
    private static final long CALLING = 5_000;

    private final View view;
    private final Profile profile;
    private final StartEstimator estimator;

    Scout(View view, Profile profile, StartEstimator estimator) {
        this.view = view;
        this.profile = profile;
        this.estimator = estimator;
    }

    /** One to be submitted beside the first ones of those that are queued; null if it is not worth while. */
    Order.@Nullable Submit order(int nodes, long[] queued, int inQueue) {
        boolean isWanted = view.isAmple() && view.nextReady(0) >= 0 && inQueue > 0;
        if (!isWanted || isAnyRunning() || estimator.basis() == Basis.NONE) {
            return null;
        }
        long walltime = profile.enough(longestReady() + CALLING);
        StartTimes starts = estimator.estimate(
                StartQuery.ofQueued(view.now(), queued, inQueue).add(0, nodes, walltime));
        long first = Long.MAX_VALUE;
        int scouts = 0;
        for (int q = 0; q < inQueue; q++) {
            Request request = request(queued[q]);
            if (request != null && request.walltime() > walltime) {
                first = Math.min(first, start(starts.queued(q), request.units(), request.walltime()));
            } else {
                scouts++;
            }
        }
        // When a short one would start is not asked: holes come of jobs that end before their time, and of how often
        // the batch system looks for them.
        boolean isWorthwhile = first < Long.MAX_VALUE && first - view.now() > SOON;
        return scouts < MOST && isWorthwhile
                ? new Order.Submit(
                        Request.of(nodes, walltime),
                        Claim.levels(0, view.workflow().levels() - 1).onlyWhatFits())
                : null;
    }

    private boolean isAnyRunning() {
        for (int i = 0; i < view.pilotJobs(); i++) {
            if (view.pilotJob(i).isRunning()) {
                return true;
            }
        }
        return false;
    }

    private long longestReady() {
        long longest = 0;
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            longest = Math.max(longest, view.room(task));
        }
        return longest;
    }

    private @Nullable Request request(long token) {
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.token() == token) {
                return p.request();
            }
        }
        return null;
    }

    /** When one starts, as it would by itself if nothing is known of it in the queue: batch systems may not show yet what was submitted just now. */
    private long start(long known, int nodes, long walltime) {
        if (known != Long.MAX_VALUE) {
            return known;
        }
        return estimator.estimate(StartQuery.of(view.now(), 0, nodes, walltime)).job(0);
    }
}
