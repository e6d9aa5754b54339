package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** What a strategy may know: the workflow, how far it is, and our own pilot jobs. */
public interface View {
    long now();

    Workflow workflow();

    /** Nodes of the cluster that one pilot job may have. */
    int nodes();

    int coresPerNode();

    /** The most pilot jobs that may be in the batch system at once, queued and running. */
    int cap();

    /** Pilot jobs in the batch system, queued and running. */
    int pilotJobs();

    /** The index-th pilot job in the batch system, in order of submission. */
    PilotJob pilotJob(int index);

    /** Whether there is a pilot job whose claim names this very task. */
    boolean isSingledOut(int task);

    /** Whether nothing is left to do for a task: it is done, or has failed for good or comes after one that has, or is held back for now. */
    boolean isDone(int task);

    /** Whether all parents of a task are done, and it is neither running nor done itself nor held back. */
    boolean isReady(int task);

    /** The ready task with the lowest number that is not below this one; −1 if there is none. */
    int nextReady(int task);

    boolean isRunning(int task);

    /** The running task with the lowest number that is not below this one; −1 if there is none. */
    int nextRunning(int task);

    /** When the attempt of a task began that runs; −1 if none does. */
    long startedAt(int task);

    /** The token of the pilot job in which an attempt of a task runs; −1 if none does. */
    long runsIn(int task);

    /** How long a task is given at least because an attempt of it was cut off by a walltime, in milliseconds; 0 if none was, or where that changes nothing. */
    long atLeast(int task);

    /** How long before the end of a walltime a task is begun at the latest, where only those are begun that fit: what is expected of it, with what times were seen to be off. */
    long room(int task);

    /** By how many per cent the time of a task that is done was farthest off, the shorter of expected and taken being all; tasks of less than a minute tell nothing. */
    int timesOff();

    /** Tasks of a level that are not done. */
    int unfinished(int level);

    /** The first level with a task that is not done; the number of levels if there is none. */
    int firstUnfinishedLevel();

    /** Whether tasks may be added to the run. */
    default boolean isOpen() {
        return false;
    }

    /** Whether more tasks are likely to come soon. */
    default boolean isAwaited() {
        return false;
    }

    /** Whether the times of tasks are what a user allows for, so that they are likely to take less. */
    default boolean isAmple() {
        return false;
    }

    /** Simulations of this run, to compare strategies; null if it cannot be simulated. */
    default @Nullable Lookahead lookahead() {
        return null;
    }

    /** How many pilot jobs have ended with tasks of theirs not done, expired or lost, without our having wanted it. */
    int expiries();
}
