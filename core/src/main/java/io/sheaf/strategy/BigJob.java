package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.function.Function;

/**
 * The whole workflow as a single job of a fixed width: <b>Giant</b> of Zhang et al. (2009, IV.A), as wide as the workflow or the cluster; and <b>Big
 * Job</b> of Souza et al. ("ASA – The adaptive scheduling algorithm", 2.2), of a given number of cores.
 *
 * <p>Cores are rounded up to whole nodes. If a task needs more nodes, the job has the nodes of that task. If the job expires with tasks left, these
 * are submitted in the same way. A job that is too long for the maximum walltime becomes several of the same width, one after another ({@link
 * SequentialJobs}); neither paper has such a limit.
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
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        if (view.pilotJobs() > 0 || first > last) {
            return SequentialJobs.meanwhile(view, memo);
        }
        int nodes = cores == Stages.ANY_CORES
                ? view.nodes()
                : Math.min(view.nodes(), Stages.nodes(cores, view.coresPerNode()));
        Function<Sizing, LevelJob> job = each -> cores == Stages.ANY_CORES
                ? each.widest(first, last)
                : each.onNodes(Math.max(nodes, each.minNodes(first, last)), first, last);
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.ADD)
                .within(estimator, 0, job);
        String reason = cores == Stages.ANY_CORES ? "as wide as the workflow" : cores + " cores, as requested";
        return OneJob.submit(job.apply(sizing), reason, memo, sizing, profile, sink);
    }
}
