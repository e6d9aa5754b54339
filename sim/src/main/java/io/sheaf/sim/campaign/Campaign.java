package io.sheaf.sim.campaign;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.Strategy;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates every workflow with every strategy from every start time, on the same background.
 *
 * <p>The background is simulated once; each run has a fork of it. Run times of levels are estimated once for each workflow. Each worker simulates one
 * start time of one workflow with all strategies. Runs are independent, so results do not depend on the number of workers. If the setup records runs,
 * results contain the pilot jobs with their estimated starts.
 */
public final class Campaign {
    /** The time after a run for which the waits of background jobs are measured. */
    private static final long FOLLOWED = 7L * 24 * 3_600_000;

    private final Checkpoints background;
    private final boolean weighing;
    private final Conventions conventions;
    private final SimulationSetup setup;
    private final KnownTimes knownTimes;
    private final List<Workflow> workflows;
    private final List<String> strategies;
    /** For each workflow, by the cores that strategies fix. */
    private final List<Map<Integer, RunTimes>> times = new ArrayList<>();

    /** Receives the number of completed runs; called by one thread at a time. */
    @FunctionalInterface
    public interface Watcher {
        void done(long runs, long all);
    }

    /**
     * One workflow from one start time.
     *
     * @param boundMillis the lower bound of the makespan
     * @param runs one per strategy, in their order
     */
    public record Item(long boundMillis, List<SimulatedRun> runs) {}

    /**
     * Simulates the background up to the last start. Throws an exception for an unknown strategy, and for a workflow with a task that fits no node or
     * is wider than the cluster.
     *
     * @param starts instants of the log's clock, ascending
     * @param strategies with their parameters: {@code zhang:global=false}; {@code @8} behind fixes the cores of moldable tasks
     * @param knownTimes what runs know of the run times of tasks
     * @param weighing whether to measure the increase of background waits by each run; this simulates the whole background once more without own
     *     jobs
     */
    public Campaign(
            JobLog log,
            Policy policy,
            int nodes,
            long[] starts,
            Conventions conventions,
            SimulationSetup setup,
            List<Workflow> workflows,
            List<String> strategies,
            KnownTimes knownTimes,
            boolean weighing) {
        this.weighing = weighing;
        this.knownTimes = knownTimes;
        this.conventions = conventions;
        this.setup = setup;
        JobLimits limits = policy.perJob();
        this.workflows = workflows.stream()
                .map(each -> each.fitting(setup.node(), Math.min(nodes, limits.units()), limits.walltime()))
                .toList();
        this.strategies = List.copyOf(strategies);
        if (!strategies.isEmpty() && strategies.stream().allMatch(Hindsight::isNamed)) {
            throw new InputException("hindsight starts from the jobs of other strategies; add one");
        }
        for (Workflow workflow : this.workflows) {
            policy.largest().check(workflow);
            refuseWider(workflow, nodes);
            Map<Integer, RunTimes> known = new HashMap<>();
            known.put(0, new RunTimes(workflow, setup.profile().planOrder(), setup.node()));
            for (String each : strategies) {
                FixedCores fixed = FixedCores.of(each);
                known.computeIfAbsent(
                        fixed.cores(),
                        cores ->
                                new RunTimes(fixed.on(workflow), setup.profile().planOrder(), setup.node()));
                check(each, Objects.requireNonNull(known.get(fixed.cores())), setup.profile());
            }
            times.add(known);
        }
        long last = starts.length == 0 ? 0 : starts[starts.length - 1];
        background = new Checkpoints(log, policy, nodes, starts, weighing ? NEVER : last);
    }

    private Strategy strategy(FixedCores spec, RunTimes known) {
        String name = spec.strategy();
        return knownTimes == KnownTimes.GIVEN
                ? Strategies.named(name, known, setup.profile())
                : knownTimes.strategy(knownTimes.shown(known.workflow()), setup, name);
    }

    /** Throws an exception if there is neither a strategy nor a reference with this name and parameters. */
    public static void check(String spec, RunTimes times, Profile profile) {
        if (Hindsight.isNamed(spec)) {
            Hindsight.evaluations(spec);
        } else {
            Strategies.named(FixedCores.of(spec).strategy(), times, profile);
        }
    }

    private static void refuseWider(Workflow workflow, int nodes) {
        for (int task = 0; task < workflow.size(); task++) {
            int needed = workflow.resources(task).nodes();
            if (needed > nodes) {
                throw new InputException("task '" + workflow.id(task) + "' of workflow '" + workflow.name() + "' needs "
                        + needed + " nodes, the cluster has " + nodes + ". Maybe split it, or raise --nodes");
            }
        }
    }

    public CampaignResults run(int threads, Watcher watcher) {
        CampaignResults results = new CampaignResults(workflows, strategies, background.size(), conventions);
        int items = workflows.size() * background.size();
        long all = (long) items * strategies.size();
        long[] done = new long[1];
        Supplier<IntConsumer> workers = () -> {
            Runner runner = runner();
            return number -> {
                int workflow = number / background.size();
                int start = number % background.size();
                Item item = runner.run(workflow, start);
                results.bound(workflow, start, item.boundMillis());
                for (int i = 0; i < strategies.size(); i++) {
                    results.ran(workflow, i, start, item.runs().get(i));
                }
            };
        };
        Workers.run(threads, items, workers, () -> {
            synchronized (done) {
                done[0] += strategies.size();
                watcher.done(done[0], all);
            }
        });
        return results;
    }

    /** Runs items one by one, for one thread. */
    public Runner runner() {
        return new Runner();
    }

    /** Runs items in one thread. */
    public final class Runner {
        private SimulatedQueue queue = background.fork(0);
        private final BackgroundCost cost = new BackgroundCost(background.baseline(), FOLLOWED);
        /** The strategies in their order; null for a search with the future known. */
        private final List<@Nullable Strategy> known = new ArrayList<>();

        private int workflow = -1;

        private Runner() {}

        /** Runs one workflow from one start time, by their numbers, with all strategies. */
        public Item run(int number, int start) {
            if (number != workflow) {
                workflow = number;
                begin();
            }
            Workflow selected = workflows.get(workflow);
            background.forkInto(start, queue);
            long bound = LowerBound.millis(queue, background.instant(start), selected, setup, conventions);
            SimulatedRun[] runs = new SimulatedRun[strategies.size()];
            List<SimulatedRun> without = new ArrayList<>();
            for (int i = 0; i < runs.length; i++) {
                Strategy strategy = known.get(i);
                if (strategy != null) {
                    background.forkInto(start, queue);
                    runs[i] = run(times(strategies.get(i)).workflow(), strategy, background.instant(start));
                    without.add(runs[i]);
                }
            }
            for (int i = 0; i < runs.length; i++) {
                if (known.get(i) == null) {
                    runs[i] = hindsight(selected, start, without, Hindsight.evaluations(strategies.get(i)));
                }
            }
            return new Item(bound, List.of(runs));
        }

        /** The best run that is found with the future known, after those of the strategies. */
        private SimulatedRun hindsight(Workflow workflow, int start, List<SimulatedRun> runs, int evaluations) {
            return Hindsight.search(
                    times(""),
                    setup.profile(),
                    setup.nodesOf(queue),
                    strategy -> {
                        background.forkInto(start, queue);
                        return run(workflow, strategy, background.instant(start));
                    },
                    conventions::makespanMillis,
                    runs,
                    evaluations);
        }

        /** A run that throws an exception counts as not completed; the other runs continue. */
        private SimulatedRun run(Workflow workflow, Strategy strategy, long start) {
            try {
                return simulated(workflow, strategy, start);
            } catch (RuntimeException e) {
                // Its state is undefined.
                queue = background.fork(0);
                begin();
                return SimulatedRun.broken(start, String.valueOf(e));
            }
        }

        private SimulatedRun simulated(Workflow workflow, Strategy strategy, long start) {
            cost.begin(queue);
            SimulatedRun run = listened(workflow, strategy, start);
            if (!weighing) {
                return run;
            }
            cost.finish(queue);
            return run.with(run.pilotJobs(), cost.backgroundWait());
        }

        private SimulatedRun listened(Workflow workflow, Strategy strategy, long start) {
            Workflow shown = knownTimes.shown(workflow);
            SimulationSetup its = knownTimes.setup(setup, workflow);
            if (!setup.recording()) {
                // Hindsight begins with the pilot jobs of the strategies.
                SimulationSetup recorded = known.contains(null) ? its.recording(true) : its;
                return WorkflowSimulation.run(
                        queue, start, shown, strategy, recorded, DecisionSink.NOTHING, cost, null);
            }
            ExpectedStarts expected = new ExpectedStarts();
            return expected.joined(WorkflowSimulation.run(queue, start, shown, strategy, its, expected, cost, null));
        }

        /** The run times of the present workflow as a strategy sees it. */
        private RunTimes times(String strategy) {
            return Objects.requireNonNull(
                    times.get(workflow).get(FixedCores.of(strategy).cores()));
        }

        /** Creates strategies without state of earlier runs. */
        private void begin() {
            known.clear();
            for (String each : strategies) {
                known.add(Hindsight.isNamed(each) ? null : strategy(FixedCores.of(each), times(each)));
            }
        }
    }

    /** Records the estimated start of each pilot job of a run at its submission. */
    private static final class ExpectedStarts implements DecisionSink {
        private final Map<Long, Long> byToken = new HashMap<>();

        @Override
        public void ordered(Order order, long token, long expectedStart) {
            if (order instanceof Order.Submit) {
                byToken.put(token, expectedStart);
            }
        }

        /** The run with the estimated starts of its pilot jobs. */
        SimulatedRun joined(SimulatedRun run) {
            List<JobRecord> jobs = run.pilotJobs().stream()
                    .map(job -> job.estimated(job.claim(), byToken.getOrDefault(job.token(), JobRecord.NEVER)))
                    .toList();
            return run.with(jobs, run.background());
        }
    }
}
