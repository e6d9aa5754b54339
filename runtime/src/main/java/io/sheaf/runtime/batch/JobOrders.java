package io.sheaf.runtime.batch;

import io.sheaf.manager.Request;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Orders to a batch system about single jobs, one at a time for each: given when everything is durable that led to them, carried out beside the event
 * loop. While it does not answer, a person is told once.
 */
final class JobOrders implements AutoCloseable {
    private static final long AWAY_PAUSE = 3_000;
    private static final long LOST_PAUSE = 1_000;

    /** How often it is tried to cancel all jobs of a run that is gone. */
    private static final int MOST_TRIES = 10;

    /** Hears what came of orders, by the event loop's thread. */
    interface Listener {
        void submitted(BatchJob job, BatchCommands.Submitted answer);

        /** Jobs that carry the name of one whose submission was not answered. */
        void found(BatchJob job, List<BatchCommands.Found> found);

        void cancelled(BatchJob job);

        /**
         * What the batch system says of a job.
         *
         * @param hadStarted whether it was known to have started when it was asked
         */
        void said(BatchJob job, JobState state, boolean hadStarted);
    }

    private final BatchCommands commands;
    private final PilotJobScript run;
    private final RunClock clock;
    private final Consumer<String> messages;
    private final Listener listener;
    private final AsyncCommands errands;
    private final List<Runnable> given = new ArrayList<>();
    private boolean away;

    JobOrders(
            BatchCommands commands,
            PilotJobScript run,
            RunClock clock,
            Runnable wake,
            Consumer<String> messages,
            Listener listener) {
        this.commands = commands;
        this.run = run;
        this.clock = clock;
        this.messages = messages;
        this.listener = listener;
        errands = new AsyncCommands(wake);
    }

    /** Hears what came of orders so far. */
    void drain() {
        errands.drain();
    }

    /** Lets orders go out that were given since the last time; whether there were any. */
    boolean go() {
        List<Runnable> now = new ArrayList<>(given);
        given.clear();
        now.forEach(Runnable::run);
        return !now.isEmpty();
    }

    /** Submits a pilot job that starts in so many seconds at the earliest, and after another job, if that has a number. */
    void submit(BatchJob job, long delaySeconds, long after) {
        Request request = job.request;
        job.granted = job.wantedLimit();
        give(
                job,
                () -> {
                    Path script = folder(job).write(commands.script(run, job.token, request));
                    return commands.submit(run, script, job.token, request, delaySeconds, after);
                },
                answer -> listener.submitted(job, answer),
                () -> {
                    job.lost = true;
                    job.unread = false;
                    job.holdUntil = clock.millis() + LOST_PAUSE;
                });
    }

    /** Looks for a job whose submission may have been made. */
    void find(BatchJob job) {
        give(
                job,
                () -> commands.find(run.name(job.token)),
                found -> listener.found(job, found),
                () -> job.holdUntil = clock.millis() + AWAY_PAUSE);
    }

    void cancel(BatchJob job) {
        give(
                job,
                () -> {
                    // Whatever the batch system does: if it has not started, it will not.
                    folder(job).over();
                    return cancelled(List.of(job.job));
                },
                done -> listener.cancelled(job),
                () -> job.cancelAt = clock.millis() + AWAY_PAUSE);
    }

    /** Lowers the time limit to what the pilot job is to have now. */
    void limit(BatchJob job) {
        long limit = job.wantedLimit();
        give(
                job,
                () -> commands.limit(run, job.job, limit),
                taken -> {
                    job.granted = limit;
                    if (!taken) {
                        messages.accept("job " + job.job + " could not be shortened to " + TimeText.text(limit * 1000));
                    }
                },
                () -> {});
    }

    /** The command by which a person lets a held job go. */
    String letGo(BatchJob job) {
        return commands.letGo(job.job);
    }

    /** Asks how far a job is. */
    void state(BatchJob job) {
        boolean hadStarted = job.startedAt >= 0;
        give(
                job,
                () -> commands.state(job.job, () -> hasBegun(job)),
                state -> listener.said(job, state, hadStarted),
                () -> job.askAt = clock.millis() + AWAY_PAUSE);
    }

    private JobFolder folder(BatchJob job) {
        return JobFolder.of(run.all(), job.token);
    }

    private boolean hasBegun(BatchJob job) {
        JobFolder.By by = folder(job).by();
        return by != null && by.job() == job.job;
    }

    private <T> void give(BatchJob job, AsyncCommands.Errand<T> errand, Consumer<T> then, Runnable otherwise) {
        job.busy = true;
        given.add(() -> errands.order(
                errand,
                answer -> {
                    job.busy = false;
                    isBack();
                    then.accept(answer);
                },
                trouble -> {
                    job.busy = false;
                    otherwise.run();
                    isAway(trouble);
                }));
    }

    /** Looks at the queue, at once and beside all orders. */
    void look(SharedQueue queue, Consumer<SharedQueue.Snapshot> then, Runnable otherwise) {
        errands.look(
                queue::look,
                snapshot -> {
                    isBack();
                    then.accept(snapshot);
                },
                trouble -> {
                    otherwise.run();
                    isAway(trouble);
                });
    }

    /** Cancels jobs that are nobody's any more. */
    void cancel(List<Long> jobs) {
        if (!jobs.isEmpty()) {
            errands.order(() -> cancelled(jobs), done -> {}, this::isAway);
        }
    }

    /** Takes no more orders and cancels all jobs that there may be of these pilot jobs, trying for a while; nothing is written. */
    void abandon(Collection<BatchJob> pilotJobs) throws InterruptedException {
        given.clear();
        errands.close();
        for (int tries = 1; true; tries++) {
            try {
                List<Long> jobs = there(pilotJobs);
                if (!jobs.isEmpty()) {
                    commands.cancel(jobs);
                }
                return;
            } catch (IOException e) {
                isAway(e);
                if (tries == MOST_TRIES) {
                    messages.accept("jobs of the run may be left in the queue of " + commands.title());
                    return;
                }
            }
            Thread.sleep(AWAY_PAUSE);
        }
    }

    /** The numbers of jobs that the batch system may have; it is asked where a submission was not answered. */
    private List<Long> there(Collection<BatchJob> pilotJobs) throws IOException, InterruptedException {
        List<Long> jobs = new ArrayList<>();
        for (BatchJob job : pilotJobs) {
            boolean left = job.phase == BatchJob.Phase.OVER && job.cancelAt != Long.MAX_VALUE;
            if (job.isThere() || left) {
                jobs.add(job.job);
            } else if (job.phase == BatchJob.Phase.ASKED && (job.busy || job.lost)) {
                commands.find(run.name(job.token)).stream()
                        .map(BatchCommands.Found::job)
                        .forEach(jobs::add);
            }
        }
        return jobs;
    }

    private boolean cancelled(List<Long> jobs) throws IOException, InterruptedException {
        commands.cancel(jobs);
        return true;
    }

    private void isAway(IOException trouble) {
        if (!away) {
            away = true;
            messages.accept(commands.title() + " does not answer (" + trouble.getMessage()
                    + "); what runs goes on, and it is asked again until it does");
        }
    }

    private void isBack() {
        if (away) {
            away = false;
            messages.accept(commands.title() + " answers again");
        }
    }

    @Override
    public void close() {
        errands.close();
    }
}
