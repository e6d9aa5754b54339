package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Applies a batch system's answers to the pilot jobs of a run.
 *
 * <h2>Submissions without an answer</h2>
 * The job may exist or not. The driver searches for it by its name, its comment and the mark that it leaves when it
 * starts. It submits the job again only after two searches without a result. If both jobs start, the script lets
 * one of them run. A submission that was answered without a number, and whose job is not found, is refused: another
 * attempt would have the same answer.
 *
 * <h2>Identity</h2>
 * A requeued job is a different job: its script finds the mark of the first start, and ends.
 */
final class BatchAnswers implements JobOrders.Listener {
    /**
     * The pause between two searches for a submission without an answer, in milliseconds; it may still be in
     * progress.
     */
    private static final long LOST_PAUSE = 3_000;

    /** The maximum number of searches for a job that left a mark without its number. */
    private static final int MAX_SEARCHES = 20;

    private static final long QUERY_PAUSE = 2_000;
    private static final long LIMIT_PAUSE = 30_000;
    private static final long SOON = 200;

    private final PilotJobs pilotJobs;
    private final RunClock clock;
    private final String title;
    private final long limitPause;
    /** The batch system's refusals because of a limit on the number of jobs. */
    private final Set<String> limits = new HashSet<>();

    private long limitUntil = Long.MIN_VALUE;
    private long endsAtLimit;
    private final Consumer<List<Long>> cancel;
    private final Consumer<String> messages;

    /**
     * Answers about pilot jobs.
     *
     * @param title the batch system's name in messages
     * @param interval the interval between snapshots of the queue
     * @param cancel cancels jobs that belong to no pilot job
     */
    BatchAnswers(
            PilotJobs pilotJobs,
            RunClock clock,
            String title,
            long interval,
            Consumer<List<Long>> cancel,
            Consumer<String> messages) {
        this.pilotJobs = pilotJobs;
        this.clock = clock;
        this.title = title;
        this.cancel = cancel;
        this.messages = messages;
        limitPause = Math.min(LIMIT_PAUSE, interval);
    }

    @Override
    public void submitted(BatchJob job, BatchCommands.Submitted answer) {
        // The job's agents may have connected before its number was known.
        if (job.phase != Phase.REQUESTED) {
            if (job.isFinished() && answer.job() != BatchCommands.UNKNOWN) {
                // It was cancelled before its number was known.
                cancel.accept(List.of(answer.job()));
            }
            return;
        }
        if (!answer.isRefused()) {
            job.lost = answer.job() == BatchCommands.UNKNOWN;
            job.unread = job.lost;
            if (!job.lost) {
                pilotJobs.accepted(job, answer.job());
            }
        } else if (answer.later()) {
            limited(answer.refusal());
            pilotJobs.limited(job);
            job.why = answer.refusal();
        } else {
            pilotJobs.refused(job, answer.refusal());
        }
    }

    /** The batch system's limit on the number of jobs is reached; one message for each limit. */
    private void limited(String refusal) {
        limitUntil = clock.millis() + limitPause;
        endsAtLimit = pilotJobs.ends();
        if (limits.add(refusal)) {
            messages.accept(title + " accepts no more jobs now (" + refusal
                    + "); tasks without a job are merged into fewer jobs, which are submitted when a job of this run ends, or retried"
                    + " every " + TimeText.text(limitPause * 1000));
        }
    }

    /** Whether the batch system has refused a job because of a limit on their number. */
    boolean hasMetLimit() {
        return !limits.isEmpty();
    }

    /** Whether such a limit is probably still reached: none of our jobs has ended since, and a pause has not passed. */
    boolean isLimited(long now) {
        return now < limitUntil && pilotJobs.ends() == endsAtLimit;
    }

    @Override
    public void found(BatchJob job, List<BatchCommands.NamedJob> found) {
        if (job.phase != Phase.REQUESTED) {
            return;
        }
        JobFolder.Starter starter = job.folder.starter();
        if (starter == null && found.isEmpty()) {
            notFound(job);
            return;
        }
        pilotJobs.accepted(
                job, starter != null ? starter.job() : likeliest(found).job());
        messages.accept("job " + job.job + " was identified as pilot job " + job.token);
        cancel.accept(found.stream()
                .filter(each -> each.job() != job.job && !each.state().isFinal())
                .map(BatchCommands.NamedJob::job)
                .toList());
        if (starter != null) {
            pilotJobs.started(job, starter.at());
        }
        job.queryAt = clock.millis();
    }

    /** Of several jobs of one pilot job, the first that has not ended; if all have, the first. */
    static BatchCommands.NamedJob likeliest(List<BatchCommands.NamedJob> found) {
        return found.stream()
                .filter(each -> !each.state().isFinal())
                .findFirst()
                .orElse(found.get(0));
    }

    private void notFound(BatchJob job) {
        boolean started = job.folder.isStarted();
        job.searches++;
        job.holdUntil = clock.millis() + LOST_PAUSE;
        if (job.searches >= (started ? MAX_SEARCHES : 2)) {
            job.searches = 0;
            job.lost = false;
            if (started) {
                pilotJobs.end(job, Event.End.LOST);
            } else if (job.unread) {
                try {
                    // If it starts after all, its script does nothing.
                    job.folder.preventStart();
                    pilotJobs.refused(job, title + " printed no job id, and has no such job");
                } catch (IOException e) {
                    job.lost = true;
                }
            }
        }
    }

    @Override
    public void cancelled(BatchJob job) {
        job.queryAt = clock.millis() + SOON;
    }

    @Override
    public void stateRead(BatchJob job, JobState state, boolean hadStarted) {
        if (!job.isActive()) {
            return;
        }
        boolean requeued = hadStarted && state == JobState.PENDING;
        if (requeued || state.isFinal() || state == JobState.UNLISTED) {
            leftQueue(job, state, requeued);
            return;
        }
        if (state == JobState.RUNNING && job.startedAt < 0) {
            JobFolder.Starter starter = job.folder.starter();
            pilotJobs.started(job, starter == null ? clock.millis() : starter.at());
        }
        // Soon if its end is expected; otherwise when it is missing from the queue again.
        boolean awaited = job.requestedEnd != null || state == JobState.ENDING || !job.ended.isEmpty();
        job.queryAt = awaited ? clock.millis() + QUERY_PAUSE : Long.MAX_VALUE;
    }

    @Override
    public void hosts(BatchJob job, List<String> names) {
        // The first node runs the script, which starts the agents.
        boolean began = job.folder.starter() != null;
        for (int node = 0; node < Math.min(began ? job.request.units() : 1, names.size()); node++) {
            if (!job.connected.get(node)) {
                pilotJobs.silent(job, names.get(node));
            }
        }
    }

    /** Another job with the same token started first; the submitted job has ended, or will end. */
    void replacedBy(BatchJob job, long number) {
        cancel.accept(List.of(job.job));
        pilotJobs.numbered(job, number);
    }

    private void leftQueue(BatchJob job, JobState state, boolean requeued) {
        JobFolder.Starter starter = job.folder.starter();
        if (starter != null && starter.job() != job.job) {
            replacedBy(job, starter.job());
            job.queryAt = clock.millis();
            return;
        }
        if (requeued) {
            messages.accept(
                    "job " + job.job + " was requeued; it counts as preempted, and its tasks run in another job");
            cancel.accept(List.of(job.job));
        }
        if (job.finalState == null && state == JobState.ENDED && starter == null) {
            messages.accept("job " + job.job + " ended before its script began: check that its nodes can write to "
                    + job.folder.folder() + ", and what " + title + " reports");
        }
        if (job.finalState == null) {
            job.finalState = requeued ? JobState.PREEMPTED : state;
            job.finalAt = clock.millis();
        }
    }
}
