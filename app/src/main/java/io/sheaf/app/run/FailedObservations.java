package io.sheaf.app.run;

import io.sheaf.runtime.batch.UnreachableException;
import java.io.PrintWriter;

/** Observations of a batch system that failed in a row: a long observation continues when the batch system answers again. */
public final class FailedObservations {
    private static final int MAX_FAILURES = 30;

    private int count;

    /** Counts a failure; the first of a row is printed, too many are passed on. */
    public void add(UnreachableException failure, PrintWriter err) throws UnreachableException {
        if (++count > MAX_FAILURES) {
            throw failure;
        }
        if (count == 1) {
            err.println("sheaf: note: " + failure.getMessage() + "; observing again");
            err.flush();
        }
    }

    /** Counts a success. */
    public void reset() {
        count = 0;
    }
}
