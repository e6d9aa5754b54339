package io.sheaf.platform;

import io.sheaf.platform.TaskCriterion.Measure;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The 36 algorithms A0 to A35 of the published study, x = 9·C1 + 3·C2 + C3.
 *
 * <p>What a number means depends on the model. The paper: C1 = 0 bottom level, 1 children, 2 input and output data, 3 work, most first.
 * The data: C1 = 0 children, 1 bottom level, 2 input data, 3 work, least first. C2 = 0 local data, 1 idle cores, 2 fastest cores and
 * C3 = 0 efficiency 90 %, 1 efficiency 50 %, 2 all cores are the same in both.
 */
public final class Algorithms {
    private static final List<Algorithm> PAPER = all(
            new TaskCriterion.Most(Measure.BOTTOM_LEVEL),
            new TaskCriterion.Most(Measure.CHILDREN),
            new TaskCriterion.Most(Measure.DATA),
            new TaskCriterion.Most(Measure.WORK));
    private static final List<Algorithm> PUBLISHED = all(
            new TaskCriterion.Least(Measure.CHILDREN),
            new TaskCriterion.Least(Measure.BOTTOM_LEVEL),
            new TaskCriterion.Least(Measure.INPUT_DATA),
            new TaskCriterion.Least(Measure.WORK));

    private Algorithms() {}

    /** All 36, by number. */
    public static List<Algorithm> of(Model model) {
        return model == Model.PAPER ? PAPER : PUBLISHED;
    }

    /** The algorithm of this name: {@code A8}, {@code A_8}. */
    public static Algorithm named(String name, Model model) {
        String plain = name.toUpperCase(Locale.ROOT).replace("_", "");
        for (Algorithm algorithm : of(model)) {
            if (algorithm.name().equals(plain)) {
                return algorithm;
            }
        }
        throw new InputException("there is no algorithm '" + name + "'. There are: A0 to A35, portfolio.");
    }

    private static List<Algorithm> all(TaskCriterion... firsts) {
        List<CoreCriterion> thirds =
                List.of(new CoreCriterion.Efficiency(0.9), new CoreCriterion.Efficiency(0.5), new CoreCriterion.All());
        List<Algorithm> algorithms = new ArrayList<>();
        for (TaskCriterion first : firsts) {
            for (ClusterCriterion second : ClusterCriterion.Measure.values()) {
                for (CoreCriterion third : thirds) {
                    algorithms.add(new Algorithm("A" + algorithms.size(), first, second, third));
                }
            }
        }
        return List.copyOf(algorithms);
    }
}
