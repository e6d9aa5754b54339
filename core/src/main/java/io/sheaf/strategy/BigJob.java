package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;

/**
 * Giant (Zhang et al. 2009, IV.A): the whole workflow as a single job, as wide as the workflow, or as the cluster.
 *
 * <p>If the job expires with tasks left, what is left is submitted in the same way.
 */
final class BigJob implements Strategy {
    private final String name;
    private final RunTimes times;
    private final Profile profile;

    private BigJob(String name, RunTimes times, Profile profile) {
        this.name = name;
        this.times = times;
        this.profile = profile;
    }

    static BigJob giant(RunTimes times, Profile profile) {
        return new BigJob("giant", times, profile);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(View view, Memo memo, Estimator estimator, Considered considered) {
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        if (view.placeholders() > 0 || first > last) {
            return Decision.nothing(memo);
        }
        LevelJob chosen = new Sizing(times, view, estimator, profile, TieRule.SMALLEST).widest(first, last);
        return OneJob.submit(chosen, "as wide as the workflow", memo, profile, considered);
    }
}
