package io.sheaf.agent;

/** An attempt that cannot be started; the message is for the workflow's author. */
final class NotRunnableException extends Exception {
    private static final long serialVersionUID = 1;

    NotRunnableException(String message) {
        super(message);
    }
}
