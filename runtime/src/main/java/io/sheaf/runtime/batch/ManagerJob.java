package io.sheaf.runtime.batch;

import java.io.IOException;
import java.util.List;

/** The manager of a run as a batch job of one core. One job at a time is the manager; its successor waits in the queue for its end. */
public interface ManagerJob {
    /**
     * Submits a job that runs this command, and returns its number. A job whose submission has no answer is found
     * by its name.
     */
    long submit(List<String> command) throws IOException, InterruptedException;

    /** The number of a queued or running manager job other than this process; {@link BatchCommands#UNKNOWN} if there is none. */
    long find() throws IOException, InterruptedException;

    /** Cancels the queued ones. */
    void cancelWaiting() throws IOException, InterruptedException;
}
