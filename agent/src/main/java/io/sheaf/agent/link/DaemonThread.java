package io.sheaf.agent.link;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/** Creates daemon threads, which do not keep their process alive. */
public final class DaemonThread {
    private DaemonThread() {}

    /** Work that the process does without if it fails. */
    @FunctionalInterface
    public interface Body {
        void run() throws IOException, InterruptedException;
    }

    /** A thread that has not started. */
    public static Thread of(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts optional work; a failure to read or write, and an interrupt, end it without a message. */
    public static Thread start(String name, Body work) {
        Thread thread = of(name, () -> {
            try {
                work.run();
            } catch (IOException e) {
                // The result is missing, which its reader expects.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    /** The threads of an executor, all of one name. */
    public static ThreadFactory named(String name) {
        return work -> of(name, work);
    }
}
