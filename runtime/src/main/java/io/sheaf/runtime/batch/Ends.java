package io.sheaf.runtime.batch;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.runtime.cluster.Agents;
import java.nio.file.Path;

/**
 * When a pilot job is over, and how it ended.
 *
 * <p>Nothing may run in it any more. Its agents have said so, or left a mark; or the batch system says that the job has ended, and no agent of it is
 * reached. It does not know what runs on a node that fails: there the agents are told to end, and if none is reached, some time is given to those that see the run's folder only.
 */
final class Ends {
    /** Agents end by themselves so long before the time limit at most. */
    private static final long EARLY = 20_000;

    private static final int STOP_GRACE_MILLIS = 2_000;
    private static final long STOP_PAUSE = 1_000;
    private static final long ASK_PAUSE = 1_000;

    /** When all agents are gone, the batch system is asked why for so long. */
    private static final long WHY_PATIENCE = 20_000;

    /** Agents on a node that failed, and that nobody reaches, count as gone after this. */
    private static final long LOST_PATIENCE = 60_000;

    /** Agents of an earlier process find this one within that time. */
    private static final long CALL_PATIENCE = 5_000;

    private final Path marks;
    private final Agents link;
    private final long openedAt;

    Ends(Path marks, Agents link, long openedAt) {
        this.marks = marks;
        this.link = link;
        this.openedAt = openedAt;
    }

    /** Tells the agents of a pilot job to end. */
    void stopAgents(BatchJob job) {
        for (int node = job.heard.nextSetBit(0); node >= 0; node = job.heard.nextSetBit(node + 1)) {
            if (!job.gone.get(node)) {
                link.send(new AgentId(job.token, node), new Message.Stop(STOP_GRACE_MILLIS, "its pilot job is over"));
            }
        }
    }

    /** Whether nothing of it runs any more, and it is known how it ended or too late to ask. */
    boolean isOver(BatchJob job, long now) {
        if (job.gone.cardinality() == job.request.units()) {
            job.gonePatience = Math.min(job.gonePatience, now + WHY_PATIENCE);
            boolean told = job.wanted != null || isNearLimit(job, now) || job.finalState != null;
            if (!told && job.askAt == Long.MAX_VALUE) {
                job.askAt = now + ASK_PAUSE;
            }
            return told || now >= job.gonePatience;
        }
        if (job.finalState == null || !mayRun(job, job.finalState, now)) {
            return job.finalState != null;
        }
        if (now >= job.stopAt) {
            job.stopAt = now + STOP_PAUSE;
            stopAgents(job);
        }
        return false;
    }

    /** Whether something of a job may run although the batch system says that it has ended. */
    private boolean mayRun(BatchJob job, JobState said, long now) {
        if (job.startedAt < 0) {
            return false;
        }
        boolean unsure = !said.isSure() && now - job.finalAt < LOST_PATIENCE;
        boolean runs = now - openedAt < CALL_PATIENCE;
        for (int node = 0; node < job.request.units(); node++) {
            runs |= !job.gone.get(node) && (unsure || link.isReached(new AgentId(job.token, node)));
        }
        return runs;
    }

    static boolean isNearLimit(BatchJob job, long now) {
        return job.startedAt >= 0 && now >= job.limit() - EARLY;
    }

    Event.End how(BatchJob job, long now) {
        if (job.wanted != null) {
            return job.wanted;
        }
        JobState state = job.finalState == null ? JobState.GONE : job.finalState;
        Event.End said = state.end();
        boolean unclear = state == JobState.GONE;
        if (isNearLimit(job, now) && (unclear || said == Event.End.BROKEN)) {
            return Event.End.EXPIRED;
        }
        return unclear && JobFolder.of(marks, job.token).isEnded() ? Event.End.BROKEN : said;
    }
}
