package io.sheaf.app.run;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The handover of a run from one manager job to its successor. It submits the successor at the start, and hands over
 * the lease before this job's walltime ends.
 *
 * <p>If the batch system does not accept the successor, it retries. Until then this job keeps the lease, even beyond
 * its planned time.
 */
final class HandOver {
    /** The interval between two attempts to submit the successor, in milliseconds. */
    static final long PAUSE_MILLIS = 30_000;

    private final ManagerJob job;
    private final List<String> command;
    private final Runnable handOver;
    private final Consumer<String> messages;
    private final long pause;
    private final long until;
    private final Thread thread;
    private boolean failureNoted;
    private boolean succeeded;

    /**
     * Creates a handover that has not begun.
     *
     * @param command the successor's command
     * @param leaseMillis how long this job keeps the lease, in milliseconds
     * @param handOver called after that time, once the successor is submitted
     */
    HandOver(
            ManagerJob job,
            List<String> command,
            long leaseMillis,
            Runnable handOver,
            Consumer<String> messages,
            long pauseMillis) {
        this.job = job;
        this.command = List.copyOf(command);
        this.handOver = handOver;
        this.messages = messages;
        pause = pauseMillis;
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        thread = DaemonThread.of("hand-over", this::await);
    }

    /** Submits the successor before any other job; if that fails, retries in the background. */
    void begin() throws InterruptedException {
        succeed(false);
        thread.start();
    }

    /** Cancels a queued successor after the end of the run. */
    void end() throws InterruptedException {
        thread.interrupt();
        thread.join();
        try {
            job.cancelWaiting();
        } catch (IOException e) {
            messages.accept(
                    "cannot cancel the successor manager job (" + e.getMessage() + "); it will stop when it starts");
        }
    }

    private void await() {
        try {
            while (!succeed(true)) {
                Thread.sleep(pause);
            }
            TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
            handOver.run();
        } catch (InterruptedException e) {
            // The run has already ended.
            return;
        }
    }

    /**
     * Whether the successor is submitted now.
     *
     * @param retry whether an earlier attempt may have submitted it
     */
    private boolean succeed(boolean retry) throws InterruptedException {
        if (succeeded) {
            return true;
        }
        try {
            long found = retry ? job.find() : BatchCommands.UNKNOWN;
            long next = found == BatchCommands.UNKNOWN ? job.submit(command) : found;
            messages.accept("job " + next + " takes over when this manager job ends");
            succeeded = true;
        } catch (InputException | IOException e) {
            if (!failureNoted) {
                messages.accept("the successor manager job is not submitted yet (" + e.getMessage() + "); retrying");
                failureNoted = true;
            }
        }
        return succeeded;
    }
}
