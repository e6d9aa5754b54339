package io.sheaf.runtime.batch;

import io.sheaf.runtime.cluster.RunClock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads the queue periodically for what agents cannot report: a job that started without agents, is held, or has
 * disappeared.
 */
final class QueueWatch {
    private static final long QUERY_PAUSE = 1_000;
    private static final long RETRY_PAUSE = 3_000;

    private final SharedQueue queue;
    private final PilotJobs jobs;
    private final JobOrders orders;
    private final RunClock clock;
    private final Consumer<String> messages;
    private boolean reading;
    private long nextRead;
    private long readAt;
    private int otherJobs;
    private boolean tried;

    QueueWatch(SharedQueue queue, PilotJobs jobs, JobOrders orders, RunClock clock, Consumer<String> messages) {
        this.queue = queue;
        this.jobs = jobs;
        this.orders = orders;
        this.clock = clock;
        this.messages = messages;
    }

    /**
     * Whether the user's jobs are below a limit: {@code ownJobs} of this run plus those outside it. False until the
     * first attempt to read the queue.
     */
    boolean isBelow(int cap, long ownJobs) {
        return tried && ownJobs + otherJobs < cap;
    }

    /** Reads the queue if that is due and a pilot job should be in it. */
    void poll() {
        long now = clock.millis();
        boolean hasJobs = jobs.all().stream().anyMatch(BatchJob::isActive);
        if (!hasJobs || reading || now < nextRead) {
            return;
        }
        reading = true;
        orders.readQueue(
                queue,
                snapshot -> {
                    reading = false;
                    boolean isNew = snapshot.at() > readAt;
                    nextRead = clock.millis() + (isNew ? queue.interval() : QUERY_PAUSE);
                    if (isNew) {
                        tried = true;
                        readAt = snapshot.at();
                        compare(snapshot);
                    }
                },
                () -> {
                    reading = false;
                    tried = true;
                    nextRead = clock.millis() + Math.max(RETRY_PAUSE, queue.interval());
                });
    }

    private void compare(SharedQueue.Snapshot snapshot) {
        Map<Long, QueueLine> lines = new HashMap<>();
        snapshot.jobs().forEach(line -> lines.put(line.job(), line));
        for (BatchJob job : jobs.all()) {
            QueueLine line = lines.remove(job.job);
            boolean mayDiffer = line == null ? isBefore(snapshot, job.acceptedAt) : isBefore(snapshot, job.startedAt);
            if (!job.isActive() || mayDiffer) {
                continue;
            }
            if (line == null || (line.isPending() && job.startedAt >= 0)) {
                job.queryAt = Math.min(job.queryAt, clock.millis());
            } else if (!line.isPending() && job.startedAt < 0 && line.state() != JobState.STARTING) {
                jobs.started(job, line.start() < 0 ? clock.millis() : line.start());
            } else if (line.isPending() && line.outlook() == QueueLine.Outlook.NEVER) {
                // The batch system would keep it queued for ever.
                job.never = true;
                job.why = line.reason();
                job.cancelAt = Math.min(job.cancelAt, clock.millis());
            } else if (line.outlook() == QueueLine.Outlook.HELD && !job.heldReported) {
                job.heldReported = true;
                messages.accept("job " + job.job + " is held (" + line.reason() + "); release it with: "
                        + orders.releaseCommand(job));
            }
        }
        otherJobs = lines.size();
    }

    /**
     * Whether a snapshot, possibly another process's, is older than the knowledge about a job. Limited in time: if
     * the wall clock is set back, snapshots must not look old for ever.
     */
    private boolean isBefore(SharedQueue.Snapshot snapshot, long instant) {
        return snapshot.at() < instant && clock.millis() < instant + 2L * queue.interval();
    }
}
