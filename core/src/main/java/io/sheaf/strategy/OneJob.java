package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;

/**
 * OneJob (thesis 5.2): the whole workflow as a single job, of the node count with which it would end earliest.
 *
 * <p>All node counts from one to the workflow's width are examined: wait(n) + run(n) is least for the one that is taken. If the job expires
 * with tasks left (the thesis' simulator gives up then), what is left is submitted in the same way.
 *
 * <p><b>Giant</b> (Zhang et al. 2009, IV.A) is the same without a choice: as many nodes as the workflow is wide, or the cluster has.
 */
final class OneJob implements Strategy {
    private final String name;
    private final RunTimes times;
    private final Profile profile;
    private final boolean widest;

    private OneJob(String name, RunTimes times, Profile profile, boolean widest) {
        this.name = name;
        this.times = times;
        this.profile = profile;
        this.widest = widest;
    }

    static OneJob sized(RunTimes times, Profile profile) {
        return new OneJob("onejob", times, profile, false);
    }

    static OneJob giant(RunTimes times, Profile profile) {
        return new OneJob("giant", times, profile, true);
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
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST);
        LevelJob chosen = widest ? sizing.widest(first, last) : sizing.best(first, last, 0);
        if (considered.isWanted()) {
            considered.option(
                    chosen.what(),
                    chosen.nodes(),
                    profile.request(chosen.run()),
                    chosen.queueWait(),
                    chosen.queueWait() + chosen.run());
            considered.chosen(widest ? "as wide as the workflow" : "the node count that ends earliest");
        }
        return Decision.of(
                memo,
                new Order.Submit(Request.of(chosen.nodes(), profile.request(chosen.run())), Claim.levels(first, last)));
    }
}
