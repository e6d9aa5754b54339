package io.sheaf.batch;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;

/**
 * The limits of one job of a queue. A batch system refuses a larger request, and its start is never.
 *
 * @param units the maximum number of units, such as nodes
 * @param walltime the maximum walltime, in milliseconds
 */
public record JobLimits(int units, long walltime) {
    public static final JobLimits NONE = new JobLimits(Integer.MAX_VALUE, Long.MAX_VALUE);

    public JobLimits {
        if (units < 1 || walltime < 1) {
            throw new IllegalArgumentException(
                    "limits per job of " + units + " units and " + walltime + " ms: at least 1 each");
        }
    }

    public boolean allow(int requested, long time) {
        return requested <= units && time <= walltime;
    }

    /** Refuses a workflow with a task that no job may run. */
    public void check(Workflow workflow) {
        for (int task = 0; task < workflow.size(); task++) {
            String subject = "task '" + workflow.id(task) + "' of workflow '" + workflow.name() + "' needs ";
            long micros = Math.max(0, workflow.timeMicros(task));
            if (micros / 1000 > walltime) {
                throw new InputException(
                        subject + TimeText.text(micros) + ", a job may run for at most "
                                + TimeText.text(walltime * 1000)
                                + ". Maybe split it, or use a partition with a longer limit",
                        workflow.place(task));
            }
            int nodes = workflow.resources(task).nodes();
            if (nodes > units) {
                throw new InputException(
                        subject + nodes + " nodes, a job may have at most " + units
                                + ". Maybe split it, or use a partition with a higher limit",
                        workflow.place(task));
            }
        }
    }

    /** The stricter one of each limit. */
    public JobLimits and(JobLimits other) {
        return new JobLimits(Math.min(units, other.units), Math.min(walltime, other.walltime));
    }
}
