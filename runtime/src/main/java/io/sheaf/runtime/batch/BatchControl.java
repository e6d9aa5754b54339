package io.sheaf.runtime.batch;

import io.sheaf.manager.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A batch system as a run's driver needs it: orders and questions about single jobs, as commands and what their answers mean.
 *
 * <p>Called beside the event loop, by one thread at a time, and may take minutes. An {@link AwayException} says that nobody knows whether anything was done; the driver
 * then asks again, or looks for what may have been submitted. Jobs have numbers, and names that {@link #name} makes.
 */
public interface BatchControl {
    /** In place of a job's number. */
    long UNKNOWN = -1;

    /** The name of a pilot job's job, by which it is found again. */
    static String name(String run, long token) {
        return "sheaf-" + run + "." + token;
    }

    /** What people call it. */
    String title();

    /** The time limit that a job gets when this one is asked for, in milliseconds: not less, and more where minutes are counted. */
    long granted(long walltime);

    /** The script of a pilot job: {@link PilotJobScript} has what all of them have in common. */
    String script(long token, Request request);

    /**
     * Submits a pilot job's script, once.
     *
     * @param delaySeconds it shall not start earlier than so long from now; 0 if it may
     * @param afterJob the job that must end first; −1 if there is none
     */
    Submitted submit(Path script, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException;

    /** All jobs of the user that are this pilot job's, as far as they are not forgotten. */
    List<Found> find(long token) throws IOException, InterruptedException;

    /** How far a job is, {@link JobState#GONE} if nobody knows it. */
    JobState state(long job) throws IOException, InterruptedException;

    /** Cancels jobs; one that is over already is no failure. */
    void cancel(List<Long> jobs) throws IOException, InterruptedException;

    /** Lowers the time limit of a queued job, in milliseconds; whether it was taken. */
    boolean limit(long job, long walltime) throws IOException, InterruptedException;

    /** The command by which a person lets a held job go. */
    String letGo(long job);

    /** A job that carries a pilot job's name. */
    record Found(long job, JobState state) {}

    /**
     * What came of a submission.
     *
     * @param job its number; {@link BatchControl#UNKNOWN} if it was refused, or was taken and the number could not be read
     * @param refusal why it was refused; empty if it was not
     * @param later whether it was refused because there are too many already, and may succeed later
     */
    record Submitted(long job, String refusal, boolean later) {
        public static Submitted as(long job) {
            return new Submitted(job, "", false);
        }

        public static Submitted refused(String why, boolean later) {
            return new Submitted(BatchControl.UNKNOWN, why, later);
        }

        public boolean isRefused() {
            return !refusal.isEmpty();
        }
    }
}
