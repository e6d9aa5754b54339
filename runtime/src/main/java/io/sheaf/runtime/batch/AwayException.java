package io.sheaf.runtime.batch;

import java.io.IOException;

/** A command of a batch system was not answered: it could not be run, took too long, or found no server. Whether it did anything is not known. */
public final class AwayException extends IOException {
    private static final long serialVersionUID = 1L;

    public AwayException(String message) {
        super(message);
    }
}
