package io.sheaf.app.report;

import io.sheaf.report.AttemptRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of the Gantt chart. A pilot job has a block of rows from its submission to its end, one per core of each
 * node; a task has the rows of its cores. Batch systems do not report core numbers, so the chart uses the lowest free
 * ones of the node. A core that tasks share has several rows.
 */
final class Lanes {
    /** An attempt and its blocks of rows. */
    record Bar(AttemptRecord attempt, int job, List<Rows.Block> blocks) {}

    /** The maximum number of rows per core. */
    private static final int MAX_ROWS_OF_A_CORE = 8;

    private final RunRecord run;
    private final int rowsOfACore;
    private final int[] first;
    private final int rows;
    private final List<Bar> bars = new ArrayList<>();

    Lanes(RunRecord run) {
        this.run = run;
        rowsOfACore = rowsOfACore(run.workflow());
        Rows all = new Rows();
        first = new int[run.jobs().size()];
        Map<Long, Integer> number = new HashMap<>();
        for (int j = 0; j < first.length; j++) {
            JobRecord job = run.jobs().get(j);
            number.put(job.token(), j);
            long end = job.hasEnded() ? job.ended() : Long.MAX_VALUE;
            first[j] = all.block(rows(j), job.submitted(), end);
        }
        rows = all.count();
        place(number);
    }

    private static int rowsOfACore(Workflow workflow) {
        int smallest = Resources.CORE;
        for (int task = 0; task < workflow.size(); task++) {
            int share = workflow.resources(task).share();
            smallest = share > 0 ? Math.min(smallest, share) : smallest;
        }
        return Math.min(MAX_ROWS_OF_A_CORE, Resources.CORE / smallest);
    }

    private int rows(Resources needed) {
        return needed.isShare()
                ? Math.max(1, needed.share() * rowsOfACore / Resources.CORE)
                : needed.cores() * rowsOfACore;
    }

    private void place(Map<Long, Integer> number) {
        Map<Integer, Rows[]> cores = new HashMap<>();
        List<AttemptRecord> byStart = run.attempts().stream()
                .sorted(Comparator.comparingLong(AttemptRecord::started)
                        .thenComparingLong(AttemptRecord::ended)
                        .thenComparingInt(AttemptRecord::task))
                .toList();
        for (AttemptRecord attempt : byStart) {
            Integer job = number.get(attempt.token());
            if (job != null) {
                int nodes = run.jobs().get(job).nodes();
                bars.add(new Bar(
                        attempt, job, blocks(attempt, first[job], cores.computeIfAbsent(job, j -> new Rows[nodes]))));
            }
        }
    }

    private List<Rows.Block> blocks(AttemptRecord attempt, int top, Rows[] nodes) {
        Resources needed = attempt.needs();
        List<Rows.Block> blocks = new ArrayList<>();
        for (int node : attempt.nodes()) {
            if (nodes[node] == null) {
                nodes[node] = new Rows();
            }
            for (Rows.Block block : nodes[node].any(rows(needed), rowsPerNode(), attempt.started(), attempt.ended())) {
                Rows.add(blocks, top + node * rowsPerNode() + block.first(), block.length());
            }
        }
        return blocks;
    }

    /** The number of rows per node. */
    int rowsPerNode() {
        return run.coresPerNode() * rowsOfACore;
    }

    /** The number of rows of all pilot jobs. */
    int rows() {
        return rows;
    }

    /** The first row of a pilot job. */
    int first(int job) {
        return first[job];
    }

    int rows(int job) {
        return run.jobs().get(job).nodes() * rowsPerNode();
    }

    /** The attempts in order of their starts. */
    List<Bar> bars() {
        return bars;
    }
}
