package io.sheaf.manager;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of a manager's state, except its tasks and their times. A new manager with the same tasks and times continues from it.
 *
 * <p>A journal that begins with a checkpoint needs no earlier events. {@link CheckpointMaker} may omit the tasks of finished workflows and renumber
 * the others.
 *
 * @param tasks the progress of each task
 * @param ready the ready tasks, in the order in which they became ready
 * @param pilotJobs those that have not ended
 * @param attempts running attempts, then those that wait on nodes, in binding order
 * @param workflows the workflows that the tasks belong to, in their order
 * @param usage the usage of each owner, if workflows take turns
 * @param assigned the number of started tasks of each priority, if workflows take turns
 * @param counts the counters
 * @param submissionFailures consecutive submission failures
 * @param memo the strategy's memo, as text
 * @param hosts what is known about nodes
 */
public record Checkpoint(
        List<Task> tasks,
        List<Integer> ready,
        List<PilotJobState> pilotJobs,
        List<Running> attempts,
        List<WorkflowState> workflows,
        Map<String, Double> usage,
        Map<Integer, Long> assigned,
        Counts counts,
        Trouble submissionFailures,
        String memo,
        List<Host> hosts) {
    public Checkpoint {
        tasks = List.copyOf(tasks);
        ready = List.copyOf(ready);
        pilotJobs = List.copyOf(pilotJobs);
        attempts = List.copyOf(attempts);
        workflows = List.copyOf(workflows);
        usage = Map.copyOf(usage);
        assigned = Map.copyOf(assigned);
        hosts = List.copyOf(hosts);
    }

    /** The same checkpoint with other tasks and pilot jobs, and what is known about nodes. */
    public Checkpoint with(List<Task> progress, List<PilotJobState> jobs, List<Host> hosts) {
        return new Checkpoint(
                progress, ready, jobs, attempts, workflows, usage, assigned, counts, submissionFailures, memo, hosts);
    }

    /**
     * What is known about a node, by its name in the batch system.
     *
     * @param connected whether an agent has connected from it
     * @param silent number of pilot jobs in a row in which none has
     * @param failedInARow number of failed attempts since the last success there
     * @param until when its exclusion expires; {@link Long#MIN_VALUE} if it is not excluded
     * @param reason why it is excluded
     * @param counts for each category, the number of successes and of failures that count against it
     * @param open tasks with an undecided failure there, with their categories
     * @param nodes where it is a node of a pilot job: token and index of each, alternating
     */
    public record Host(
            String name,
            boolean connected,
            int silent,
            int failedInARow,
            long until,
            String reason,
            Map<String, List<Integer>> counts,
            Map<Integer, String> open,
            List<Long> nodes) {
        public Host {
            counts = Map.copyOf(counts);
            open = Map.copyOf(open);
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * The progress of a task.
     *
     * @param state as {@link TaskProgress} numbers it
     * @param held whether the user holds it
     * @param attempts number of started attempts
     * @param failures number of attempts that failed by the task's own fault
     * @param committed the committed attempt; 0 if there is none
     * @param cuts how often it was cut off after at least twice its previous time
     * @param cutAfter the time after which the last such attempt was cut off
     * @param kills number of out-of-memory kills after which its request has grown
     * @param preempted number of attempts that were preempted
     */
    public record Task(
            byte state,
            boolean held,
            int attempts,
            int failures,
            int committed,
            int cuts,
            long cutAfter,
            int kills,
            int preempted) {
        /** The same progress with these numbers of out-of-memory kills and of preempted attempts. */
        public Task with(int killed, int interrupted) {
            return new Task(state, held, attempts, failures, committed, cuts, cutAfter, killed, interrupted);
        }
    }

    /**
     * A pilot job.
     *
     * @param state the name of its state
     * @param freeCores of each node; negative if the node is not up or lost
     * @param flags bits 0 to 5: a node was up, shortened, closing, draining, a prefetched task waited too long, being preempted
     * @param free for each node its free memory in bytes, then its free named resources; empty if they are not counted
     */
    public record PilotJobState(
            long token,
            Request request,
            Claim claim,
            long submittedAt,
            long startedAt,
            String state,
            List<Integer> freeCores,
            List<Integer> freeGpus,
            int flags,
            List<Long> free) {
        public PilotJobState {
            freeCores = List.copyOf(freeCores);
            freeGpus = List.copyOf(freeGpus);
            free = List.copyOf(free);
        }

        /** The same pilot job with another request. */
        public PilotJobState with(Request other) {
            return with(other, free);
        }

        /** The same pilot job with another request and free memory of its nodes. */
        public PilotJobState with(Request other, List<Long> free) {
            return new PilotJobState(
                    token, other, claim, submittedAt, startedAt, state, freeCores, freeGpus, flags, free);
        }
    }

    /**
     * An attempt that runs, or waits on a node for a core.
     *
     * @param core the shared core of its node that it uses; −1 if it has whole cores
     * @param ahead whether it waits for a core
     * @param recalled whether the manager stopped it because it waited too long
     * @param cores the chosen cores of a moldable task on each node; 0 for the declared ones
     */
    public record Running(
            int task,
            int number,
            long token,
            List<Integer> nodes,
            int core,
            long startedAt,
            boolean ahead,
            boolean recalled,
            int cores) {
        public Running {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A workflow of the run.
     *
     * @param number the permanent number of its first task, which agents use
     * @param held whether the user holds all of it
     * @param dropped whether it was dropped
     * @param endedAt the end of its last task; −1 if it has not ended
     */
    public record WorkflowState(int number, boolean held, boolean dropped, long endedAt) {}

    /**
     * The counters, and the next wake-up of the manager.
     *
     * @param runTimeError the maximum error of run times, in per cent
     */
    public record Counts(
            long now,
            long nextToken,
            boolean changed,
            boolean cancelled,
            boolean open,
            int expiries,
            int reruns,
            int failures,
            int runTimeError,
            long wakeAt,
            long nextGivingUp,
            long requestedWake,
            int nextNumber) {}

    /** Consecutive submission failures. */
    public record Trouble(
            int refusals,
            int silent,
            boolean delayDue,
            boolean lostTogether,
            long quietUntil,
            @Nullable String paused) {}
}
