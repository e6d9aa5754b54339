package io.sheaf.strategy;

import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;

/** Asks how long jobs would wait, as seen at the instant of a decision. */
final class Queue {
    private final View view;
    private final Estimator estimator;
    private final Profile profile;
    private final int[] oneSize = new int[1];
    private final long[] oneTime = new long[1];
    private final long[] oneStart = new long[1];
    private long[] asked = new long[0];

    Queue(View view, Estimator estimator, Profile profile) {
        this.view = view;
        this.estimator = estimator;
        this.profile = profile;
    }

    View view() {
        return view;
    }

    /** The walltime that waits are asked for with. */
    long asked(long run) {
        return profile.asked(run);
    }

    /** Whether the answers rest on anything. */
    boolean isKnown() {
        return estimator.basis() != Estimator.Basis.NONE;
    }

    /** How long a job of so many nodes, whose work takes so long, would wait; in milliseconds. */
    long waitFor(int nodes, long run) {
        oneSize[0] = nodes;
        oneTime[0] = run;
        waits(oneSize, oneTime, 1, oneStart);
        return oneStart[0];
    }

    /** The same for many at once. For none nobody is asked: what the last answers rest on would be forgotten. */
    void waits(int[] nodes, long[] run, int count, long[] out) {
        if (count == 0) {
            return;
        }
        if (asked.length < count) {
            asked = new long[count];
        }
        for (int i = 0; i < count; i++) {
            asked[i] = profile.asked(run[i]);
        }
        estimator.starts(view.now(), 0, nodes, asked, count, out);
        for (int i = 0; i < count; i++) {
            out[i] = out[i] == Long.MAX_VALUE ? Long.MAX_VALUE / 4 : Math.max(0, out[i] - view.now());
        }
    }
}
