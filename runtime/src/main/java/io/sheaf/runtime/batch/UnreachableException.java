package io.sheaf.runtime.batch;

import java.io.IOException;

/**
 * A batch system did not answer a command: the command could not run, timed out, or found no server. It is unknown
 * whether it had an effect.
 */
public final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message) {
        super(message);
    }
}
