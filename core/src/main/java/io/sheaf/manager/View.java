package io.sheaf.manager;

import io.sheaf.batch.Pools;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The read-only view of a run for strategies: the workflow, its progress and our pilot jobs. */
public interface View {
    long now();

    Workflow workflow();

    /** The maximum number of nodes of a pilot job. */
    int nodes();

    /** The maximum walltime of a pilot job, in milliseconds; {@link Long#MAX_VALUE} if there is no limit. */
    long walltime();

    /** The maximum walltime of a pilot job of some nodes, in milliseconds: less than {@link #walltime()} if only some pools have as many nodes. */
    long walltime(int nodes);

    /** The maximum of {@link #room}, in milliseconds: a minute less than the maximum walltime of the jobs that may run any task. */
    long longestRoom();

    /** Whether nodes × walltime of a job is limited, so that {@link #nodes()} changes with the tasks that are left. */
    boolean limitsNodeTime();

    /** The node pools that a pilot job may be submitted to; none if the cluster has only one. */
    Pools pools();

    /** A number that differs if the batch systems of other pools do not answer; equal if they are the same. */
    int unavailablePools();

    int coresPerNode();

    /** What a node has for tasks; where nodes differ, every task fits on it. */
    Resources node();

    /** What a node of a pool has for tasks. */
    Resources node(int pool);

    /** The maximum number of pilot jobs in the batch system at once, queued and running. */
    int cap();

    /** The pilot jobs in the batch system, queued and running, in order of submission; read-only. */
    List<PilotJob> jobs();

    /** The number of {@link #jobs}. */
    default int pilotJobs() {
        return jobs().size();
    }

    /** The index-th of the {@link #jobs}. */
    default PilotJob pilotJob(int index) {
        return jobs().get(index);
    }

    /** Whether a pilot job in the batch system has a property. */
    default boolean hasJob(Predicate<PilotJob> property) {
        return jobs().stream().anyMatch(property);
    }

    /** The pilot job with this token; null if it is not in the batch system. */
    default @Nullable PilotJob find(long token) {
        return jobs().stream().filter(p -> p.token() == token).findFirst().orElse(null);
    }

    /** Whether a pilot job claims this task by name. */
    boolean isNamed(int task);

    /** Whether a task needs no work now: it is done, failed, skipped or held. */
    boolean isDone(int task);

    /** Whether all parents of a task are done, and it is neither running nor done nor held. */
    boolean isReady(int task);

    /** The ready task with the lowest number ≥ {@code task}; −1 if there is none. */
    int nextReady(int task);

    /** The ready tasks, in order of number. */
    default IntStream readyTasks() {
        return IntStream.iterate(nextReady(0), task -> task >= 0, task -> nextReady(task + 1));
    }

    boolean isRunning(int task);

    /** The running task with the lowest number ≥ {@code task}; −1 if there is none. */
    int nextRunning(int task);

    /** The start of the running attempt of a task; −1 if there is none. */
    long startedAt(int task);

    /** What the running or next attempt of a task needs: the chosen cores of a moldable one, and the memory that has grown after out-of-memory kills. */
    Resources needs(int task);

    /** The token of the pilot job in which a task runs; −1 if it does not run. */
    long runsIn(int task);

    /** The minimum time of the next attempt of a task after a cut-off, in milliseconds; 0 if there was none or it has no effect. */
    long atLeast(int task);

    /** The remaining walltime that a task needs to be started, if the claim requires it to fit: the expected run time plus the observed error. */
    long room(int task);

    /** The maximum error of expected run times, in per cent of the shorter of expected and actual time. Tasks of less than a minute are ignored. */
    int runTimeError();

    /** The margin that walltimes need because learnt run times vary, in per cent; 0 if none is learnt. The manager adds it to jobs that start tasks whether they fit or not. */
    int walltimeMargin();

    /** Whether some run times are unknown or learnt. Then the running pilot job with the most time left takes tasks first, else the one that was submitted first. */
    boolean hasUncertainTimes();

    /** Tasks of a level that are not done. */
    int unfinished(int level);

    /** The first level with a task that is not done; the number of levels if there is none. */
    int firstUnfinishedLevel();

    /** Whether tasks may be added to the run. */
    boolean isOpen();

    /** Whether more tasks are expected soon. */
    boolean isAwaited();

    /** Tasks that are expected after those of the run; empty if none are known. They size pilot jobs. */
    List<ExpectedTasks> expected();

    /** Whether more tasks are expected, soon or after those of the run. */
    default boolean isMoreExpected() {
        return isAwaited() || !expected().isEmpty();
    }

    /** Whether task times are upper limits of a user, so that tasks are likely to be shorter. */
    boolean isAmple();

    /** Simulations of this run, to compare strategies; null if it cannot be simulated. */
    @Nullable
    Lookahead lookahead();

    /** The number of pilot jobs that expired or were lost with unfinished tasks. */
    int expiries();
}
