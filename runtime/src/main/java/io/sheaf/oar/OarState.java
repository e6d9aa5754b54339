package io.sheaf.oar;

import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.QueueLine;
import java.util.HashSet;
import java.util.Set;

/** What the states of OAR's jobs mean, and what happened to those that have ended. */
final class OarState {
    private OarState() {}

    /** The state of a job as {@code oarstat -J} prints it; with {@code -f} there is also what happened to it. */
    static JobState of(OarJson job) {
        return switch (job.text("state")) {
            case "Waiting", "Hold", "toAckReservation" -> JobState.PENDING;
            case "toLaunch", "Launching" -> JobState.STARTING;
            case "Finishing", "toError" -> JobState.ENDING;
            case "Terminated" -> ended(job, JobState.ENDED);
            // A job that never began can have left nothing; of one that did, nobody knows what its nodes do.
            case "Error" -> ended(job, job.number("startTime") == 0 ? JobState.ENDED : JobState.LOST);
            default -> JobState.RUNNING;
        };
    }

    private static JobState ended(OarJson job, JobState otherwise) {
        Set<String> happened = new HashSet<>();
        job.list("events").forEach(event -> happened.add(event.text("type")));
        if (happened.contains("WALLTIME")) {
            return JobState.EXPIRED;
        }
        return happened.contains("FRAG_JOB_REQUEST") ? JobState.CANCELLED : otherwise;
    }

    static QueueLine.Outlook outlook(OarJson job) {
        return job.text("state").equals("Hold") ? QueueLine.Outlook.HELD : QueueLine.Outlook.STARTS;
    }
}
