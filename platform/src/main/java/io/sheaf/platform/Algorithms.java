package io.sheaf.platform;

import io.sheaf.platform.TaskCriterion.Measure;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The 36 list-scheduling algorithms A0 to A35 of Casanova et al., "On the Feasibility of Simulation-driven Portfolio Scheduling for Cyberinfrastructure Runtime Systems" (4.3).
 *
 * <h2>Idea</h2>
 * An algorithm is one choice for each of three criteria: C1 which ready task, C2 which cluster, C3 how many cores. Its number is 9·C1 + 3·C2 + C3.
 *
 * <h2>Criteria</h2>
 * <table>
 *   <caption>What the numbers stand for</caption>
 *   <tr><th></th><th>0</th><th>1</th><th>2</th><th>3</th></tr>
 *   <tr><td>C1, {@link Model#PAPER}</td><td>largest bottom level</td><td>most children</td><td>most input and output data</td><td>most work</td></tr>
 *   <tr><td>C1, {@link Model#PUBLISHED}</td><td>fewest children</td><td>smallest bottom level</td><td>least input data</td><td>least work</td></tr>
 *   <tr><td>C2</td><td>most local input data</td><td>most idle cores</td><td>fastest cores</td><td></td></tr>
 *   <tr><td>C3</td><td>efficiency ≥ 90 %</td><td>efficiency ≥ 50 %</td><td>all idle cores</td><td></td></tr>
 * </table>
 *
 * <h2>Departures from the paper</h2>
 * The published data come from a simulator that sorts ascending, numbers C1 differently and counts input files only: this is {@link Model#PUBLISHED}.
 * Efficiency "above" a limit includes the limit in both models, see {@link CoreCriterion.Efficiency}.
 */
public final class Algorithms {
    private static final List<TaskCriterion> PAPER_C1 = List.of(
            new TaskCriterion.Most(Measure.BOTTOM_LEVEL),
            new TaskCriterion.Most(Measure.CHILDREN),
            new TaskCriterion.Most(Measure.DATA),
            new TaskCriterion.Most(Measure.WORK));
    private static final List<TaskCriterion> PUBLISHED_C1 = List.of(
            new TaskCriterion.Least(Measure.CHILDREN),
            new TaskCriterion.Least(Measure.BOTTOM_LEVEL),
            new TaskCriterion.Least(Measure.INPUT_DATA),
            new TaskCriterion.Least(Measure.WORK));
    private static final List<ClusterCriterion> C2 = List.of(
            ClusterCriterion.Measure.LOCAL_DATA, ClusterCriterion.Measure.IDLE_CORES, ClusterCriterion.Measure.FASTEST);
    private static final List<CoreCriterion> C3 =
            List.of(new CoreCriterion.Efficiency(0.9), new CoreCriterion.Efficiency(0.5), new CoreCriterion.All());

    private static final List<Algorithm> PAPER = all(PAPER_C1);
    private static final List<Algorithm> PUBLISHED = all(PUBLISHED_C1);

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
        throw new InputException("unknown algorithm '" + name + "'; use A0 to A35 or portfolio");
    }

    private static List<Algorithm> all(List<TaskCriterion> c1) {
        List<Algorithm> algorithms = new ArrayList<>();
        for (int x = 0; x < c1.size() * C2.size() * C3.size(); x++) {
            algorithms.add(new Algorithm("A" + x, c1.get(x / 9), C2.get(x / 3 % 3), C3.get(x % 3)));
        }
        return List.copyOf(algorithms);
    }
}
