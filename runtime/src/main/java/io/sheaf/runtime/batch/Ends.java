package io.sheaf.runtime.batch;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.runtime.cluster.Agents;

/**
 * Determines when a pilot job has ended, and how.
 *
 * <p>A pilot job has ended when none of its processes is left. Either its agents report that or leave a mark; or
 * the batch system reports the end of the job, and none of its agents is connected. The batch system does not know
 * what runs on a failed node. There, agents receive a stop message. Unreachable agents count as ended after some
 * time, since they may see only the run's folder.
 */
record Ends(Agents link, long openedAt) {
    /** The maximum time before the time limit at which agents end by themselves, in milliseconds. */
    private static final long EARLY = 20_000;

    private static final int STOP_GRACE_MILLIS = 2_000;
    private static final long STOP_PAUSE = 1_000;
    private static final long QUERY_PAUSE = 1_000;

    /** How long the batch system is queried for the reason after all agents have ended, in milliseconds. */
    private static final long REASON_TIMEOUT = 20_000;

    /** The time after which unreachable agents on a failed node count as ended, in milliseconds. */
    private static final long LOST_TIMEOUT = 60_000;

    /** The time within which agents of an earlier process connect to this one, in milliseconds. */
    private static final long CONNECT_TIMEOUT = 5_000;

    /** Sends a stop message to the agents of a pilot job. */
    void stopAgents(BatchJob job) {
        for (int node = job.connected.nextSetBit(0); node >= 0; node = job.connected.nextSetBit(node + 1)) {
            if (!job.ended.get(node)) {
                link.send(new AgentId(job.token, node), new Message.Stop(STOP_GRACE_MILLIS, "its pilot job has ended"));
            }
        }
    }

    /** Whether none of its processes is left, and the reason is known or the time to query it has passed. */
    boolean hasEnded(BatchJob job, long now) {
        if (job.ended.cardinality() == job.request.units()) {
            job.missingDeadline = Math.min(job.missingDeadline, now + REASON_TIMEOUT);
            boolean expected = job.requestedEnd != null || isNearLimit(job, now) || job.finalState != null;
            if (!expected && job.queryAt == Long.MAX_VALUE) {
                job.queryAt = now + QUERY_PAUSE;
            }
            return expected || now >= job.missingDeadline;
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

    /** Whether processes of a job may run although the batch system reports its end. */
    private boolean mayRun(BatchJob job, JobState state, long now) {
        if (job.startedAt < 0) {
            return false;
        }
        boolean unsure = !state.isSure() && now - job.finalAt < LOST_TIMEOUT;
        boolean runs = now - openedAt < CONNECT_TIMEOUT;
        for (int node = 0; node < job.request.units(); node++) {
            runs |= !job.ended.get(node) && (unsure || link.isConnected(new AgentId(job.token, node)));
        }
        return runs;
    }

    static boolean isNearLimit(BatchJob job, long now) {
        return job.startedAt >= 0 && now >= job.limit() - EARLY;
    }

    Event.End end(BatchJob job, long now) {
        if (job.requestedEnd != null) {
            return job.requestedEnd;
        }
        JobState state = job.finalState == null ? JobState.UNLISTED : job.finalState;
        Event.End reported = state.end();
        boolean unclear = state == JobState.UNLISTED;
        if (isNearLimit(job, now) && (unclear || reported == Event.End.BROKEN)) {
            return Event.End.EXPIRED;
        }
        return unclear && job.folder.isEnded() ? Event.End.BROKEN : reported;
    }
}
