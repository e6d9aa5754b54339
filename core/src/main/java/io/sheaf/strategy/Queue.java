package io.sheaf.strategy;

import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;

/** Estimates queue waits of jobs at the instant of a decision. */
final class Queue {
    private final View view;
    private final StartEstimator estimator;
    private final Profile profile;
    private final int[] oneSize = new int[1];
    private final long[] oneTime = new long[1];
    private final long[] oneStart = new long[1];
    private final StartQuery query = new StartQuery();
    private final StartTimes starts = new StartTimes();

    Queue(View view, StartEstimator estimator, Profile profile) {
        this.view = view;
        this.estimator = estimator;
        this.profile = profile;
    }

    View view() {
        return view;
    }

    /** The walltime used in wait estimates. */
    long asked(long run) {
        return profile.asked(run);
    }

    /** The longest run time of a job within the maximum walltime, in milliseconds. */
    long longestRun() {
        return profile.longestRun(view.walltime());
    }

    /** Whether the estimates have a basis. */
    boolean isKnown() {
        return estimator.basis() != Basis.NONE;
    }

    /** The queue wait of a job of some nodes and run time, in milliseconds. */
    long waitFor(int nodes, long run) {
        oneSize[0] = nodes;
        oneTime[0] = run;
        waits(oneSize, oneTime, 1, oneStart);
        return oneStart[0];
    }

    /** The queue waits of several jobs. Does not call the estimator for zero jobs, which would reset the basis of its last answer. */
    void waits(int[] nodes, long[] run, int count, long[] out) {
        if (count == 0) {
            return;
        }
        query.begin(view.now(), StartQuery.Arrangement.ALONE);
        for (int i = 0; i < count; i++) {
            query.add(0, nodes[i], profile.asked(run[i]));
        }
        estimator.estimate(query, starts);
        for (int i = 0; i < count; i++) {
            long start = starts.job(i);
            out[i] = start == StartTimes.NEVER ? Long.MAX_VALUE / 4 : Math.max(0, start - view.now());
        }
    }
}
