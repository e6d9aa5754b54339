package io.sheaf.planner;

import java.util.Arrays;

/**
 * The DAG Planner of one workflow: knows which jobs are done, which are ready, and where data are.
 *
 * <p>Jobs become ready when all parents are done; they are then in the {@link JobPool} until they are bound to an element. A job that is to be done again, since it
 * failed, enters the pool anew.
 */
public final class DagPlanner {
    private static final int BITS = 32;
    private static final long LOW = 0xffffffffL;

    private final RankedDag dag;
    private final long arrival;
    private final Owner owner;
    private final int[] openParents;
    private final ReadySet ready;
    private final int[] element;
    private final long[] end;
    /** When a job entered the pool, as its number among all entries. */
    private final int[] entry;
    /** Entries in their order, each with its job; those that were bound meanwhile are passed over. */
    private long[] entered;

    private int firstEntered;
    private int lastEntered;
    private int unfinished;
    private long remaining;
    /** Its place among the workflows that have ready jobs; -1 if it has none. */
    private int slot = -1;

    DagPlanner(RankedDag dag, long arrival, Owner owner) {
        this.dag = dag;
        this.arrival = arrival;
        this.owner = owner;
        int tasks = dag.size();
        openParents = new int[tasks];
        for (int task = 0; task < tasks; task++) {
            openParents[task] = dag.firstParent(task + 1) - dag.firstParent(task);
        }
        ready = new ReadySet(tasks);
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

    /** Its number among all workflows that ever came. */
    public long arrival() {
        return arrival;
    }

    public Owner owner() {
        return owner;
    }

    /** How many of its jobs are ready. */
    public int ready() {
        return ready.size();
    }

    /** The run times of all jobs that are not done. */
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

    /** The ready job that has been in the pool for the longest time. */
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

    /** When a ready job entered the pool, as its number among all entries. */
    public int entry(int task) {
        return entry[task];
    }

    /** Where a job ran that is done. */
    public int element(int task) {
        return element[task];
    }

    /** When a job ended that is done. */
    public long end(int task) {
        return end[task];
    }

    int slot() {
        return slot;
    }

    void slot(int number) {
        slot = number;
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
        long[] more = new long[2 * entered.length];
        for (int i = firstEntered; i < lastEntered; i++) {
            more[i - firstEntered] = entered[i % entered.length];
        }
        entered = more;
        lastEntered -= firstEntered;
        firstEntered = 0;
    }

    boolean isReady(int task) {
        return ready.contains(dag.place(task));
    }

    /** A ready job that was left out for a while is in its place again: before all others that entered. */
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

    /** A job is done; its data are on an element. */
    void done(int task, int where, long at) {
        element[task] = where;
        end[task] = at;
        over(task);
    }

    /** Nothing more will become of a job. */
    void over(int task) {
        unfinished--;
        remaining -= dag.millis(task);
    }

    /** One parent less is open; whether it was the last. */
    boolean parentDone(int task) {
        return --openParents[task] == 0;
    }
}
