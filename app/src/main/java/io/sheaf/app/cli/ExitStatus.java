package io.sheaf.app.cli;

/** The exit statuses of the command, a stable interface for scripts. */
public final class ExitStatus {
    public static final int DONE = 0;
    /** The workflow, or the experiment, failed. */
    public static final int FAILED = 1;
    /** The command line is invalid. */
    public static final int USAGE = 2;
    /** An input file or value cannot be used. */
    public static final int BAD_INPUT = 3;
    /** The cluster is unreachable, or a required program is missing. */
    public static final int UNREACHABLE = 4;
    /** Interrupted; can be resumed. */
    public static final int INTERRUPTED = 5;
    /** An internal error of Sheaf. */
    public static final int INTERNAL = 70;

    private ExitStatus() {}
}
