package io.sheaf.lab;

import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.PoolRun;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.generate.PropertyClass;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The table of runs of many workflows on processing elements: a row for each, every parameter a column; means are over the workflows, jobs by themselves apart.
 */
final class PoolTable {
    static final List<String> COLUMNS = List.of(
            "run",
            "workflow",
            "meshing",
            "edgeLength",
            "weights",
            "source",
            "dags",
            "arrivalInterval",
            "intervals",
            "elements",
            "transfer",
            "independentJobs",
            "share",
            "owners",
            "seed",
            "policy",
            "completed",
            "makespanSeconds",
            "turnaroundSeconds",
            "lowerBoundSeconds",
            "spanSeconds",
            "utilization",
            "throughputPerHour",
            "fairness",
            "slowdown",
            "worstSlowdown",
            "jobTurnaroundSeconds",
            "failure");

    private final PoolSetting setting;
    private final RankedDag[] graphs;
    private final long[] alone;
    private final List<Double> speeds;

    PoolTable(PoolSetting setting, RankedDag[] graphs, long[] alone, List<Double> speeds) {
        this.setting = setting;
        this.graphs = graphs;
        this.alone = alone;
        this.speeds = speeds;
    }

    /** The name of a class. */
    static String name(int number) {
        return String.format(Locale.ROOT, "class-%02d", number);
    }

    /** The parameters of a run, as the row begins. */
    static String parameters(int number, PoolSetting setting, String policy) {
        PropertyClass words = PropertyClass.of(number);
        return String.join(
                ",",
                name(number),
                words.meshing(),
                words.edgeLength(),
                words.nodeWeight() + "/" + words.edgeWeight(),
                "generated",
                Integer.toString(setting.dags()),
                Integer.toString(setting.interval()),
                Section.name(setting.intervals()),
                Integer.toString(setting.elements()),
                Section.name(setting.transfer()),
                Integer.toString(setting.independentJobs()),
                DecimalText.fixed(setting.share() / (double) RankedDag.WHOLE, 3),
                Integer.toString(setting.owners()),
                Long.toString(setting.seed()),
                policy);
    }

    /** What came of a run. */
    String outcome(PoolRun run) {
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
            bound += bound(graphs[dag]);
            slowdowns[dag] = run.turnaround(i) / (double) Math.max(1, alone[dag]);
        }
        int jobs = run.arrivals().size() - dags;
        return String.join(
                ",",
                "1",
                seconds(makespan / dags),
                seconds(turnaround / dags),
                seconds(bound / dags),
                seconds((double) run.span()),
                DecimalText.fixed(run.utilization(), 6),
                DecimalText.fixed(dags * 3_600_000.0 / Math.max(1, run.span()), 6),
                DecimalText.fixed(PoolRun.fairness(slowdowns), 6),
                DecimalText.fixed(Arrays.stream(slowdowns).average().orElse(0), 6),
                DecimalText.fixed(Arrays.stream(slowdowns).max().orElse(0), 6),
                jobs == 0 ? "" : seconds(ofJobs / jobs),
                "");
    }

    /** What no policy can go below: the longest way on the fastest element, or the work on all of them. */
    private double bound(RankedDag dag) {
        double fastest = speeds.stream().mapToDouble(each -> each).max().orElse(1);
        double all = speeds.stream().mapToDouble(each -> each).sum();
        double work = dag.work() * (dag.share() / (double) RankedDag.WHOLE);
        return Math.max(dag.criticalPath() / fastest, work / all);
    }

    /** The outcome of a run that ended by an exception. */
    static String broken(String why) {
        return "0,0.000,,0.000,,,,,,,," + RunTable.quoted(why.replace('\t', ' '));
    }

    private static String seconds(double millis) {
        return DecimalText.fixed(millis / 1000, 3);
    }
}
