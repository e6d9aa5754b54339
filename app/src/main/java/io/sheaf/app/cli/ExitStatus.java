package io.sheaf.app.cli;

/** How the command ends; scripts rely on these numbers. */
public final class ExitStatus {
    public static final int DONE = 0;
    /** The workflow, or the experiment, failed. */
    public static final int FAILED = 1;
    /** The command line makes no sense. */
    public static final int USAGE = 2;
    /** A file or value that was given cannot be used. */
    public static final int BAD_INPUT = 3;
    /** The cluster cannot be reached, or what Sheaf needs to run is not there. */
    public static final int UNREACHABLE = 4;
    /** Interrupted; can be resumed. */
    public static final int INTERRUPTED = 5;
    /** A fault of Sheaf's own. */
    public static final int INTERNAL = 70;

    private ExitStatus() {}
}
