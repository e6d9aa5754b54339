package io.sheaf.manager;

import io.sheaf.predict.Retiming;
import io.sheaf.workflow.Addition;

/**
 * Something that happened, at an instant of the batch system's clock in milliseconds.
 *
 * <p>Events are told at least once, in any order, any time later; what the manager makes of each pair is written in {@link Manager}. They are
 * values, so that a journal can keep them.
 */
public sealed interface Event {
    long at();

    /** The batch system has the pilot job in its queue. */
    record Accepted(long at, long token) implements Event {}

    /** The batch system does not take the pilot job, and will never run it. */
    record Refused(long at, long token, String why) implements Event {}

    /**
     * The pilot job runs.
     *
     * @param nodesUp whether all its nodes take tasks already; if not, each tells by {@link NodeUp} when it does
     */
    record Started(long at, long token, boolean nodesUp) implements Event {
        /** All nodes are up. */
        public Started(long at, long token) {
            this(at, token, true);
        }
    }

    /** A node of a pilot job takes tasks from now on; nodes are numbered from 0 within their pilot job. */
    record NodeUp(long at, long token, int node) implements Event {}

    /** A node of a pilot job is gone for good: nothing that ran on it runs any more, nor will. */
    record NodeLost(long at, long token, int node) implements Event {}

    /** The pilot job is over: nothing that ran in it runs any more, nor will. */
    record Ended(long at, long token, End how) implements Event {}

    /**
     * An attempt of a task is over.
     *
     * @param took how long it ran, in milliseconds; −1 if it has just ended and ran since it was started. An attempt that ended while no manager was running is reported later
     */
    record TaskEnded(long at, long token, int task, int attempt, Outcome outcome, long took) implements Event {
        static final long SINCE_START = -1;

        /** One that has just ended. */
        public TaskEnded(long at, long token, int task, int attempt, Outcome outcome) {
            this(at, token, task, attempt, outcome, SINCE_START);
        }
    }

    /** The instant that was asked for has come. */
    record Woken(long at) implements Event {}

    /** The workflow has more tasks; those it had keep their numbers. */
    record Grown(long at, Addition added) implements Event {}

    /** Tasks may be added from now on: the run is not over when all are done. */
    record Opened(long at) implements Event {}

    /** No more tasks are added: the run is over when all are done. */
    record Closed(long at) implements Event {}

    /** Whether a tool that submits tasks one by one is running, so that more are expected soon. */
    record Awaited(long at, boolean more) implements Event {}

    /** The user wants some tasks, numbered in a row, to be held back, or to go on; what runs goes on. */
    record Held(long at, int first, int count, boolean held) implements Event {}

    /** The user does not want some tasks, numbered in a row, any more: what runs is stopped, and what comes after them is skipped. */
    record Dropped(long at, int first, int count) implements Event {}

    /** The tasks of the workflow are expected to take other times than before. */
    record Retimed(long at, Retiming times) implements Event {}

    /** Everything was as this says, when those that it leaves out were put aside; told to a manager that knows the tasks and nothing else. */
    record Restored(long at, Checkpoint as) implements Event {}

    /** The user wants a run that has paused to go on. */
    record Resumed(long at) implements Event {}

    /** The user wants the run to end now, whatever is lost. */
    record Cancelled(long at) implements Event {}

    /** How a pilot job ends. */
    enum End {
        /** Because it was released. */
        RELEASED,
        /** Its walltime was over. */
        EXPIRED,
        /** It was cancelled, by us or behind our back. */
        CANCELLED,
        /** By itself, untimely: its script or its agents could not go on. */
        BROKEN,
        /** Unknown; its nodes may have failed. */
        LOST
    }

    /** How an attempt of a task ends. */
    enum Outcome {
        SUCCEEDED,
        /** By its own fault: an exit status other than 0, a signal, an output that is not there, its own time limit. */
        FAILED,
        /** It took more memory than it may. */
        OUT_OF_MEMORY,
        /** The end of the pilot job's walltime was near. */
        CUT_OFF,
        /** We stopped it. */
        STOPPED,
        /** One of its nodes failed. */
        NODE_LOST,
        /** It runs no more, and its exit status is unknown. */
        UNKNOWN;

        /** Whether the task itself is to blame; the others are the surroundings' doing. */
        public boolean isFailure() {
            return this == FAILED || this == OUT_OF_MEMORY;
        }
    }
}
