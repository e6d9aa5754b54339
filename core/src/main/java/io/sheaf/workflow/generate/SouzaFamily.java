package io.sheaf.workflow.generate;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of the three workflows of Souza, Ghoshal, Ramakrishnan, Pelckmans and Tordsson, "ASA – The adaptive scheduling
 * algorithm", sections 4.2 and 4.3: a chain of stages, each of them one task that either is sequential or runs on all the
 * cores requested.
 *
 * <h2>What the paper specifies</h2>
 * The stages and which of them are parallel; 28, 56 and 112 cores on nodes of 28 (HPC2n), 160, 320 and 640 on nodes of 20
 * (UPPMAX); and in Table 1 for each workflow, core count and strategy the waiting time, the makespan and the core hours,
 * these in whole hours. No time of a single stage.
 *
 * <h2>What follows from it</h2>
 * The execution time is T = makespan − waiting time. With sequential stages on one core, the core hours of Per-Stage are
 * those of P seconds on n cores and S seconds on one, P + S = T; this gives S = (n T − 3600 CH) / (n − 1). T and CH are
 * taken from the Per-Stage columns, since only these distinguish P and S, and the two strategies that pay by stage agree in T
 * within 3 %.
 *
 * <h2>What is chosen here</h2>
 * How P and S divide over the stages (the shares below, in percent). BLAST has S = 10 s throughout: solved row by row it
 * lies between −0.4 s and 91 s, because S is a small difference of rounded numbers, and with 10 s all six rows come within
 * one core hour. Statistics on 28 cores has the S of 56 cores: the 42 core hours of that row would leave 40 s for two
 * sequential stages that take some 2000 s on every other core count; it seems that all stages held the whole node.
 *
 * <p>Montage's sixth of nine stages is not classified in the paper; it is mImgtbl in the application, a sequential step.
 * Statistics begins with a sequential stage: the paper names Montage as the one that suffers from a parallel beginning.
 *
 * <p>A stage has a run time on the three core counts of the machine that the parameter {@code cores} belongs to; a
 * sequential one that on one core in that configuration. There are no files.
 */
final class SouzaFamily extends Family {
    static final SouzaFamily MONTAGE = new SouzaFamily(
            "montage-asa",
            "sky mosaics in 9 stages, 3 of them parallel",
            List.of(
                    parallel("mProject", 50),
                    parallel("mDiffFit", 30),
                    sequential("mConcatFit", 25),
                    sequential("mBgModel", 35),
                    parallel("mBackground", 20),
                    sequential("mImgtbl", 5),
                    sequential("mAdd", 25),
                    sequential("mShrink", 7),
                    sequential("mJPEG", 3)),
            List.of(
                    new Row(28, 1150, 259),
                    new Row(56, 1070, 304),
                    new Row(112, 1080, 441),
                    new Row(160, 1287, 389),
                    new Row(320, 1588, 397),
                    new Row(640, 1600, 639)));

    static final SouzaFamily BLAST = new SouzaFamily(
            "blast-asa",
            "sequence search in 2 stages: parallel search, sequential merge",
            List.of(parallel("search", 100), sequential("merge", 100)),
            List.of(
                    new Row(28, 2659, 10),
                    new Row(56, 1355, 10),
                    new Row(112, 771, 10),
                    new Row(160, 755, 10),
                    new Row(320, 371, 10),
                    new Row(640, 279, 10)));

    static final SouzaFamily STATISTICS = new SouzaFamily(
            "statistics",
            "statistics of household power in 4 stages, sequential and parallel in turn",
            List.of(
                    sequential("prepare", 50),
                    parallel("metrics", 50),
                    sequential("combine", 50),
                    parallel("variance", 50)),
            List.of(
                    new Row(28, 5439, 2235),
                    new Row(56, 4381, 2235),
                    new Row(112, 4002, 2027),
                    new Row(160, 4281, 2157),
                    new Row(320, 3985, 2000),
                    new Row(640, 3803, 1905)));

    private static final int HPC2N_NODE = 28;
    private static final int UPPMAX_NODE = 20;
    private static final int MAX_ON_HPC2N = 112;

    /** A stage and its share of all parallel or of all sequential time, in percent. */
    private record Stage(String name, boolean parallel, int percent) {}

    /** A configuration: the execution time and how much of it is sequential. */
    private record Row(int cores, int seconds, int sequentialSeconds) {
        int nodeCores() {
            return cores <= MAX_ON_HPC2N ? HPC2N_NODE : UPPMAX_NODE;
        }

        long micros(Stage stage) {
            int all = stage.parallel ? seconds - sequentialSeconds : sequentialSeconds;
            return all * (TimeText.SECOND / 100) * stage.percent;
        }
    }

    private final List<Stage> stages;
    private final List<Row> rows;

    private SouzaFamily(String name, String about, List<Stage> stages, List<Row> rows) {
        super(
                name,
                about + " (Souza et al.)",
                List.of(new Parameter(
                        "cores",
                        "112",
                        "cores of a parallel stage: 28, 56, 112 on nodes of 28; 160, 320, 640 on nodes of 20")));
        this.stages = stages;
        this.rows = rows;
    }

    private static Stage parallel(String name, int percent) {
        return new Stage(name, true, percent);
    }

    private static Stage sequential(String name, int percent) {
        return new Stage(name, false, percent);
    }

    @Override
    public boolean hasFixedSize() {
        return true;
    }

    /** The chain of stages; their number is fixed, independent of the requested number of tasks. */
    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        Row row = row(recipe.text(this, "cores"));
        double[] measured = stages.stream().mapToDouble(row::micros).toArray();
        long[] micros = recipe.workMicros() == 0 ? Shares.rounded(measured) : Shares.of(recipe.workMicros(), measured);
        WorkflowBuilder builder = new WorkflowBuilder(name() + "-" + row.cores);
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            int task = builder.task(stage.name);
            builder.category(task, stage.name)
                    .time(task, micros[i])
                    .scaling(task, scaling(stage, row, micros[i]))
                    .resources(task, stage.parallel ? allCores(row) : Resources.ONE_CORE);
            if (i > 0) {
                builder.edge(task - 1, task);
            }
        }
        return builder.build();
    }

    private Row row(String text) {
        List<String> known = new ArrayList<>();
        for (Row row : rows) {
            known.add(Integer.toString(row.cores));
            if (known.get(known.size() - 1).equals(text.strip())) {
                return row;
            }
        }
        throw new InputException(
                "cores=" + text + " was not measured for " + name() + "; take one of " + String.join(", ", known));
    }

    private static Resources allCores(Row row) {
        return new Resources(row.nodeCores(), 0, 0, row.cores / row.nodeCores());
    }

    /** The run times on the core counts of this row's machine, in the ratio of the row's own time to the one measured. */
    private Scaling scaling(Stage stage, Row row, long micros) {
        if (!stage.parallel) {
            return new Scaling(Map.of(1, micros));
        }
        TreeMap<Integer, Long> table = new TreeMap<>();
        for (Row other : rows) {
            if (other.nodeCores() == row.nodeCores()) {
                table.put(other.cores, Math.round(other.micros(stage) * ((double) micros / row.micros(stage))));
            }
        }
        table.put(row.cores, micros);
        return new Scaling(table);
    }
}
