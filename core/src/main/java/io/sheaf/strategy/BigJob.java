package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;

/**
 * The whole workflow as a single job of a fixed width: <b>Giant</b> of Zhang et al. (2009, IV.A), as wide as the workflow or the cluster; and <b>Big
 * Job</b> of Souza et al. ("ASA – The adaptive scheduling algorithm", 2.2), of a given number of cores.
 *
 * <p>Cores are rounded up to whole nodes. If a task needs more nodes, the job has the nodes of that task. If the job expires with tasks left, these
 * are submitted in the same way. A job that is too long for the maximum walltime becomes several of the same width, one after another ({@link
 * OneAfterAnother}); neither paper has such a limit.
 */
record BigJob(String name, RunTimes times, Profile profile, int cores) implements Strategy {
    static BigJob giant(RunTimes times, Profile profile) {
        return new BigJob("giant", times, profile, Stages.ANY_CORES);
    }

    static BigJob of(int cores, RunTimes times, Profile profile) {
        return new BigJob("bigjob", times, profile, cores);
    }

    @Override
    public String name() {
        return name + Stages.parameter(cores);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        if (view.pilotJobs() > 0 || first > last) {
            return OneAfterAnother.meanwhile(view, memo);
        }
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.ADD);
        if (cores == Stages.ANY_CORES) {
            LevelJob widest = sizing.widest(first, last);
            return OneJob.submit(widest, "as wide as the workflow", view, memo, sizing, profile, considered);
        }
        int nodes = Math.min(view.nodes(), Stages.nodes(cores, view.coresPerNode()));
        LevelJob chosen = sizing.onNodes(Math.max(nodes, sizing.minNodes(first, last)), first, last);
        return OneJob.submit(chosen, cores + " cores, as requested", view, memo, sizing, profile, considered);
    }
}
