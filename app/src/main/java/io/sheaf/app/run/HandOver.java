package io.sheaf.app.run;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The end of a job that is in charge of a run, foreseen: it has its successor submitted at once, and hands over to it before its own time is over.
 *
 * <p>A batch system that does not take the successor now (too many jobs, or nobody answers) is asked again until it does; so long this job stays in charge, whatever its time.
 */
final class HandOver {
    /** Between two attempts to have the successor submitted. */
    static final long PAUSE_MILLIS = 30_000;

    private final ManagerJob job;
    private final List<String> command;
    private final Runnable handOver;
    private final Consumer<String> say;
    private final long pause;
    private final long until;
    private final Thread thread;
    private boolean told;
    private boolean succeeded;

    /**
     * Not begun yet.
     *
     * @param command what the successor runs
     * @param inCharge how long this job is in charge, in milliseconds
     * @param handOver called when that is over, and the successor is there
     */
    HandOver(
            ManagerJob job,
            List<String> command,
            long inCharge,
            Runnable handOver,
            Consumer<String> say,
            long pauseMillis) {
        this.job = job;
        this.command = List.copyOf(command);
        this.handOver = handOver;
        this.say = say;
        pause = pauseMillis;
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(inCharge);
        thread = new Thread(this::await, "hand-over");
        thread.setDaemon(true);
    }

    /** Has the successor submitted before anything else is, if it is taken; what is left is done beside. */
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
            say.accept("cannot cancel the successor manager job (" + e.getMessage() + "); it will stop when it starts");
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
            // The run has ended before.
            return;
        }
    }

    /**
     * Whether the successor is there now.
     *
     * @param again whether it may be there from an earlier attempt
     */
    private boolean succeed(boolean again) throws InterruptedException {
        if (succeeded) {
            return true;
        }
        try {
            long there = again ? job.find() : BatchCommands.UNKNOWN;
            long next = there == BatchCommands.UNKNOWN ? job.submit(command) : there;
            say.accept("job " + next + " takes over when this manager job ends");
            succeeded = true;
        } catch (InputException | IOException e) {
            if (!told) {
                say.accept("the successor manager job is not submitted yet (" + e.getMessage() + "); retrying");
                told = true;
            }
        }
        return succeeded;
    }
}
