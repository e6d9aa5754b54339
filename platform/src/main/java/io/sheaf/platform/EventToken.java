package io.sheaf.platform;

/** Encodes an event of the kernel as an int: a kind and a task. */
final class EventToken {
    static final int TASK_BITS = 26;
    static final int MAX_TASKS = 1 << TASK_BITS;
    private static final int TASK = MAX_TASKS - 1;

    /** A step of a file transfer; the kinds below this one belong to {@link Transfers}. */
    static final int COMPUTED = 8;
    /** A message of the manager; the kinds from this one on belong to {@link PlatformManager}. */
    static final int MANAGER = 9;

    /** A message to a service has arrived; instead of a task it carries a slot of {@link Services}. */
    static final int ARRIVED = 15;

    private EventToken() {}

    static int of(int kind, int task) {
        return kind << TASK_BITS | task;
    }

    static int kind(int token) {
        return token >>> TASK_BITS;
    }

    static int task(int token) {
        return token & TASK;
    }
}
