package io.sheaf.slurm;

import java.io.IOException;

/** A command of Slurm was not answered: it could not be run, took too long, or found no slurmctld. Whether it did anything is not known. */
public final class SlurmAwayException extends IOException {
    private static final long serialVersionUID = 1L;

    public SlurmAwayException(String message) {
        super(message);
    }
}
