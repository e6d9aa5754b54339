package io.sheaf.lab;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.Intervals;
import io.sheaf.text.InputException;
import io.sheaf.workflow.generate.PropertyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Many workflows at once on processing elements, in the order of a policy: the experiments of Yu and Shi, on their 80 classes of random graphs.
 */
final class PoolExperiment implements Experiment {
    static final List<String> KEYS = Stream.concat(
                    Compared.KEYS.stream(),
                    Stream.of(
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
                            "seeds"))
            .toList();

    private final Compared compared;
    private final List<Integer> classes;
    private final List<PoolSetting> settings;
    private final List<Double> speeds;
    private final List<Double> weights;

    PoolExperiment(Section section) {
        compared = Compared.read(
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
        List<Integer> dags = section.each("dags", List.of(), upTo(1, PoolDags.PER_CLASS));
        List<Integer> means = section.each("arrival-interval", List.of(), upTo(0, 10_000_000));
        List<Integer> elements = section.each("elements", List.of(), upTo(1, 100_000));
        Compared.need(section, "dags", "arrival-interval", "elements", "strategies");
        // The cross product, one list after the other; the last one changes fastest.
        List<PoolSetting> all = new ArrayList<>();
        Compared.seeds(section).forEach(each -> all.add(PoolSetting.of(owners, each)));
        settings = crossed(
                all,
                List.of(
                        changes(intervals, PoolSetting::with),
                        changes(transfers, PoolSetting::with),
                        changes(jobs, PoolSetting::withIndependentJobs),
                        changes(shares, PoolSetting::withShare),
                        changes(dags, PoolSetting::withDags),
                        changes(means, PoolSetting::withInterval),
                        changes(elements, PoolSetting::withElements)));
    }

    private static <T> List<UnaryOperator<PoolSetting>> changes(
            List<T> values, BiFunction<PoolSetting, T, PoolSetting> with) {
        return values.stream()
                .<UnaryOperator<PoolSetting>>map(value -> setting -> with.apply(setting, value))
                .toList();
    }

    private static List<PoolSetting> crossed(List<PoolSetting> all, List<List<UnaryOperator<PoolSetting>>> changes) {
        List<PoolSetting> crossed = all;
        for (List<UnaryOperator<PoolSetting>> values : changes) {
            crossed = crossed.stream()
                    .flatMap(setting -> values.stream().map(value -> value.apply(setting)))
                    .toList();
        }
        return crossed;
    }

    private static Function<String, Integer> upTo(int least, int most) {
        return text -> {
            int value = Section.whole(least).apply(text);
            if (value > most) {
                throw new InputException("'" + text + "' is more than " + most);
            }
            return value;
        };
    }

    /** A share of an element: 0.1 is a tenth. */
    private static int thousandths(String text) {
        double share = Double.parseDouble(Section.factor(text));
        if (share > 1 || share < 0.001) {
            throw new InputException("'" + text + "' is no share of an element; write 0.001 to 1");
        }
        return (int) Math.round(share * RankedDag.WHOLE);
    }

    /** Numbers of which several may be the same. */
    private static List<Double> numbers(Section section, String key) {
        List<Double> all = new ArrayList<>();
        for (Text text : section.texts(key)) {
            String number = section.problems().get(text.place(), () -> Section.factor(text.text()));
            all.add(number == null ? 1.0 : Double.parseDouble(number));
        }
        return all.isEmpty() ? List.of(1.0) : List.copyOf(all);
    }

    @Override
    public Compared compared() {
        return compared;
    }

    @Override
    public List<String> columns() {
        return PoolTable.COLUMNS;
    }

    @Override
    public List<Block> blocks(Inputs inputs, Problems problems) {
        for (Text strategy : compared.strategies()) {
            problems.get(strategy.place(), () -> Policies.named(strategy.text(), 0));
        }
        return List.of(new PoolBlock(classes, settings, compared.names(), speeds, weights));
    }
}
