package io.sheaf.lab.pool;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.Combination;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.Intervals;
import io.sheaf.text.InputException;
import io.sheaf.workflow.generate.PropertyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Many workflows at once on processing elements, in the order of a policy: the experiments of Yu and Shi on their 80 classes of random graphs. */
public final class PoolExperiment implements Experiment {
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

    private final ComparisonSpec comparison;
    private final List<Integer> classes;
    private final List<PoolSetting> settings;
    private final List<Double> speeds;
    private final List<Double> weights;

    PoolExperiment(Section section) {
        comparison = ComparisonSpec.read(
                section, text -> text.strip().toLowerCase(Locale.ROOT).replace('_', '-'));
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
        List<Integer> dags = section.each("dags", List.of(), upTo(1, PoolBlock.PER_CLASS));
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
    public ComparisonSpec comparison() {
        return comparison;
    }

    @Override
    public List<String> columns() {
        return PoolBlock.COLUMNS;
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        for (Text strategy : comparison.strategies()) {
            problems.get(strategy.place(), () -> Policies.named(strategy.text(), 0));
        }
        return List.of(new PoolBlock(classes, settings, comparison.names(), speeds, weights));
    }
}
