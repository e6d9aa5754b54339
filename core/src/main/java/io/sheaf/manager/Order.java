package io.sheaf.manager;

/** An order of a strategy to the manager. */
public sealed interface Order {
    /** Submit a pilot job to run these tasks. */
    record Submit(Request request, Claim claim) implements Order {}

    /** Cancel a pilot job, queued or running. */
    record Cancel(long token) implements Order {}

    /** Lower the walltime of a queued pilot job. */
    record Shorten(long token, long walltime) implements Order {}

    /** Drain a running pilot job: it takes no more tasks and ends when its running attempts end. */
    record Drain(long token) implements Order {}
}
