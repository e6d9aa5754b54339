package io.sheaf.runtime.queue;

import java.util.Locale;

/** The phase of a task in a queue. */
public enum TaskPhase {
    WAITING,
    RUNNING,
    SUCCESS,
    FAILED;

    /** The written form. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static TaskPhase named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public boolean isOver() {
        return this == SUCCESS || this == FAILED;
    }
}
