package io.sheaf.lab.pool;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.Combination;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import io.sheaf.planner.Elements;
import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.pool.Arrival;
import io.sheaf.sim.pool.Intervals;
import io.sheaf.sim.pool.PoolRun;
import io.sheaf.sim.pool.PoolSimulation;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.PropertyClass;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Many workflows at once on processing elements, in the order of a policy: the experiments of Yu and Shi on their 80 classes of random graphs; an item is a class and a setting. */
public final class PoolExperiment extends Experiment implements RunBlock {
    public static final ExperimentKind KIND = new ExperimentKind(
            "elements",
            "",
            ComparisonSpec.keysWith(
                    "classes",
                    "dags",
                    "arrival-interval",
                    "intervals",
                    "elements",
                    "speeds",
                    "transfer",
                    "independent-jobs",
                    "share",
                    "owners",
                    "owner-weights",
                    "repetitions",
                    "seeds"),
            PoolExperiment::new);
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
    private final List<Double> speeds;
    private final List<Double> weights;
    /** Graphs, and the turnaround of each of them alone, computed when first used. */
    private final Map<List<Object>, RankedDag[]> dags = new ConcurrentHashMap<>();

    private final Map<List<Object>, long[]> alone = new ConcurrentHashMap<>();

    PoolExperiment(Section section) {
        super(
                ComparisonSpec.read(
                        section, text -> text.strip().toLowerCase(Locale.ROOT).replace('_', '-')),
                COLUMNS);
        classes = section.each(
                "classes",
                IntStream.rangeClosed(1, PropertyClass.COUNT).boxed().toList(),
                upTo(1, PropertyClass.COUNT));
        speeds = numbers(section, "speeds");
        weights = numbers(section, "owner-weights");
        int owners = section.one("owners", 0, Section.whole(1));
        List<Intervals> intervals =
                section.each("intervals", List.of(Intervals.POISSON), Section.constant(Intervals.class));
        List<Transfer> transfers = section.each("transfer", List.of(Transfer.AT_END), Section.constant(Transfer.class));
        List<Integer> jobs = section.each("independent-jobs", List.of(0), upTo(0, 1000));
        List<Integer> shares = section.each("share", List.of(RankedDag.WHOLE), PoolExperiment::thousandths);
        List<Integer> dags = section.each("dags", List.of(), upTo(1, PER_CLASS));
        List<Integer> means = section.each("arrival-interval", List.of(), upTo(0, 10_000_000));
        List<Integer> elements = section.each("elements", List.of(), upTo(1, 100_000));
        ComparisonSpec.need(section, "dags", "arrival-interval", "elements", "strategies");
        List<Long> seeds = ComparisonSpec.seeds(section);
        long count = Combination.count(seeds, intervals, transfers, jobs, shares, dags, means, elements);
        settings = LongStream.range(0, count)
                .mapToObj(number -> {
                    Combination combination = new Combination(number);
                    int element = combination.of(elements);
                    int mean = combination.of(means);
                    int dag = combination.of(dags);
                    int share = combination.of(shares);
                    int job = combination.of(jobs);
                    Transfer transfer = combination.of(transfers);
                    Intervals interval = combination.of(intervals);
                    long seed = combination.of(seeds);
                    return new PoolSetting(dag, mean, element, interval, transfer, job, share, owners, seed);
                })
                .toList();
    }

    private static Function<String, Integer> upTo(int min, int max) {
        return text -> {
            int value = Section.whole(min).apply(text);
            if (value > max) {
                throw new InputException("'" + text + "' is more than " + max);
            }
            return value;
        };
    }

    /** A share of an element: 0.1 is a tenth. */
    private static int thousandths(String text) {
        double share = Double.parseDouble(Section.factor(text));
        if (share > 1 || share < 0.001) {
            throw new InputException("'" + text + "' is not a share of an element; write 0.001 to 1");
        }
        return (int) Math.round(share * RankedDag.WHOLE);
    }

    /** A list of numbers, which may hold equal ones. */
    private static List<Double> numbers(Section section, String key) {
        List<Double> all = new ArrayList<>();
        for (Text text : section.texts(key)) {
            String number = section.problems().get(text.place(), () -> Section.factor(text.text()));
            all.add(number == null ? 1.0 : Double.parseDouble(number));
        }
        return all.isEmpty() ? List.of(1.0) : List.copyOf(all);
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        for (Text strategy : comparison().strategies()) {
            problems.get(strategy.place(), () -> Policies.named(strategy.text(), 0));
        }
        return List.of(this);
    }

    @Override
    public List<String> names() {
        return classes.stream().map(PoolExperiment::name).toList();
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "class-%02d", number);
    }

    @Override
    public int repeats() {
        return settings.size();
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
        for (String policy : comparison().names()) {
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
