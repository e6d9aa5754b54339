package io.sheaf.lab.queue;

import io.sheaf.batch.JobLimits;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.manager.Strategy;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.DecisionRecord;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.sim.campaign.FixedCores;
import io.sheaf.sim.campaign.Hindsight;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs on one background: workflows × start times × strategies.
 *
 * @param starts in milliseconds after the beginning of the replayed period, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // Blocks are not compared.
public record QueueBlock(QueueSetting setting, List<String> strategies, List<WorkflowInstance> workflows, long[] starts)
        implements RunBlock {
    @Override
    public long seed() {
        return setting.seed();
    }

    @Override
    public List<String> names() {
        return workflows.stream().map(WorkflowInstance::name).toList();
    }

    @Override
    public int repeats() {
        return starts.length;
    }

    @Override
    public String identity() {
        return QueueSetting.COLUMNS.row(setting)
                + setting.expectedStarts()
                + (setting.background() ? "background" : "")
                + Arrays.hashCode(starts)
                + starts.length
                + WorkflowInstance.identity(workflows);
    }

    /** Simulates the background up to the last start of these items; only their workflows and starts are prepared. */
    @Override
    public Supplier<ItemRunner> prepare(int[] items) {
        int[] used = distinct(IntStream.of(items).map(item -> item / starts.length));
        int[] usedStarts = distinct(IntStream.of(items).map(item -> item % starts.length));
        Campaign campaign = campaign(
                instants(usedStarts),
                setting.setup(),
                IntStream.of(used).mapToObj(i -> workflows.get(i).workflow()).toList(),
                setting.background());
        return () -> {
            Campaign.Runner runner = campaign.runner();
            return item -> {
                int workflow = item / starts.length;
                int start = item % starts.length;
                return rows(
                        workflow,
                        start,
                        runner.run(Arrays.binarySearch(used, workflow), Arrays.binarySearch(usedStarts, start)));
            };
        };
    }

    private Campaign campaign(long[] at, SimulationSetup setup, List<Workflow> run, boolean background) {
        return new Campaign(
                setting.jobs(),
                setting.cluster().policy(),
                setting.cluster().nodes(),
                at,
                setting.conventions(),
                setup,
                run,
                strategies,
                setting.known(),
                background);
    }

    private static int[] distinct(IntStream numbers) {
        return numbers.distinct().sorted().toArray();
    }

    private long[] instants(int[] at) {
        return IntStream.of(at).mapToLong(start -> starts[start]).toArray();
    }

    private List<String> rows(int workflow, int start, Campaign.Item item) {
        String beginning =
                QueueSetting.COLUMNS.row(setting) + "," + WorkflowInstance.COLUMNS.row(workflows.get(workflow));
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < strategies.size(); i++) {
            QueueOutcome outcome = new QueueOutcome(
                    setting, starts[start], item.boundMillis(), item.runs().get(i));
            rows.add(beginning + "," + Csv.quoted(strategies.get(i)) + "," + QueueOutcome.COLUMNS.row(outcome));
        }
        return rows;
    }

    /** Simulates the background once for all of these runs. */
    @Override
    public List<ReplayedRun> replay(List<BlockRun> runs) {
        int[] at = distinct(runs.stream().mapToInt(run -> run.item() % starts.length));
        long[] instants = instants(at);
        Checkpoints background = new Checkpoints(
                setting.jobs(),
                setting.cluster().policy(),
                setting.cluster().nodes(),
                instants,
                instants[instants.length - 1]);
        return runs.stream()
                .map(run -> replay(run, background.fork(Arrays.binarySearch(at, run.item() % starts.length))))
                .toList();
    }

    private ReplayedRun replay(BlockRun place, SimulatedQueue queue) {
        WorkflowInstance instance = workflows.get(place.item() / starts.length);
        long start = starts[place.item() % starts.length];
        if (Hindsight.isNamed(place.strategy())) {
            return replayed(place, hindsight(place, instance), List.of());
        }
        FixedCores spec = FixedCores.of(place.strategy());
        JobLimits limits = setting.cluster().policy().perJob();
        Workflow workflow = spec.on(instance.workflow()
                .fitting(
                        setting.setup().node(),
                        Math.min(setting.cluster().nodes(), limits.units()),
                        limits.walltime()));
        SimulationSetup setup = setting.known().setup(setting.setup().recording(true), workflow);
        Workflow shown = setting.known().shown(workflow);
        Strategy strategy = setting.known().strategy(shown, setup, spec.strategy());
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(queue, start, shown, strategy, setup, decisions);
        return replayed(place, run, decisions.decisions());
    }

    /** The search with the future known begins with the runs of all strategies of the item. */
    private SimulatedRun hindsight(BlockRun place, WorkflowInstance instance) {
        long[] start = {starts[place.item() % starts.length]};
        return campaign(start, setting.setup().recording(true), List.of(instance.workflow()), false)
                .runner()
                .run(0, 0)
                .runs()
                .get(strategies.indexOf(place.strategy()));
    }

    private ReplayedRun replayed(BlockRun place, SimulatedRun run, List<DecisionRecord> decisions) {
        WorkflowInstance instance = workflows.get(place.item() / starts.length);
        long start = starts[place.item() % starts.length];
        return new ReplayedRun(
                place.number(),
                run.record(
                        instance.workflow(),
                        place.strategy(),
                        setting.cluster().nodes(),
                        setting.coresPerNode(),
                        decisions),
                instance.name() + ", " + place.strategy(),
                QueueSetting.COLUMNS.words(setting),
                Csv.seconds(new QueueOutcome(setting, start, 0, run).makespan()));
    }
}
