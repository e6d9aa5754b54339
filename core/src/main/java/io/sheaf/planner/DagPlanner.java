package io.sheaf.planner;

import io.sheaf.workflow.RankSet;
import java.util.Arrays;

/**
 * The DAG Planner of one workflow: tracks completed and ready jobs and the location of data.
 *
 * <p>A job becomes ready when all parents are done. It is then in the {@link JobPool} until it is bound to an element. A failed job that is retried
 * enters the pool again.
 */
public final class DagPlanner {
    private static final int BITS = 32;
    private static final long LOW = 0xffffffffL;

    private final RankedDag dag;
    private final long arrival;
    private final Owner owner;
    private final int[] openParents;
    private final RankSet ready;
    private final int[] element;
    private final long[] end;
    /** The sequence number of a job's entry into the pool. */
    private final int[] entry;
    /** Entries in order, each with its job; bound ones are skipped. */
    private long[] entered;

    private int firstEntered;
    private int lastEntered;
    private int unfinished;
    private long remaining;
    /** Its index among the workflows with ready jobs; -1 if it has none. */
    int slot = -1;

    DagPlanner(RankedDag dag, long arrival, Owner owner) {
        this.dag = dag;
        this.arrival = arrival;
        this.owner = owner;
        int tasks = dag.size();
        openParents = new int[tasks];
        for (int task = 0; task < tasks; task++) {
            openParents[task] = dag.firstParent(task + 1) - dag.firstParent(task);
        }
        ready = new RankSet(tasks);
        element = new int[tasks];
        Arrays.fill(element, -1);
        end = new long[tasks];
        entry = new int[tasks];
        entered = new long[tasks];
        unfinished = tasks;
        remaining = dag.work();
    }

    public RankedDag dag() {
        return dag;
    }

    /** Its sequence number among all submitted workflows. */
    public long arrival() {
        return arrival;
    }

    public Owner owner() {
        return owner;
    }

    public int ready() {
        return ready.size();
    }

    /** The total run time of all unfinished jobs. */
    public long remaining() {
        return remaining;
    }

    public boolean isDone() {
        return unfinished == 0;
    }

    /** The ready job of the highest rank. */
    public int highest() {
        return dag.atPlace(ready.first());
    }

    /** The ready job of the lowest rank. */
    public int lowest() {
        return dag.atPlace(ready.last());
    }

    /** The ready job with a number of ready jobs of higher rank. */
    public int ready(int higher) {
        return dag.atPlace(ready.get(higher));
    }

    /** The ready job that has been in the pool longest. */
    public int oldest() {
        while (true) {
            long first = entered[firstEntered % entered.length];
            int task = (int) (first & LOW);
            if (ready.contains(dag.place(task)) && entry[task] == (int) (first >>> BITS)) {
                return task;
            }
            firstEntered++;
        }
    }

    /** The sequence number of a ready job's entry into the pool. */
    public int entry(int task) {
        return entry[task];
    }

    /** The element on which a completed job ran. */
    public int element(int task) {
        return element[task];
    }

    /** The end of a completed job. */
    public long end(int task) {
        return end[task];
    }

    int openParents(int task) {
        return openParents[task];
    }

    void enter(int task, int number) {
        if (lastEntered - firstEntered == entered.length) {
            grow();
        }
        entry[task] = number;
        entered[lastEntered++ % entered.length] = ((long) number << BITS) | task;
        ready.add(dag.place(task));
    }

    private void grow() {
        long[] larger = new long[2 * entered.length];
        for (int i = firstEntered; i < lastEntered; i++) {
            larger[i - firstEntered] = entered[i % entered.length];
        }
        entered = larger;
        lastEntered -= firstEntered;
        firstEntered = 0;
    }

    boolean isReady(int task) {
        return ready.contains(dag.place(task));
    }

    /** Returns a job that was set aside to its position: before all others that entered. */
    void putBack(int task) {
        if (lastEntered - firstEntered == entered.length) {
            grow();
        }
        if (firstEntered == 0) {
            firstEntered += entered.length;
            lastEntered += entered.length;
        }
        entered[--firstEntered % entered.length] = ((long) entry[task] << BITS) | task;
        ready.add(dag.place(task));
    }

    void leave(int task) {
        ready.remove(dag.place(task));
    }

    /** Marks a job as done; its data are on an element. */
    void done(int task, int assigned, long at) {
        element[task] = assigned;
        end[task] = at;
        complete(task);
    }

    /** Marks a job as final. */
    void complete(int task) {
        unfinished--;
        remaining -= dag.millis(task);
    }

    /** Counts a completed parent. Returns whether it was the last one. */
    boolean parentDone(int task) {
        return --openParents[task] == 0;
    }
}
