package io.sheaf.lab.pool;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.PoolRun;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run of many workflows, as columns of the table; means are over the workflows, without single jobs.
 *
 * @param means null if the run failed
 * @param failure the reason; empty if the run completed
 */
record PoolOutcome(@Nullable Means means, String failure) {
    static final RowColumns<PoolOutcome> COLUMNS = new RowColumns<PoolOutcome>()
            .add("completed", o -> o.means == null ? "0" : "1")
            .add("makespanSeconds", o -> o.means == null ? "0.000" : o.mean(Means::makespan, 3))
            .add("turnaroundSeconds", o -> o.mean(Means::turnaround, 3))
            .add("lowerBoundSeconds", o -> o.means == null ? "0.000" : o.mean(Means::bound, 3))
            .add("spanSeconds", o -> o.mean(Means::span, 3))
            .add("utilization", o -> o.mean(Means::utilization, 6))
            .add("throughputPerHour", o -> o.mean(Means::throughput, 6))
            .add("fairness", o -> o.mean(Means::fairness, 6))
            .add("slowdown", o -> o.mean(Means::slowdown, 6))
            .add("worstSlowdown", o -> o.mean(Means::worstSlowdown, 6))
            .add("jobTurnaroundSeconds", o -> o.mean(Means::jobTurnaround, 3))
            .add("failure", PoolOutcome::failure);

    /** Means over the workflows of a run; times in seconds, the turnaround of single jobs NaN if there are none. */
    private record Means(
            double makespan,
            double turnaround,
            double bound,
            double span,
            double utilization,
            double throughput,
            double fairness,
            double slowdown,
            double worstSlowdown,
            double jobTurnaround) {}

    static PoolOutcome failed(RuntimeException e) {
        return new PoolOutcome(null, Csv.reason(String.valueOf(e)));
    }

    /**
     * The outcome of a completed run.
     *
     * @param alone the turnaround of each workflow with all elements for itself, in milliseconds
     */
    static PoolOutcome of(PoolRun run, PoolSetting setting, RankedDag[] graphs, long[] alone, List<Double> speeds) {
        int dags = setting.dags();
        double[] slowdowns = new double[dags];
        double makespan = 0;
        double turnaround = 0;
        double ofJobs = 0;
        double bound = 0;
        int each = setting.independentJobs() + 1;
        for (int i = 0; i < run.arrivals().size(); i++) {
            if (i % each > 0) {
                ofJobs += run.turnaround(i);
                continue;
            }
            int dag = i / each;
            makespan += run.makespan(i);
            turnaround += run.turnaround(i);
            bound += bound(graphs[dag], speeds);
            slowdowns[dag] = run.turnaround(i) / (double) Math.max(1, alone[dag]);
        }
        int jobs = run.arrivals().size() - dags;
        Means means = new Means(
                makespan / dags / 1000,
                turnaround / dags / 1000,
                bound / dags / 1000,
                (double) run.span() / 1000,
                run.utilization(),
                dags * 3_600_000.0 / Math.max(1, run.span()),
                PoolRun.fairness(slowdowns),
                Arrays.stream(slowdowns).average().orElse(0),
                Arrays.stream(slowdowns).max().orElse(0),
                jobs == 0 ? Double.NaN : ofJobs / jobs / 1000);
        return new PoolOutcome(means, "");
    }

    /** The lower bound of the makespan: the critical path on the fastest element, or the work on all elements; in milliseconds. */
    private static double bound(RankedDag dag, List<Double> speeds) {
        double fastest = speeds.stream().mapToDouble(each -> each).max().orElse(1);
        double all = speeds.stream().mapToDouble(each -> each).sum();
        double work = dag.work() * (dag.share() / (double) RankedDag.WHOLE);
        return Math.max(dag.criticalPath() / fastest, work / all);
    }

    private String mean(ToDoubleFunction<Means> measure, int places) {
        return means == null ? "" : Csv.number(measure.applyAsDouble(means), places);
    }
}
