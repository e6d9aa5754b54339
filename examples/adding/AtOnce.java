import io.sheaf.batch.Policy;
import io.sheaf.manager.Claim;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;

/**
 * AtOnce, a strategy as an example: it submits all unfinished tasks as one job. The job has the largest node count that
 * starts at once, or, if none does, the node count that ends earliest.
 */
public final class AtOnce implements Strategy {
    private static final long MINUTE = 60_000;

    private final RunTimes times;
    private final Profile profile;

    AtOnce(RunTimes times, Profile profile) {
        this.times = times;
        this.profile = profile;
    }

    @Override
    public String name() {
        return "atonce";
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        if (view.pilotJobs() > 0 || first > last) {
            return Decision.nothing(memo);
        }
        int most = Math.min(view.nodes(), times.range(first, last).maxWidth());
        StartQuery query = new StartQuery().begin(view.now(), StartQuery.Arrangement.ALONE);
        for (int nodes = 1; nodes <= most; nodes++) {
            query.add(0, nodes, profile.request(times.millis(first, last, nodes)));
        }
        StartTimes starts = estimator.estimate(query);
        int best = best(query, starts);
        int nodes = query.units(best);
        long walltime = query.walltime(best);
        if (considered.isRecording()) {
            long wait = starts.job(best) - view.now();
            considered.option("all unfinished tasks", nodes, walltime, wait, -1);
            considered.chosen(wait == 0 ? "starts at once" : "nothing starts at once; ends earliest");
        }
        return Decision.of(
                memo, new Order.Submit(Request.of(nodes, walltime), Claim.levels(first, last)));
    }

    private static int best(StartQuery query, StartTimes starts) {
        int best = 0;
        for (int i = 1; i < query.jobs(); i++) {
            boolean atOnce = starts.job(i) == query.now();
            boolean ended = starts.job(i) != StartTimes.NEVER
                    && starts.job(i) + query.walltime(i) < starts.job(best) + query.walltime(best);
            if (atOnce || (starts.job(best) != query.now() && ended)) {
                best = i;
            }
        }
        return best;
    }

    /**
     * Simulates AtOnce and two other strategies. The workflow is a task of one hour followed by eight tasks of one hour.
     * Of eight nodes, a background job uses five for 90 minutes.
     */
    public static void main(String[] args) {
        WorkflowBuilder draft = new WorkflowBuilder("fork");
        int split = draft.task("split");
        draft.time(split, 60 * MINUTE * 1000);
        for (int i = 0; i < 8; i++) {
            int part = draft.task("part-" + i);
            draft.time(part, 60 * MINUTE * 1000).edge(split, part);
        }
        Workflow workflow = draft.build();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
        for (Strategy strategy : List.of(
                new AtOnce(times, Profile.OWN),
                Strategies.named("giant", times, Profile.OWN),
                Strategies.named("onejob", times, Profile.OWN))) {
            JobLog others = JobLog.builder()
                    .add(1, 0, 90 * MINUTE, 90 * MINUTE, 5, 1)
                    .build();
            SimulatedQueue queue = new SimulatedQueue(others, Policy.conservative(), 8);
            queue.advanceTo(MINUTE);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    workflow,
                    strategy,
                    SimulationSetup.of(Profile.OWN, Resources.node(1), 16),
                    DecisionSink.NOTHING);
            System.out.printf(
                    "%-8s done after %d min, %d node-minutes held%n",
                    strategy.name(), run.makespanMillis() / MINUTE, run.allocatedNodeMillis() / MINUTE);
        }
    }
}
