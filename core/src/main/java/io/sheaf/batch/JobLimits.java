package io.sheaf.batch;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.util.stream.IntStream;

/**
 * The limits of one job of a queue. A batch system refuses a larger request, and its start is never.
 *
 * @param units the maximum number of units, such as nodes
 * @param walltime the maximum walltime, in milliseconds
 * @param unitTime the maximum of units × walltime, in milliseconds; the wider a job, the shorter its maximum walltime
 * @param reserve the part of a walltime that counts for {@code unitTime} and that requests do not have, in milliseconds: that of agents
 */
public record JobLimits(int units, long walltime, long unitTime, long reserve) {
    public static final JobLimits NONE = new JobLimits(Integer.MAX_VALUE, Long.MAX_VALUE);

    private static final long MINUTE = 60_000;

    public JobLimits {
        if (units < 1 || walltime < 1 || unitTime < 1 || reserve < 0) {
            throw new IllegalArgumentException("limits per job of " + units + " units, " + walltime + " ms and "
                    + unitTime + " unit-ms with a reserve of " + reserve + " ms: at least 1 each");
        }
        reserve = unitTime == Long.MAX_VALUE ? 0 : reserve;
        walltime = Math.min(walltime, Math.max(1, unitTime - reserve));
    }

    public JobLimits(int units, long walltime) {
        this(units, walltime, Long.MAX_VALUE, 0);
    }

    public boolean allow(int requested, long time) {
        return requested <= units && time <= walltime && (!limitsUnitTime() || time <= unitTime / requested - reserve);
    }

    public boolean limitsUnitTime() {
        return unitTime < Long.MAX_VALUE;
    }

    /**
     * The maximum walltime of a job of some units, in milliseconds; less than 1 if none is possible. If unit-time is limited, it is in whole minutes,
     * to which batch systems round up.
     */
    public long walltime(int requested) {
        return limitsUnitTime() ? Math.min(walltime, wholeMinutes(unitTime / requested) - reserve) : walltime;
    }

    private static long wholeMinutes(long time) {
        return time < MINUTE ? time : time - time % MINUTE;
    }

    /** Refuses a workflow with a task that no job may run. Where node-time is limited, each must fit into a job that is as wide as the widest task. */
    public void check(Workflow workflow) {
        int widest = IntStream.range(0, workflow.size())
                .map(task -> workflow.resources(task).nodes())
                .max()
                .orElse(1);
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
            if (micros / 1000 > walltime(widest)) {
                throw new InputException(
                        subject + TimeText.text(micros) + ", a job of " + widest + " nodes may run for at most "
                                + TimeText.text(Math.max(0, walltime(widest)) * 1000)
                                + (nodes < widest ? ", the width of another task" : "")
                                + ". Maybe split it, or use a QOS with more node-hours",
                        workflow.place(task));
            }
        }
    }

    /** The stricter one of each limit. */
    public JobLimits and(JobLimits other) {
        return new JobLimits(
                Math.min(units, other.units),
                Math.min(walltime, other.walltime),
                Math.min(unitTime, other.unitTime),
                Math.max(reserve, other.reserve));
    }

    /** The same with another maximum of units × walltime, in milliseconds. */
    public JobLimits unitTime(long most) {
        return new JobLimits(units, walltime, most, reserve);
    }

    /** The same with another maximum walltime, in milliseconds. */
    public JobLimits lasting(long most) {
        return new JobLimits(units, most, unitTime, reserve);
    }

    /** The limits of the time that a job offers, without a reserve of agents, in milliseconds. */
    public JobLimits without(long time) {
        return walltime == NONE.walltime
                ? this
                : new JobLimits(units, Math.max(1, walltime - time), unitTime, reserve + time);
    }
}
