package io.sheaf.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Job Pool: the ready jobs of all workflows, as input of a {@link PoolPolicy}.
 *
 * <p>Independent jobs are workflows of one task. Ready jobs are grouped by workflow, so that a policy compares workflows rather than jobs.
 */
public final class JobPool {
    /** Workflows with ready jobs, unordered. */
    private DagPlanner[] waiting = new DagPlanner[16];

    private int workflows;
    private int ready;
    private int entries;
    private long arrivals;
    private long taken;
    private final List<Owner> owners = new ArrayList<>();

    /** Adds a workflow whose entry jobs are ready. */
    public DagPlanner submit(RankedDag dag, Owner owner) {
        DagPlanner planner = join(dag, owner);
        for (int task = 0; task < dag.size(); task++) {
            if (planner.openParents(task) == 0) {
                enter(planner, task);
            }
        }
        return planner;
    }

    /** Adds a workflow whose ready jobs the caller reports by {@link #ready(DagPlanner, int)}. */
    public DagPlanner join(RankedDag dag, Owner owner) {
        if (!owner.isPresent()) {
            double least = owners.stream().mapToDouble(Owner::had).min().orElse(0);
            owners.add(owner);
            owner.comes(least);
        } else {
            owner.comes(0);
        }
        return new DagPlanner(dag, arrivals++, owner);
    }

    /** Adds a job that is ready, or ready again after a failure. Idempotent. */
    public void ready(DagPlanner of, int task) {
        if (!of.isReady(task)) {
            enter(of, task);
        }
    }

    /** Removes a ready job that was not started. */
    public void unready(DagPlanner of, int task) {
        if (of.isReady(task)) {
            leave(of, task);
        }
    }

    /** Hides a ready job until it is {@linkplain #putBack put back}. */
    public void setAside(DagPlanner of, int task) {
        leave(of, task);
    }

    /** Returns a job that was set aside to its position. Put back the last one first. */
    public void putBack(DagPlanner of, int task) {
        of.putBack(task);
        ready++;
        list(of);
    }

    /** Marks a job as final, whether it ran or not. */
    public void over(DagPlanner of, int task) {
        of.over(task);
        leaveIfDone(of);
    }

    public int ready() {
        return ready;
    }

    public int workflows() {
        return workflows;
    }

    /** A workflow with ready jobs, by index; the order is arbitrary. */
    public DagPlanner workflow(int number) {
        return waiting[number];
    }

    /** The number of jobs taken so far. */
    public long taken() {
        return taken;
    }

    public void restore(long before) {
        taken = before;
    }

    /** Removes a ready job to run it now. */
    public void take(DagPlanner of, int task) {
        take(of, task, (double) of.dag().millis(task));
    }

    /** Removes a ready job and charges its owner for this work, in milliseconds of an element. */
    public void take(DagPlanner of, int task, double work) {
        leave(of, task);
        of.owner().charge(work, of.dag().share());
        taken++;
    }

    private void leave(DagPlanner of, int task) {
        of.leave(task);
        ready--;
        if (of.ready() == 0) {
            DagPlanner last = waiting[--workflows];
            waiting[of.slot()] = last;
            last.slot(of.slot());
            of.slot(-1);
        }
    }

    /** Marks a taken job as done; its children may become ready. */
    public void done(DagPlanner of, int task, int element, long at) {
        of.done(task, element, at);
        RankedDag dag = of.dag();
        for (int i = dag.firstChild(task); i < dag.firstChild(task + 1); i++) {
            if (of.parentDone(dag.child(i))) {
                enter(of, dag.child(i));
            }
        }
        leaveIfDone(of);
    }

    private void leaveIfDone(DagPlanner of) {
        if (of.isDone()) {
            of.owner().goes();
            if (!of.owner().isPresent()) {
                owners.remove(of.owner());
            }
        }
    }

    private void enter(DagPlanner of, int task) {
        of.enter(task, entries++);
        ready++;
        list(of);
    }

    private void list(DagPlanner of) {
        if (of.slot() < 0) {
            if (workflows == waiting.length) {
                waiting = Arrays.copyOf(waiting, 2 * workflows);
            }
            of.slot(workflows);
            waiting[workflows++] = of;
        }
    }
}
