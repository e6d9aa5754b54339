package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;

/** By what a file counts as changed. */
public enum FileCheck {
    /** Its size and the time of its last change. */
    TIME,
    /** Its content; where no digest of it is on record, size and time. */
    HASH;

    public static FileCheck named(String name) {
        return switch (name) {
            case "time" -> TIME;
            case "hash" -> HASH;
            default -> throw new InputException("there is no check '" + name + "'. There are: time, hash.");
        };
    }
}
