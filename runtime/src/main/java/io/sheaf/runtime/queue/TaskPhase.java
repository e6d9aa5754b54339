package io.sheaf.runtime.queue;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

    /** The phase with this written form; null if there is none. */
    static @Nullable TaskPhase known(String word) {
        for (TaskPhase each : values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        return null;
    }

    public boolean isFinished() {
        return this == SUCCESS || this == FAILED;
    }
}
