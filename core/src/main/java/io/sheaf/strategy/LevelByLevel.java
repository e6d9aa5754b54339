package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;

/**
 * LevelByLevel (thesis 5.2): each level is a job, submitted when the level before is done, of the node count with which it would end
 * earliest.
 *
 * <p>The thesis has no limit of walltimes. Here a level that is too long for it runs on more nodes, or as several jobs one after another ({@link SequentialJobs}), whichever ends earlier.
 */
record LevelByLevel(RunTimes times, Profile profile) implements Strategy {
    @Override
    public String name() {
        return "levelbylevel";
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        int level = view.firstUnfinishedLevel();
        if (view.pilotJobs() > 0 || level == view.workflow().levels()) {
            return SequentialJobs.meanwhile(view, memo);
        }
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.ADD)
                .within(estimator, 0, each -> each.best(level, level, 0));
        LevelJob chosen = sizing.best(level, level, 0);
        if (sink.isRecording()) {
            long walltime = profile.request(chosen.run(), sizing.view.walltime(chosen.nodes()));
            sink.option(chosen.label(), chosen.nodes(), walltime, chosen.queueWait(), -1);
            sink.chosen("the next level, on the node count that ends it earliest");
        }
        return Decision.of(memo, SequentialJobs.submit(chosen, sizing, profile));
    }
}
