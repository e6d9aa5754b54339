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

/**
 * How long does the portfolio take to decide? A Montage of 500 tasks and 500 hours that starts behind 300 queued background jobs, on 100 nodes under twice the load of KTH; in processor time of the
 * thread for each round, the first without JIT warm-up. A contest runs in pieces, one per decision. The limits are 2 s live, where a contest ends after 1.8 s, and 50 ms per
 * decision in the lab.
 */
public final class HowLongDoesAPortfolioDecisionTake {
    private static final long DAY = 86_400_000;
    private static final long HOUR = DAY / 24;
    private static final int NODES = 100;
    private static final int QUEUED = 300;
    private static final long LIMIT_NANOS = 50_000_000;
    private static final int SHOWN = 25;

    private final JobLog background = TraceRules.forNodes(NODES)
            .withScaleLoad(2)
            .apply(Presets.model("kth-like").generateDays(1, 42))
            .jobs();

    private long decisions;
    private long nanos;
    private long longest;
    private long tooLong;
    private long contests;
    /** The end of the last contest, from the memo of the portfolio. */
    private String lastContest = "";

    private HowLongDoesAPortfolioDecisionTake() {}

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        for (int round = 1; round <= rounds; round++) {
            HowLongDoesAPortfolioDecisionTake measure = new HowLongDoesAPortfolioDecisionTake();
            int queued = measure.round();
            Measure.print(
                    "round %d, %d queued: %d decisions, %.1f ms in the mean, %.0f ms at most, %d above 50 ms; %d contests, %.0f ms each with all between them",
                    round,
                    queued,
                    measure.decisions,
                    measure.nanos / 1e6 / measure.decisions,
                    measure.longest / 1e6,
                    measure.tooLong,
                    measure.contests,
                    measure.nanos / 1e6 / Math.max(1, measure.contests));
        }
    }

    /** One run; returns the number of background jobs queued at its start. */
    private int round() {
        Workflow workflow = Families.named("montage").generate(Recipe.of(500, 500L * 3600 * 1_000_000, 1));
        SimulatedQueue queue = new SimulatedQueue(background, Policy.easy(), NODES);
        long start = 2 * DAY;
        queue.advanceTo(start);
        while (queue.engine().queued() < QUEUED && start < 30 * DAY) {
            start += HOUR;
            queue.advanceTo(start);
        }
        int queued = queue.engine().queued();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
        WorkflowSimulation.run(
                queue,
                workflow,
                new TimedStrategy(Strategies.named("portfolio", times, Profile.OWN), this::count),
                SimulationSetup.of(Profile.OWN, Resources.node(1), 16),
                DecisionSink.NOTHING);
        return queued;
    }

    private void count(Memo before, Decision decision, long taken) {
        decisions++;
        nanos += taken;
        longest = Math.max(longest, taken);
        tooLong += taken > LIMIT_NANOS ? 1 : 0;
        String contest = decision.memo().text().split(" ", 3)[1];
        if (!contest.equals(lastContest)) {
            lastContest = contest;
            contests++;
            if (contests % SHOWN == 0) {
                System.err.println(contests + " contests …");
            }
        }
    }
}
