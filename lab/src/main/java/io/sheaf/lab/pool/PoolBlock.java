package io.sheaf.lab.pool;

import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.planner.Elements;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.pool.Arrival;
import io.sheaf.sim.pool.PoolRun;
import io.sheaf.sim.pool.PoolSimulation;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.PropertyClass;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Classes of random graphs × settings × policies; an item is a class and a setting. */
final class PoolBlock implements RunBlock {
    /** The number of graphs of a class, as in the paper. */
    static final int PER_CLASS = 25;

    static final List<String> COLUMNS = RowColumns.table(
            List.of("workflow", "meshing", "edgeLength", "weights", "source"),
            PoolSetting.COLUMNS.names(),
            List.of("policy"),
            PoolOutcome.COLUMNS.names());

    /** An edge of weight 1 takes as long as a node of weight 1. */
    private static final double BYTES_PER_SECOND = PropertyClass.BYTES_PER_WEIGHT;

    private final List<Integer> classes;
    private final List<PoolSetting> settings;
    private final List<String> policies;
    private final List<Double> speeds;
    private final List<Double> weights;
    /** Graphs, and the turnaround of each of them alone, computed when first used. */
    private final Map<List<Object>, RankedDag[]> dags = new ConcurrentHashMap<>();

    private final Map<List<Object>, long[]> alone = new ConcurrentHashMap<>();

    PoolBlock(
            List<Integer> classes,
            List<PoolSetting> settings,
            List<String> policies,
            List<Double> speeds,
            List<Double> weights) {
        this.classes = classes;
        this.settings = settings;
        this.policies = policies;
        this.speeds = speeds;
        this.weights = weights;
    }

    @Override
    public List<String> names() {
        return classes.stream().map(PoolBlock::name).toList();
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "class-%02d", number);
    }

    @Override
    public int repeats() {
        return settings.size();
    }

    @Override
    public long seed() {
        return 0;
    }

    @Override
    public String identity() {
        return classes + settings.toString() + speeds + weights;
    }

    @Override
    public Supplier<ItemRunner> prepare(int[] items) {
        return () -> item -> rows(classes.get(item / settings.size()), settings.get(item % settings.size()));
    }

    private List<String> rows(int number, PoolSetting setting) {
        PoolSimulation.PoolSetup simulated = setting.simulated(speeds, weights);
        RankedDag[] graphs = dags(number, setting);
        long[] aloneMillis = alone(number, setting, simulated);
        List<Arrival> arrivals = arrivals(number, setting, graphs);
        PropertyClass words = PropertyClass.of(number);
        String beginning = String.join(
                ",",
                name(number),
                words.meshing(),
                words.edgeLength(),
                words.nodeWeight() + "/" + words.edgeWeight(),
                "generated",
                PoolSetting.COLUMNS.row(setting));
        List<String> rows = new ArrayList<>();
        for (String policy : policies) {
            PoolOutcome outcome;
            try {
                PoolRun run = PoolSimulation.run(arrivals, simulated, Policies.named(policy, setting.seed()));
                outcome = PoolOutcome.of(run, setting, graphs, aloneMillis, simulated.speeds());
            } catch (RuntimeException e) {
                // A failed run does not stop the others.
                outcome = PoolOutcome.failed(e);
            }
            rows.add(beginning + "," + policy + "," + PoolOutcome.COLUMNS.row(outcome));
        }
        return rows;
    }

    private double slowness(PoolSetting setting) {
        return Elements.slowness(setting.simulated(speeds, weights).speeds().stream()
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    private RankedDag[] dags(int number, PoolSetting setting) {
        double slowness = slowness(setting);
        return dags.computeIfAbsent(
                List.of(number, setting.seed(), slowness, setting.share()),
                key -> graphs(number, setting.seed(), slowness, setting.share()));
    }

    /** The graphs of a class, each with its own seed. */
    private static RankedDag[] graphs(int number, long seed, double slowness, int share) {
        RankedDag[] graphs = new RankedDag[PER_CLASS];
        for (int i = 0; i < PER_CLASS; i++) {
            long own = PER_CLASS * (number - 1L) + i + seed * PER_CLASS * PropertyClass.COUNT;
            Workflow workflow =
                    Families.named("random").generate(new Recipe(0, 0, own, Map.of("class", Integer.toString(number))));
            graphs[i] = RankedDag.of(workflow, BYTES_PER_SECOND, slowness, share);
        }
        return graphs;
    }

    /** The turnaround of each graph with all elements for itself, in the order of HEFT; in milliseconds. */
    private long[] alone(int number, PoolSetting setting, PoolSimulation.PoolSetup simulated) {
        return alone.computeIfAbsent(
                List.of(number, setting.seed(), setting.elements(), setting.share(), setting.transfer()), key -> {
                    RankedDag[] graphs = dags(number, setting);
                    long[] millis = new long[graphs.length];
                    for (int i = 0; i < graphs.length; i++) {
                        millis[i] = PoolSimulation.run(
                                        List.of(new Arrival(graphs[i], 0, 0)), simulated, Policies.named("rank-hf", 0))
                                .turnaround(0);
                    }
                    return millis;
                });
    }

    /** The arrivals, which do not depend on the elements, the number of graphs or the policy; single jobs are spread evenly until the next graph. */
    private List<Arrival> arrivals(int number, PoolSetting setting, RankedDag[] graphs) {
        RandomStream random =
                new RandomStream(setting.seed()).split("arrivals").split(number).split(setting.interval());
        long[] at = setting.intervals().arrivals(PER_CLASS + 1, setting.interval(), random);
        RandomStream jobs = new RandomStream(setting.seed()).split("jobs").split(number);
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < setting.dags(); i++) {
            int owner = setting.owners() == 0 ? i : i % setting.owners();
            arrivals.add(new Arrival(graphs[i], at[i], owner));
            for (int j = 1; j <= setting.independentJobs(); j++) {
                long behind = (at[i + 1] - at[i]) * j / (setting.independentJobs() + 1);
                long millis = graphs[i].millis(jobs.nextInt(graphs[i].size()));
                RankedDag job = RankedDag.job(millis, slowness(setting), setting.share());
                arrivals.add(new Arrival(job, at[i] + behind, owner));
            }
        }
        return arrivals;
    }
}
