package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;

/**
 * OneJob (thesis 5.2): the whole workflow as a single job, of the node count with the earliest end.
 *
 * <p>It evaluates all node counts from one to the workflow's width and selects the least wait(n) + run(n). If the job expires with tasks left, these
 * are submitted in the same way; the thesis' simulator gives up instead.
 *
 * <h2>Limits</h2>
 * The thesis has no limit of walltimes. Here the workflow becomes the fewest jobs one after another, each as long as the limit allows ({@link SequentialJobs}). Then wait(n) is the sum of the waits
 * of k(n) such jobs, so that more nodes may win because they need fewer jobs.
 */
record OneJob(RunTimes times, Profile profile) implements Strategy {
    @Override
    public String name() {
        return "onejob";
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        if (view.pilotJobs() > 0 || first > last) {
            return SequentialJobs.meanwhile(view, memo);
        }
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.ADD)
                .within(estimator, 0, each -> each.best(first, last, 0));
        LevelJob chosen = sizing.best(first, last, 0);
        return submit(chosen, "the node count that ends earliest", memo, sizing, profile, sink);
    }

    /** The decision to submit a job for all unfinished tasks. */
    static Decision submit(
            LevelJob chosen, String reason, Memo memo, Sizing sizing, Profile profile, DecisionSink sink) {
        if (sink.isRecording()) {
            sink.option(
                    chosen.label(),
                    chosen.nodes(),
                    profile.request(chosen.run(), sizing.view.walltime(chosen.nodes())),
                    chosen.queueWait(),
                    chosen.queueWait() + chosen.run());
            sink.chosen(reason);
        }
        return Decision.of(memo, SequentialJobs.submit(chosen, sizing, profile));
    }
}
