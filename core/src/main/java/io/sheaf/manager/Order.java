package io.sheaf.manager;

/** One thing that a strategy wants done. */
public sealed interface Order {
    /** Ask for a placeholder to run these tasks. */
    record Submit(Request request, Claim claim) implements Order {}

    /** Cancel a placeholder, queued or running. */
    record Withdraw(long token) implements Order {}

    /** Lower the walltime of a queued placeholder. */
    record Shorten(long token, long walltime) implements Order {}

    /** Let a running placeholder take no more tasks: its nodes are given back when what runs in it has ended. */
    record Retire(long token) implements Order {}
}
