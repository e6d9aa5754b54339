package io.sheaf.manager;

import io.sheaf.workflow.Workflow;

/** Something that happened, at an instant of the batch system's clock in milliseconds. */
public sealed interface Event {
    long at();

    /** The batch system has the placeholder in its queue. */
    record Accepted(long at, long token) implements Event {}

    /** The batch system does not take the placeholder. */
    record Refused(long at, long token, String why) implements Event {}

    /** The placeholder runs. */
    record Started(long at, long token) implements Event {}

    /** The placeholder is over. */
    record Ended(long at, long token, End how) implements Event {}

    /** An attempt of a task is over. */
    record TaskEnded(long at, long token, int task, int attempt, boolean succeeded) implements Event {}

    /** The instant that was asked for has come. */
    record Woken(long at) implements Event {}

    /** The workflow has more tasks; those it had keep their numbers. */
    record Grown(long at, Workflow larger) implements Event {}

    /** How a placeholder ends. */
    enum End {
        /** Because it was released. */
        RELEASED,
        /** Its walltime was over. */
        EXPIRED,
        /** It was withdrawn, by us or behind our back. */
        WITHDRAWN,
        /** Nobody knows; its nodes may have failed. */
        LOST
    }
}
