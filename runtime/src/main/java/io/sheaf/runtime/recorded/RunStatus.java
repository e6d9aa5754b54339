package io.sheaf.runtime.recorded;

import io.sheaf.manager.AvoidedNode;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.TaskState;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.Expectations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The status of a run at an instant. Instants are in milliseconds, {@link JobRecord#NEVER} if unknown.
 *
 * @param why the reason for a pause; empty if the run is not paused
 * @param expectedEnd the last estimate of the workflow's end
 * @param tasks the number of tasks in each state
 * @param failed the names of failed tasks
 * @param pilotJobs jobs in the batch system, in order of submission
 * @param avoided nodes that new pilot jobs exclude
 */
public record RunStatus(
        RunState state,
        String why,
        long begun,
        long at,
        long expectedEnd,
        Map<TaskState, Integer> tasks,
        List<String> failed,
        List<Waiting> pilotJobs,
        List<AvoidedNode> avoided) {
    public RunStatus {
        tasks = Map.copyOf(tasks);
        failed = List.copyOf(failed);
        pilotJobs = List.copyOf(pilotJobs);
        avoided = List.copyOf(avoided);
    }

    /**
     * A pilot job in the batch system.
     *
     * @param pool its node pool; empty if there is none
     * @param claim the tasks that it may run, as text
     * @param expectedStart the start-time estimate at submission
     * @param endsAt the end of its walltime, once it runs
     * @param ending whether it was cancelled or released
     * @param running the attempts that run in it
     */
    public record Waiting(
            long token,
            String pool,
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
            return started != JobRecord.NEVER;
        }
    }

    /**
     * Creates the status from a manager's state.
     *
     * @param attended whether a process holds the lease
     */
    public static RunStatus of(Manager manager, boolean attended, long begun, long at, Expectations expectations) {
        Map<TaskState, Integer> tasks = new EnumMap<>(TaskState.class);
        for (TaskState state : TaskState.values()) {
            tasks.put(state, 0);
        }
        List<String> failed = new ArrayList<>();
        for (int task = 0; task < manager.workflow().size(); task++) {
            tasks.merge(manager.state(task), 1, Integer::sum);
            if (manager.state(task) == TaskState.FAILED) {
                failed.add(manager.workflow().id(task));
            }
        }
        List<Waiting> pilotJobs = IntStream.range(0, manager.pilotJobs())
                .mapToObj(i -> waiting(manager.pilotJob(i), manager, expectations))
                .toList();
        RunState state = state(manager, attended);
        String why = manager.paused();
        return new RunStatus(
                state,
                why == null || state.isFinished() ? "" : why,
                begun,
                state.isFinished() ? manager.now() : Math.max(at, manager.now()),
                state.isFinished() ? JobRecord.NEVER : expectations.end(),
                tasks,
                failed,
                pilotJobs,
                manager.avoided());
    }

    private static Waiting waiting(PilotJob p, Manager manager, Expectations expectations) {
        boolean started = p.startedAt() >= 0;
        return new Waiting(
                p.token(),
                manager.pools().name(p.request().pool()),
                p.request().units(),
                p.request().walltime(),
                RunRecord.words(p.claim(), manager.workflow()),
                p.submittedAt(),
                expectations.start(p.token()),
                started ? p.startedAt() : JobRecord.NEVER,
                started ? p.limit() : JobRecord.NEVER,
                p.isEnding(),
                p.runningTasks());
    }

    private static RunState state(Manager manager, boolean attended) {
        if (manager.isFinished() && manager.pilotJobs() == 0) {
            return manager.isCancelled() ? RunState.CANCELLED : manager.isFailed() ? RunState.FAILED : RunState.DONE;
        }
        if (manager.paused() != null) {
            return RunState.PAUSED;
        }
        if (!attended) {
            return manager.isOpen() && manager.isDone() && manager.pilotJobs() == 0
                    ? RunState.IDLE
                    : RunState.INTERRUPTED;
        }
        return IntStream.range(0, manager.pilotJobs())
                        .anyMatch(i -> manager.pilotJob(i).isRunning())
                ? RunState.RUNNING
                : RunState.WAITING;
    }

    public int tasks(TaskState state) {
        return tasks.getOrDefault(state, 0);
    }

    /** The number of all tasks. */
    public int size() {
        return tasks.values().stream().mapToInt(Integer::intValue).sum();
    }
}
