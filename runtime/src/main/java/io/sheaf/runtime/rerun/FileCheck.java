package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;

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
            default -> throw new InputException("there is no check '" + name + "'. There are: time, hash.");
        };
    }
}
