package io.sheaf.runtime.queue;

import java.util.Locale;

/** How far a task of a queue is. */
public enum TaskPhase {
    WAITING,
    RUNNING,
    SUCCESS,
    FAILED;

    /** As it is written. */
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
