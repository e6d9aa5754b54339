package io.sheaf.slurm;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Event;
import io.sheaf.runtime.RunClock;
import io.sheaf.slurm.SlurmJob.Phase;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is made of Slurm's answers.
 *
 * <h2>Submissions that are not answered</h2>
 * The job may be there or not. It is looked for by its name, by its comment and by the mark that it leaves when it starts; only when it is found
 * nowhere, twice, is it submitted again. Should both turn up, the script lets one of them run.
 *
 * <h2>Identity</h2>
 * A job that was requeued is another one: its script finds that it has run, and ends.
 */
final class SlurmAnswers implements JobOrders.Listener {
    /** Between two looks for a submission that was not answered: it may still be on its way. */
    private static final long LOST_PAUSE = 3_000;

    /** So often a job that left a mark, but not its number, is looked for. */
    private static final int MOST_LOOKS = 20;

    private static final long ASK_PAUSE = 2_000;
    private static final long LIMIT_PAUSE = 30_000;
    private static final long SOON = 200;

    private final RunFolder run;
    private final Placeholders placeholders;
    private final RunClock clock;
    private final long limitPause;
    private final Consumer<List<Long>> cancel;
    private final Consumer<String> messages;

    /**
     * Answers about placeholders.
     *
     * @param interval how often the queue is looked at
     * @param cancel cancels jobs that are nobody's
     */
    SlurmAnswers(
            RunFolder run,
            Placeholders placeholders,
            RunClock clock,
            long interval,
            Consumer<List<Long>> cancel,
            Consumer<String> messages) {
        this.run = run;
        this.placeholders = placeholders;
        this.clock = clock;
        this.cancel = cancel;
        this.messages = messages;
        limitPause = Math.min(LIMIT_PAUSE, interval);
    }

    @Override
    public void submitted(SlurmJob job, SlurmControl.Submitted answer) {
        // The job may have told of itself before its number was.
        if (job.phase != Phase.ASKED) {
            return;
        }
        if (!answer.isRefused()) {
            job.lost = answer.job() == SlurmJob.UNKNOWN;
            if (!job.lost) {
                placeholders.accepted(job, answer.job());
            }
        } else if (SlurmControl.isForLimits(answer.refusal())) {
            if (job.why.isEmpty()) {
                messages.accept("Slurm takes no more jobs now (" + answer.refusal() + "); placeholder " + job.token
                        + " is held back and submitted again later");
            }
            job.why = answer.refusal();
            job.holdUntil = clock.millis() + limitPause;
        } else {
            placeholders.refused(job, answer.refusal());
        }
    }

    @Override
    public void found(SlurmJob job, List<SlurmControl.Found> found) {
        if (job.phase != Phase.ASKED) {
            return;
        }
        Marks marks = Marks.of(run, job.token);
        Marks.By by = marks.by();
        if (by == null && found.isEmpty()) {
            notFound(job, marks.isStarted());
            return;
        }
        placeholders.accepted(
                job, by != null ? by.job() : SlurmControl.likeliest(found).job());
        messages.accept("job " + job.job + " was found again as placeholder " + job.token);
        cancel.accept(found.stream()
                .filter(each -> each.job() != job.job && !JobState.isFinal(each.state()))
                .map(SlurmControl.Found::job)
                .toList());
        if (by != null) {
            placeholders.started(job, by.at());
        }
        job.askAt = clock.millis();
    }

    private void notFound(SlurmJob job, boolean started) {
        job.looks++;
        job.holdUntil = clock.millis() + LOST_PAUSE;
        if (job.looks >= (started ? MOST_LOOKS : 2)) {
            job.looks = 0;
            job.lost = false;
            if (started) {
                placeholders.end(job, Event.End.LOST);
            }
        }
    }

    @Override
    public void cancelled(SlurmJob job) {
        job.askAt = clock.millis() + SOON;
    }

    @Override
    public void said(SlurmJob job, String state, boolean hadStarted) {
        if (!job.isThere()) {
            return;
        }
        boolean requeued = hadStarted && JobState.isPending(state);
        if (requeued || JobState.isFinal(state) || state.equals(SlurmControl.GONE)) {
            left(job, state, requeued);
            return;
        }
        if (state.equals("RUNNING") && job.startedAt < 0) {
            Marks.By by = Marks.of(run, job.token).by();
            placeholders.started(job, by == null ? clock.millis() : by.at());
        }
        // Soon if its end is awaited, and otherwise when it is missing from the queue again.
        boolean awaited = job.wanted != null || state.equals("COMPLETING") || !job.gone.isEmpty();
        job.askAt = awaited ? clock.millis() + ASK_PAUSE : Long.MAX_VALUE;
    }

    /** Another job with the same token was the first to start; ours found that, or will. */
    void isBy(SlurmJob job, long number) {
        cancel.accept(List.of(job.job));
        placeholders.numbered(job, number);
    }

    private void left(SlurmJob job, String state, boolean requeued) {
        Marks.By by = Marks.of(run, job.token).by();
        if (by != null && by.job() != job.job) {
            isBy(job, by.job());
            job.askAt = clock.millis();
            return;
        }
        if (requeued) {
            messages.accept("job " + job.job + " was requeued by somebody; it counts as ended");
            cancel.accept(List.of(job.job));
        }
        if (job.finalState.isEmpty()) {
            job.finalState = state;
            job.finalAt = clock.millis();
        }
    }
}
