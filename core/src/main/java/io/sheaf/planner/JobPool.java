package io.sheaf.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Job Pool: the ready jobs of all workflows, with what a {@link PoolPolicy} may look at.
 *
 * <p>Independent jobs are workflows of one task. Ready jobs are kept by workflow, so that a policy looks at workflows and never at all jobs: a choice among 100 workflows of
 * 1,000 jobs costs about a microsecond.
 */
public final class JobPool {
    /** Workflows that have ready jobs, in no order. */
    private DagPlanner[] waiting = new DagPlanner[16];

    private int workflows;
    private int ready;
    private int entries;
    private long arrivals;
    private long taken;
    private final List<Owner> owners = new ArrayList<>();

    /** Takes a workflow in: its entry jobs are ready. */
    public DagPlanner submit(RankedDag dag, Owner owner) {
        DagPlanner planner = join(dag, owner);
        for (int task = 0; task < dag.size(); task++) {
            if (planner.openParents(task) == 0) {
                enter(planner, task);
            }
        }
        return planner;
    }

    /** Takes a workflow in of which somebody else knows which jobs are ready, and tells so by {@link #ready(DagPlanner, int)}. */
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

    /** A job is ready, or ready again since it failed, as its workflow's owner knows; nothing if it was before. */
    public void ready(DagPlanner of, int task) {
        if (!of.isReady(task)) {
            enter(of, task);
        }
    }

    /** A job is not ready any more, and was not taken. */
    public void unready(DagPlanner of, int task) {
        if (of.isReady(task)) {
            leave(of, task);
        }
    }

    /** A ready job is not looked at until it is {@linkplain #putBack put back}. */
    public void setAside(DagPlanner of, int task) {
        leave(of, task);
    }

    /** A job that was set aside has its place again; the one that was set aside last is put back first. */
    public void putBack(DagPlanner of, int task) {
        of.putBack(task);
        ready++;
        list(of);
    }

    /** Nothing more will become of a job, whether it ran or not. */
    public void over(DagPlanner of, int task) {
        of.over(task);
        leaveIfDone(of);
    }

    /** How many jobs are ready. */
    public int ready() {
        return ready;
    }

    /** How many workflows have ready jobs. */
    public int workflows() {
        return workflows;
    }

    /** One of the workflows that have ready jobs; in no order that means anything. */
    public DagPlanner workflow(int number) {
        return waiting[number];
    }

    /** How many jobs have been taken out so far. */
    public long taken() {
        return taken;
    }

    /** So many have been taken out so far, by one that this one goes on from. */
    public void restore(long before) {
        taken = before;
    }

    /** Takes out a ready job that is to be run now. */
    public void take(DagPlanner of, int task) {
        take(of, task, (double) of.dag().millis(task));
    }

    /** The same where its owner is charged for so much work, in milliseconds of an element. */
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

    /** A job that was taken out is done: its children may be ready. */
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
