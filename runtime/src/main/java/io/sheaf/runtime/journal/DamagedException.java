package io.sheaf.runtime.journal;

import java.io.IOException;
import java.nio.file.Path;

/** A record that was durable can no longer be read. */
public final class DamagedException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedException(Path file, long offset, String what) {
        super(file + ": " + what + " at byte " + offset
                + "; the records after it would be lost. Restore the file from a copy.");
    }
}
