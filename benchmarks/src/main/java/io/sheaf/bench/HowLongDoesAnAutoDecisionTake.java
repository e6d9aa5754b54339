package io.sheaf.bench;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;

/**
 * How long does Auto take to decide in the lab? Workflows of 250 tasks and 500 hours, each from six starts in a queue on 100 nodes, after a warm-up round; in processor time of the
 * thread, over all decisions that plan again.
 */
public final class HowLongDoesAnAutoDecisionTake {
    private static final long DAY = 86_400_000;
    private static final int NODES = 100;

    private final JobLog background = TraceRules.forNodes(NODES)
            .apply(Presets.model("kth-like").generateDays(1, 20))
            .jobs();

    private long plans;
    private long nanos;
    private long longest;

    private HowLongDoesAnAutoDecisionTake() {}

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        for (String family : List.of("montage", "cybershake", "genome", "sipht")) {
            HowLongDoesAnAutoDecisionTake measure = new HowLongDoesAnAutoDecisionTake();
            measure.round(family);
            measure.plans = 0;
            measure.nanos = 0;
            measure.longest = 0;
            for (int round = 0; round < rounds; round++) {
                measure.round(family);
            }
            Measure.print(
                    "%-12s %5d plans, %.2f ms in the mean, %.1f ms at most",
                    family, measure.plans, measure.nanos / 1e6 / measure.plans, measure.longest / 1e6);
        }
    }

    private void round(String family) {
        Workflow workflow = Families.named(family).generate(Recipe.of(250, 500L * 3600 * 1_000_000, 1));
        for (Policy policy : List.of(Policy.conservative(), Policy.easy())) {
            for (int day = 3; day < 9; day++) {
                SimulatedQueue queue = new SimulatedQueue(background, policy, NODES);
                queue.advanceTo(day * DAY);
                RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
                WorkflowSimulation.run(
                        queue,
                        workflow,
                        new TimedStrategy(Strategies.named("auto", times, Profile.OWN), this::count),
                        SimulationSetup.of(Profile.OWN, Resources.node(1), 16),
                        DecisionSink.NOTHING);
            }
        }
    }

    /** Counts the decisions that planned: those that change the memo. */
    private void count(Memo before, Decision decision, long taken) {
        if (!decision.memo().equals(before)) {
            plans++;
            nanos += taken;
            longest = Math.max(longest, taken);
        }
    }
}
