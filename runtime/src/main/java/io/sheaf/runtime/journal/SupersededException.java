package io.sheaf.runtime.journal;

import java.io.IOException;

/** Another process has taken over the lease of the run; this one must not act any more. */
public final class SupersededException extends IOException {
    private static final long serialVersionUID = 1;

    SupersededException(String message) {
        super(message);
    }
}
