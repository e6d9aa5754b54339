package io.sheaf.app.cli;

/** An action that runs when a signal ends the process, until it is closed. Closing it while the process ends does nothing. */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;
    private volatile boolean begun;

    /** Registers an action, for a thread with this name. */
    public ShutdownHook(String name, Runnable action) {
        thread = new Thread(() -> run(action), name);
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process is already ending.
            begun = true;
        }
    }

    private void run(Runnable action) {
        begun = true;
        action.run();
    }

    /** Whether the process is ending. */
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process is ending, and the action runs.
            return;
        }
    }
}
