package io.sheaf.app;

/** How the command ends; scripts rely on these numbers. */
final class ExitStatus {
    static final int DONE = 0;
    /** The workflow, or the experiment, failed. */
    static final int FAILED = 1;
    /** The command line makes no sense. */
    static final int USAGE = 2;
    /** A file or value that was given cannot be used. */
    static final int BAD_INPUT = 3;
    /** The cluster cannot be reached, or what Sheaf needs to run is not there. */
    static final int UNREACHABLE = 4;
    /** Interrupted; can be resumed. */
    static final int INTERRUPTED = 5;
    /** A fault of Sheaf's own. */
    static final int INTERNAL = 70;

    private ExitStatus() {}
}
