package io.sheaf.lab.platform;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.platform.PlatformCluster;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.Scenario;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run on a platform, as columns of the table.
 *
 * @param completed 1 or 0; empty if a published table does not list the run
 * @param makespan in seconds; NaN if not known
 * @param bound the lower bound of the makespan in seconds; NaN if not known
 * @param execution null if the run was not simulated
 * @param sequence the numbers of the algorithms that a portfolio selected, round by round
 */
record PlatformOutcome(
        String completed,
        double makespan,
        double bound,
        @Nullable PlatformExecution execution,
        String sequence,
        String failure) {
    static final RowColumns<PlatformOutcome> COLUMNS = new RowColumns<PlatformOutcome>()
            .add("completed", PlatformOutcome::completed)
            .add("makespan_seconds", o -> Csv.number(o.makespan, 6))
            .add("lower_bound_seconds", o -> Csv.number(o.bound, 6))
            .add("energy_joules", o -> o.simulated(PlatformExecution::joules, 3))
            .add("bytes_moved", o -> o.simulated(PlatformExecution::bytes, 0))
            .add("idle_core_seconds", o -> o.simulated(PlatformExecution::idleCoreSeconds, 3))
            .add("rounds", o -> o.count(o.selected().size()))
            .add(
                    "algorithms_used",
                    o -> o.count(o.selected().stream().distinct().count()))
            .add("algorithm_sequence", PlatformOutcome::sequence)
            .add("failure", PlatformOutcome::failure);

    /** A run that a published table does not list. */
    static final PlatformOutcome NOT_PUBLISHED = new PlatformOutcome("", Double.NaN, Double.NaN, null, "", "");

    /** The maximum number of cores of a task. */
    private static final int MAX_CORES = 32;

    /** A simulated run; the rounds are those of a portfolio. */
    static PlatformOutcome simulated(PlatformExecution execution, double bound, List<PortfolioRound> rounds) {
        String sequence =
                rounds.stream().map(round -> Integer.toString(round.chosen())).collect(Collectors.joining(" "));
        return new PlatformOutcome("1", execution.makespan(), bound, execution, sequence, "");
    }

    /** A run that failed by an exception. */
    static PlatformOutcome failed(RuntimeException e) {
        return new PlatformOutcome("0", 0, 0, null, "", Csv.reason(String.valueOf(e)));
    }

    private String simulated(ToDoubleFunction<PlatformExecution> measure, int places) {
        return execution == null ? "" : Csv.number(measure.applyAsDouble(execution), places);
    }

    private List<String> selected() {
        return Arrays.asList(sequence.split(" ", -1));
    }

    private String count(long number) {
        return sequence.isEmpty() ? "" : Long.toString(number);
    }

    /** The lower bound of the makespan: the longest chain of tasks, each on the cluster and cores where it is fastest, without transfers; in seconds. */
    static double bound(Scenario scenario) {
        Workflow workflow = scenario.workflow();
        double[] end = new double[workflow.size()];
        double longest = 0;
        for (int i = 0; i < end.length; i++) {
            int task = workflow.inOrder(i);
            for (int p = 0; p < workflow.parents(task); p++) {
                end[task] = Math.max(end[task], end[workflow.parent(task, p)]);
            }
            end[task] += shortest(scenario, task);
            longest = Math.max(longest, end[task]);
        }
        return longest;
    }

    private static double shortest(Scenario scenario, int task) {
        double alpha = scenario.alpha(task);
        double min = Double.POSITIVE_INFINITY;
        for (PlatformCluster cluster : scenario.platform().clusters()) {
            double alone = cluster.seconds(scenario.workflow().timeMicros(task) / 1e6);
            min = Math.min(min, alpha * alone / Math.min(cluster.cores(), MAX_CORES) + (1 - alpha) * alone);
        }
        return min;
    }
}
