package io.sheaf.runtime.recorded;

import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.TaskState;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.Expectations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How far a run is at an instant; instants in milliseconds, {@link Job#NEVER} where there is none.
 *
 * @param why it is paused; empty if it is not
 * @param expectedEnd of the workflow, as last estimated
 * @param tasks how many there are in each state
 * @param pilotJobs jobs in the batch system, in order of submission
 */
public record RunStatus(
        RunState state,
        String why,
        long begun,
        long at,
        long expectedEnd,
        Map<TaskState, Integer> tasks,
        List<Waiting> pilotJobs) {
    public RunStatus {
        tasks = Map.copyOf(tasks);
        pilotJobs = List.copyOf(pilotJobs);
    }

    /**
     * A pilot job in the batch system.
     *
     * @param claim the tasks that it may run, in words
     * @param expectedStart when it was expected to start, at its submission
     * @param endsAt when its walltime is over, once it runs
     * @param ending whether it was cancelled or released
     * @param running attempts that run in it
     */
    public record Waiting(
            long token,
            int nodes,
            long walltime,
            String claim,
            long submitted,
            long expectedStart,
            long started,
            long endsAt,
            boolean ending,
            int running) {
        public boolean hasStarted() {
            return started != Job.NEVER;
        }
    }

    /**
     * How a manager sees it.
     *
     * @param inCharge whether a process is
     */
    public static RunStatus of(Manager manager, boolean inCharge, long begun, long at, Expectations expectations) {
        Map<TaskState, Integer> tasks = new EnumMap<>(TaskState.class);
        for (TaskState state : TaskState.values()) {
            tasks.put(state, 0);
        }
        for (int task = 0; task < manager.workflow().size(); task++) {
            tasks.merge(manager.state(task), 1, Integer::sum);
        }
        List<Waiting> pilotJobs = new ArrayList<>();
        for (int i = 0; i < manager.pilotJobs(); i++) {
            pilotJobs.add(waiting(manager.pilotJob(i), manager, expectations));
        }
        RunState state = state(manager, inCharge);
        String why = manager.paused();
        return new RunStatus(
                state,
                why == null || state.isOver() ? "" : why,
                begun,
                state.isOver() ? manager.now() : Math.max(at, manager.now()),
                state.isOver() ? Job.NEVER : expectations.end(),
                tasks,
                pilotJobs);
    }

    private static Waiting waiting(PilotJob p, Manager manager, Expectations expectations) {
        boolean started = p.startedAt() >= 0;
        return new Waiting(
                p.token(),
                p.request().units(),
                p.request().walltime(),
                RunRecord.words(p.claim(), manager.workflow()),
                p.submittedAt(),
                expectations.start(p.token()),
                started ? p.startedAt() : Job.NEVER,
                started ? p.limit() : Job.NEVER,
                p.isEnding(),
                p.runningTasks());
    }

    private static RunState state(Manager manager, boolean inCharge) {
        if (manager.isOver() && manager.pilotJobs() == 0) {
            return manager.isCancelled() ? RunState.CANCELLED : manager.isFailed() ? RunState.FAILED : RunState.DONE;
        }
        if (manager.paused() != null) {
            return RunState.PAUSED;
        }
        if (!inCharge) {
            return RunState.INTERRUPTED;
        }
        for (int i = 0; i < manager.pilotJobs(); i++) {
            if (manager.pilotJob(i).isRunning()) {
                return RunState.RUNNING;
            }
        }
        return RunState.WAITING;
    }

    public int tasks(TaskState state) {
        return tasks.getOrDefault(state, 0);
    }

    /** All tasks. */
    public int size() {
        return tasks.values().stream().mapToInt(Integer::intValue).sum();
    }
}
