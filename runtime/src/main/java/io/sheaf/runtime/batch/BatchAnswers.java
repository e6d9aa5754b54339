package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.cluster.RunClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is made of a batch system's answers.
 *
 * <h2>Submissions that are not answered</h2>
 * The job may be there or not. It is looked for by its name, by its comment and by the mark that it leaves when it starts; only when it is found
 * nowhere, twice, is it submitted again. Should both turn up, the script lets one of them run. One that was answered without a number, and is found nowhere, is refused: it
 * would be answered so again.
 *
 * <h2>Identity</h2>
 * A job that was requeued is another one: its script finds that it has run, and ends.
 */
final class BatchAnswers implements JobOrders.Listener {
    /** Between two looks for a submission that was not answered: it may still be on its way. */
    private static final long LOST_PAUSE = 3_000;

    /** So often a job that left a mark, but not its number, is looked for. */
    private static final int MOST_LOOKS = 20;

    private static final long ASK_PAUSE = 2_000;
    private static final long LIMIT_PAUSE = 30_000;
    private static final long SOON = 200;

    private final Path marks;
    private final PilotJobs pilotJobs;
    private final RunClock clock;
    private final String title;
    private final long limitPause;
    private final Consumer<List<Long>> cancel;
    private final Consumer<String> messages;

    /**
     * Answers about pilot jobs.
     *
     * @param title what people call the batch system
     * @param interval how often the queue is looked at
     * @param cancel cancels jobs that are nobody's
     */
    BatchAnswers(
            Path marks,
            PilotJobs pilotJobs,
            RunClock clock,
            String title,
            long interval,
            Consumer<List<Long>> cancel,
            Consumer<String> messages) {
        this.marks = marks;
        this.pilotJobs = pilotJobs;
        this.clock = clock;
        this.title = title;
        this.cancel = cancel;
        this.messages = messages;
        limitPause = Math.min(LIMIT_PAUSE, interval);
    }

    @Override
    public void submitted(BatchJob job, BatchCommands.Submitted answer) {
        // The job may have told of itself before its number was.
        if (job.phase != Phase.ASKED) {
            return;
        }
        if (!answer.isRefused()) {
            job.lost = answer.job() == BatchCommands.UNKNOWN;
            job.unread = job.lost;
            if (!job.lost) {
                pilotJobs.accepted(job, answer.job());
            }
        } else if (answer.later()) {
            if (job.why.isEmpty()) {
                messages.accept(title + " takes no more jobs now (" + answer.refusal() + "); pilot job " + job.token
                        + " is held back and submitted again later");
            }
            job.why = answer.refusal();
            job.holdUntil = clock.millis() + limitPause;
        } else {
            pilotJobs.refused(job, answer.refusal());
        }
    }

    @Override
    public void found(BatchJob job, List<BatchCommands.Found> found) {
        if (job.phase != Phase.ASKED) {
            return;
        }
        JobFolder left = JobFolder.of(marks, job.token);
        JobFolder.By by = left.by();
        if (by == null && found.isEmpty()) {
            notFound(job, left);
            return;
        }
        pilotJobs.accepted(job, by != null ? by.job() : likeliest(found).job());
        messages.accept("job " + job.job + " was found again as pilot job " + job.token);
        cancel.accept(found.stream()
                .filter(each -> each.job() != job.job && !each.state().isFinal())
                .map(BatchCommands.Found::job)
                .toList());
        if (by != null) {
            pilotJobs.started(job, by.at());
        }
        job.askAt = clock.millis();
    }

    /** Of several jobs of one pilot job, the first that is not over; of those that all are, the first. */
    static BatchCommands.Found likeliest(List<BatchCommands.Found> found) {
        for (BatchCommands.Found each : found) {
            if (!each.state().isFinal()) {
                return each;
            }
        }
        return found.get(0);
    }

    private void notFound(BatchJob job, JobFolder left) {
        boolean started = left.isStarted();
        job.looks++;
        job.holdUntil = clock.millis() + LOST_PAUSE;
        if (job.looks >= (started ? MOST_LOOKS : 2)) {
            job.looks = 0;
            job.lost = false;
            if (started) {
                pilotJobs.end(job, Event.End.LOST);
            } else if (job.unread) {
                refuseUnread(job, left);
            }
        }
    }

    private void refuseUnread(BatchJob job, JobFolder left) {
        try {
            // Should it turn up after all, it does nothing.
            left.over();
            pilotJobs.refused(job, title + " printed no number for it, and has no such job");
        } catch (IOException e) {
            job.lost = true;
        }
    }

    @Override
    public void cancelled(BatchJob job) {
        job.askAt = clock.millis() + SOON;
    }

    @Override
    public void said(BatchJob job, JobState state, boolean hadStarted) {
        if (!job.isThere()) {
            return;
        }
        boolean requeued = hadStarted && state == JobState.PENDING;
        if (requeued || state.isFinal() || state == JobState.GONE) {
            left(job, state, requeued);
            return;
        }
        if (state == JobState.RUNNING && job.startedAt < 0) {
            JobFolder.By by = JobFolder.of(marks, job.token).by();
            pilotJobs.started(job, by == null ? clock.millis() : by.at());
        }
        // Soon if its end is awaited, and otherwise when it is missing from the queue again.
        boolean awaited = job.wanted != null || state == JobState.ENDING || !job.gone.isEmpty();
        job.askAt = awaited ? clock.millis() + ASK_PAUSE : Long.MAX_VALUE;
    }

    /** Another job with the same token was the first to start; ours found that, or will. */
    void isBy(BatchJob job, long number) {
        cancel.accept(List.of(job.job));
        pilotJobs.numbered(job, number);
    }

    private void left(BatchJob job, JobState state, boolean requeued) {
        JobFolder.By by = JobFolder.of(marks, job.token).by();
        if (by != null && by.job() != job.job) {
            isBy(job, by.job());
            job.askAt = clock.millis();
            return;
        }
        if (requeued) {
            messages.accept("job " + job.job + " was requeued by somebody; it counts as ended");
            cancel.accept(List.of(job.job));
        }
        if (job.finalState == null && state == JobState.ENDED && by == null) {
            messages.accept("job " + job.job + " ended before its script began: see whether its nodes can write to "
                    + JobFolder.of(marks, job.token).folder() + ", and what " + title + " says of it");
        }
        if (job.finalState == null) {
            job.finalState = state;
            job.finalAt = clock.millis();
        }
    }
}
