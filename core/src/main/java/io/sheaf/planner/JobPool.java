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
    private long assigned;
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
            double minUsage = owners.stream().mapToDouble(Owner::usage).min().orElse(0);
            owners.add(owner);
            owner.join(minUsage);
        } else {
            owner.join(0);
        }
        return new DagPlanner(dag, arrivals++, owner);
    }

    /** Adds a job that is ready, or ready again after a failure. Idempotent. */
    public void ready(DagPlanner workflow, int task) {
        if (!workflow.isReady(task)) {
            enter(workflow, task);
        }
    }

    /** Removes a ready job that was not started. */
    public void unready(DagPlanner workflow, int task) {
        if (workflow.isReady(task)) {
            setAside(workflow, task);
        }
    }

    /** Returns a job that was set aside to its position. Put back the last one first. */
    public void putBack(DagPlanner workflow, int task) {
        workflow.putBack(task);
        ready++;
        list(workflow);
    }

    /** Marks a job as final, whether it ran or not. */
    public void complete(DagPlanner workflow, int task) {
        workflow.complete(task);
        leaveIfDone(workflow);
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
    public long assigned() {
        return assigned;
    }

    public void restore(long before) {
        assigned = before;
    }

    /** Removes a ready job to run it now. */
    public void assign(DagPlanner workflow, int task) {
        assign(workflow, task, (double) workflow.dag().millis(task));
    }

    /** Removes a ready job and charges its owner for this work, in milliseconds of an element. */
    public void assign(DagPlanner workflow, int task, double work) {
        setAside(workflow, task);
        workflow.owner().addUsage(work, workflow.dag().share());
        assigned++;
    }

    /** Hides a ready job, permanently or until it is {@linkplain #putBack put back}. */
    public void setAside(DagPlanner workflow, int task) {
        workflow.leave(task);
        ready--;
        if (workflow.ready() == 0) {
            DagPlanner last = waiting[--workflows];
            waiting[workflow.slot] = last;
            last.slot = workflow.slot;
            workflow.slot = -1;
        }
    }

    /** Marks a taken job as done; its children may become ready. */
    public void done(DagPlanner workflow, int task, int element, long at) {
        workflow.done(task, element, at);
        RankedDag dag = workflow.dag();
        for (int i = dag.firstChild(task); i < dag.firstChild(task + 1); i++) {
            if (workflow.parentDone(dag.child(i))) {
                enter(workflow, dag.child(i));
            }
        }
        leaveIfDone(workflow);
    }

    private void leaveIfDone(DagPlanner workflow) {
        if (workflow.isDone()) {
            workflow.owner().leave();
            if (!workflow.owner().isPresent()) {
                owners.remove(workflow.owner());
            }
        }
    }

    private void enter(DagPlanner workflow, int task) {
        workflow.enter(task, entries++);
        ready++;
        list(workflow);
    }

    private void list(DagPlanner workflow) {
        if (workflow.slot < 0) {
            if (workflows == waiting.length) {
                waiting = Arrays.copyOf(waiting, 2 * workflows);
            }
            workflow.slot = workflows;
            waiting[workflows++] = workflow;
        }
    }
}
