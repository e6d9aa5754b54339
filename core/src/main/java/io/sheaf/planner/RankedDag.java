package io.sheaf.planner;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;

/**
 * A workflow with its costs: run times, communication along its edges, and the upward rank of each job.
 *
 * <p>The upward rank (Topcuoglu, Hariri and Wu, HEFT, 2002; equations 1 and 2 of Yu and Shi, 2008) is the longest path from the start of a job to the
 * end of the workflow, with mean run times and mean edge costs. A job's <i>place</i> is its index in the order of descending ranks; of equal ranks
 * the lower task number is first.
 *
 * <p>Immutable, so that many runs can share it.
 */
public final class RankedDag {
    /** The share of a job that needs a whole element; less is a fraction of one. */
    public static final int WHOLE = 1000;

    private final long[] millis;
    private final int share;
    private final int[] firstParent;
    private final int[] parent;
    private final long[] cost;
    private final int[] firstChild;
    private final int[] child;
    private final long[] rank;
    private final int[] byPlace;
    private final int[] place;
    private final long work;
    private long criticalPath;

    /**
     * Ranks a workflow.
     *
     * @param bytesPerSecond the transfer rate between elements
     * @param slowness the mean of 1 / speed over the elements
     * @param share the part of an element that each job needs, in thousandths
     */
    public static RankedDag of(Workflow workflow, double bytesPerSecond, double slowness, int share) {
        int tasks = workflow.size();
        long[] millis = new long[tasks];
        int[] firstParent = new int[tasks + 1];
        int[] writer = new int[workflow.files()];
        Arrays.fill(writer, -1);
        for (int task = 0; task < tasks; task++) {
            millis[task] = workflow.timeMillis(task);
            firstParent[task + 1] = firstParent[task] + workflow.parents(task);
            for (int i = 0; i < workflow.outputs(task); i++) {
                writer[workflow.output(task, i)] = task;
            }
        }
        int[] parent = new int[firstParent[tasks]];
        long[] cost = new long[parent.length];
        for (int task = 0; task < tasks; task++) {
            for (int i = 0; i < workflow.parents(task); i++) {
                int from = workflow.parent(task, i);
                parent[firstParent[task] + i] = from;
                cost[firstParent[task] + i] =
                        (long) Math.ceil(1000 * bytes(workflow, from, task, writer) / bytesPerSecond);
            }
        }
        return new RankedDag(millis, share, firstParent, parent, cost, slowness);
    }

    /** An independent job: a workflow of one task. */
    public static RankedDag job(long millis, double slowness, int share) {
        return new RankedDag(new long[] {millis}, share, new int[2], new int[0], new long[0], slowness);
    }

    private static double bytes(Workflow workflow, int from, int to, int[] writer) {
        double bytes = 0;
        for (int i = 0; i < workflow.inputs(to); i++) {
            int file = workflow.input(to, i);
            bytes += writer[file] == from ? Math.max(0, workflow.fileSize(file)) : 0;
        }
        return bytes;
    }

    private RankedDag(long[] millis, int share, int[] firstParent, int[] parent, long[] cost, double slowness) {
        if (share < 1 || share > WHOLE) {
            throw new IllegalArgumentException("a share of " + share + " thousandths is not in 1 to " + WHOLE);
        }
        this.millis = millis;
        this.share = share;
        this.firstParent = firstParent;
        this.parent = parent;
        this.cost = cost;
        int tasks = millis.length;
        firstChild = new int[tasks + 1];
        for (int each : parent) {
            firstChild[each + 1]++;
        }
        for (int task = 0; task < tasks; task++) {
            firstChild[task + 1] += firstChild[task];
        }
        child = new int[parent.length];
        int[] next = firstChild.clone();
        for (int task = 0; task < tasks; task++) {
            for (int i = firstParent[task]; i < firstParent[task + 1]; i++) {
                child[next[parent[i]]++] = task;
            }
        }
        rank = ranks(slowness);
        byPlace = places();
        place = new int[tasks];
        for (int i = 0; i < tasks; i++) {
            place[byPlace[i]] = i;
        }
        work = Arrays.stream(millis).sum();
    }

    /** Ranks from the exits backwards: a job is ranked after all its children. */
    private long[] ranks(double slowness) {
        int tasks = millis.length;
        long[] below = new long[tasks];
        long[] path = new long[tasks];
        int[] unranked = new int[tasks];
        int[] queue = new int[tasks];
        int ranked = 0;
        for (int task = 0; task < tasks; task++) {
            unranked[task] = firstChild[task + 1] - firstChild[task];
            if (unranked[task] == 0) {
                queue[ranked++] = task;
            }
        }
        for (int i = 0; i < ranked; i++) {
            int task = queue[i];
            below[task] += Math.round(millis[task] * slowness);
            path[task] += millis[task];
            criticalPath = Math.max(criticalPath, path[task]);
            for (int p = firstParent[task]; p < firstParent[task + 1]; p++) {
                below[parent[p]] = Math.max(below[parent[p]], cost[p] + below[task]);
                path[parent[p]] = Math.max(path[parent[p]], path[task]);
                if (--unranked[parent[p]] == 0) {
                    queue[ranked++] = parent[p];
                }
            }
        }
        return below;
    }

    private int[] places() {
        Integer[] tasks = new Integer[millis.length];
        Arrays.setAll(tasks, task -> task);
        // The sort is stable: of equal ranks the lower number stays first.
        Arrays.sort(tasks, (a, b) -> Long.compare(rank[b], rank[a]));
        return Arrays.stream(tasks).mapToInt(Integer::intValue).toArray();
    }

    public int size() {
        return millis.length;
    }

    /** The run time of a job on an element of speed 1. */
    public long millis(int task) {
        return millis[task];
    }

    /** The part of an element that its jobs need, in thousandths. */
    public int share() {
        return share;
    }

    /** The upward rank of a job, in milliseconds. */
    public long rank(int task) {
        return rank[task];
    }

    /** The sum of all run times. */
    public long work() {
        return work;
    }

    /** The critical path without data transfers, on elements of speed 1. */
    public long criticalPath() {
        return criticalPath;
    }

    int atPlace(int number) {
        return byPlace[number];
    }

    int place(int task) {
        return place[task];
    }

    /** The first index of a task's parents; they end at that of the next task. */
    public int firstParent(int task) {
        return firstParent[task];
    }

    public int parent(int number) {
        return parent[number];
    }

    /** The transfer time of that parent's data to another element. */
    public long cost(int number) {
        return cost[number];
    }

    int firstChild(int task) {
        return firstChild[task];
    }

    int child(int number) {
        return child[number];
    }
}
