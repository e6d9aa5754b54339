package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;

/**
 * Per-Stage (Souza et al., "ASA – The adaptive scheduling algorithm", 2.2): each {@linkplain Stages stage} is a job of the nodes that it needs,
 * submitted when the previous stage is done.
 *
 * <p>It uses no wait estimates. If a job expires with tasks left, the rest of its stage is submitted again. A stage that is too long for the maximum walltime, which the paper
 * does not have, becomes several jobs one after another ({@link SequentialJobs}).
 */
record PerStage(RunTimes times, Profile profile, int cores) implements Strategy {
    @Override
    public String name() {
        return "perstage" + Stages.parameter(cores);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        int first = view.firstUnfinishedLevel();
        if (view.pilotJobs() > 0 || first == view.workflow().levels()) {
            return SequentialJobs.meanwhile(view, memo);
        }
        Stages stages = new Stages(times, cores);
        int last = stages.last(view, first);
        int nodes = stages.nodes(view, first);
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.ADD);
        LevelJob stage = new LevelJob(first, last, nodes, sizing.run(nodes, first, last), 0, 0);
        sink.chosen("the next stage, on the nodes that it needs");
        return Decision.of(memo, SequentialJobs.submit(stage, sizing, profile));
    }
}
