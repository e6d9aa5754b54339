package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;
import java.util.List;

/** How changes of a file are detected. */
public enum FileCheck {
    /** Compares size and modification time. */
    TIME,
    /** Compares content digests; size and time if no digest is recorded. */
    HASH;

    public static FileCheck named(String name) {
        return switch (name) {
            case "time" -> TIME;
            case "hash" -> HASH;
            default -> throw InputException.unknown("check", name, List.of("time", "hash"));
        };
    }
}
