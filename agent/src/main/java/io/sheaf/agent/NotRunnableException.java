package io.sheaf.agent;

/** An attempt that cannot be started; the message is for the workflow's author. */
final class NotRunnableException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean passing;

    NotRunnableException(String message) {
        this(message, false);
    }

    /** One that may be over soon, such as a full disk under the log. */
    NotRunnableException(String message, boolean passing) {
        super(message);
        this.passing = passing;
    }

    boolean isPassing() {
        return passing;
    }
}
