package io.sheaf.manager;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that a manager knows beside its tasks and their times, as a value: with it, and with these, one that knows nothing goes on where another one was.
 *
 * <p>A journal that begins with a checkpoint needs nothing of what was before it. Tasks of workflows that are over may be left out when it is made; the others get
 * new numbers then ({@link CheckpointMaker}).
 *
 * @param tasks how far each task is
 * @param ready the ready tasks, in the order in which they became so
 * @param pilotJobs those that are not over
 * @param attempts those that run, then those that wait on nodes, in the order in which they were bound
 * @param workflows the workflows that the tasks belong to, in their order
 * @param had what owners had so far, where workflows take turns
 * @param taken how many tasks of each priority were taken so far, where workflows take turns
 * @param counts what was counted
 * @param submissionFailures what went wrong in a row
 * @param memo what the strategy remembers, as text
 */
public record Checkpoint(
        List<Task> tasks,
        List<Integer> ready,
        List<Job> pilotJobs,
        List<Running> attempts,
        List<Part> workflows,
        Map<String, Double> had,
        Map<Integer, Long> taken,
        Counts counts,
        Trouble submissionFailures,
        String memo) {
    public Checkpoint {
        tasks = List.copyOf(tasks);
        ready = List.copyOf(ready);
        pilotJobs = List.copyOf(pilotJobs);
        attempts = List.copyOf(attempts);
        workflows = List.copyOf(workflows);
        had = Map.copyOf(had);
        taken = Map.copyOf(taken);
    }

    /**
     * How far a task is.
     *
     * @param state as {@link TaskProgress} numbers it
     * @param held whether it shall be held back
     * @param attempts how many were started
     * @param failures how many failed by its own fault
     * @param committed the attempt that counts; 0 if none does
     * @param cuts how often it was cut off after at least twice the time it had before
     * @param cutAfter after how long the last time
     */
    public record Task(byte state, boolean held, int attempts, int failures, int committed, int cuts, long cutAfter) {}

    /**
     * A pilot job.
     *
     * @param state its name among the states of pilot jobs
     * @param freeCores of each node; negative if it is not up, or gone
     * @param flags whether a node was ever up, it was shortened, is closing, was draining, had a task wait for too long: bits 0 to 4
     */
    public record Job(
            long token,
            Request request,
            Claim claim,
            long submittedAt,
            long startedAt,
            String state,
            List<Integer> freeCores,
            List<Integer> freeGpus,
            int flags) {
        public Job {
            freeCores = List.copyOf(freeCores);
            freeGpus = List.copyOf(freeGpus);
        }
    }

    /**
     * An attempt that runs, or waits on a node for a core.
     *
     * @param core which of the cores of its node that tasks share it has a part of; −1 if it has whole ones
     * @param ahead whether it waits for a core
     * @param recalled whether it waited for too long and was told to end
     */
    public record Running(
            int task,
            int number,
            long token,
            List<Integer> nodes,
            int core,
            long startedAt,
            boolean ahead,
            boolean recalled) {
        public Running {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A workflow of the run.
     *
     * @param number what its first task is called by agents, for which numbers never change
     * @param held whether all of it is held back
     * @param dropped whether it was dropped
     * @param endedAt when its last task was over; −1 if it is not
     */
    public record Part(int number, boolean held, boolean dropped, long endedAt) {}

    /**
     * What was counted, and when the manager wants to be woken.
     *
     * @param runTimeError by how much times were off at most, in per cent
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
            long wakeAsked,
            int nextNumber) {}

    /** What went wrong in a row. */
    public record Trouble(
            int refusals,
            int silent,
            boolean owed,
            boolean lostTogether,
            long quietUntil,
            @Nullable String paused) {}
}
