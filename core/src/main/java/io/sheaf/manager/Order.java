package io.sheaf.manager;

/** One thing that a strategy wants done. */
public sealed interface Order {
    /** Ask for a pilot job to run these tasks. */
    record Submit(Request request, Claim claim) implements Order {}

    /** Cancel a pilot job, queued or running. */
    record Cancel(long token) implements Order {}

    /** Lower the walltime of a queued pilot job. */
    record Shorten(long token, long walltime) implements Order {}

    /** Let a running pilot job take no more tasks: its nodes are given back when what runs in it has ended. */
    record Drain(long token) implements Order {}
}
