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
 * Orders to a batch system about single jobs, one at a time for each job. An order is sent when all its causes are
 * durable, and runs outside the event loop. While the batch system does not answer, the user gets one message.
 */
final class JobOrders implements AutoCloseable {
    private static final long RETRY_PAUSE = 3_000;
    private static final long LOST_PAUSE = 1_000;
    private static final long UNREACHABLE_MEMORY = 120_000;

    /** The maximum number of attempts to cancel all jobs of a removed run. */
    private static final int MAX_TRIES = 10;

    /** Receives the results of orders, in the event loop's thread. */
    interface Listener {
        void submitted(BatchJob job, BatchCommands.Submitted answer);

        /** The jobs with the name of one whose submission has no answer. */
        void found(BatchJob job, List<BatchCommands.NamedJob> found);

        void cancelled(BatchJob job);

        /**
         * The state of a job in the batch system.
         *
         * @param hadStarted whether its start was known when the query was sent
         */
        void stateRead(BatchJob job, JobState state, boolean hadStarted);

        /** The nodes of a job from some of which no agent has connected. */
        void hosts(BatchJob job, List<String> names);
    }

    private final BatchCommands commands;
    private final PilotJobScript run;
    private final RunClock clock;
    private final Consumer<String> messages;
    private final Listener listener;
    private final AsyncCommands operations;
    private final List<Runnable> pending = new ArrayList<>();
    private boolean unreachable;
    private long troubleAt;

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
        operations = new AsyncCommands(wake);
    }

    /** Delivers the results of orders so far. */
    void drain() {
        operations.drain();
    }

    /** Sends the orders since the last call; returns whether there were any. */
    boolean sendPending() {
        List<Runnable> toSend = new ArrayList<>(pending);
        pending.clear();
        toSend.forEach(Runnable::run);
        return !toSend.isEmpty();
    }

    /** Submits a pilot job that starts after a minimum delay, and after another job if that has a number. */
    void submit(BatchJob job, long delaySeconds, long after) {
        Request request = job.request;
        job.granted = job.requestedLimit();
        enqueue(
                job,
                () -> {
                    Path script = job.folder.write(commands.script(run, job.token, request));
                    if (run.files() != null) {
                        run.files().prepare(run.launch().jar());
                        run.files().copy(List.of(script));
                    }
                    return commands.submit(run, script, job.token, request, delaySeconds, after);
                },
                answer -> listener.submitted(job, answer),
                () -> {
                    job.lost = true;
                    job.unread = false;
                    job.holdUntil = clock.millis() + LOST_PAUSE;
                });
    }

    /** Searches for a job whose submission may have succeeded. */
    void find(BatchJob job) {
        enqueue(
                job,
                () -> commands.find(run.name(job.token)),
                found -> listener.found(job, found),
                () -> job.holdUntil = clock.millis() + RETRY_PAUSE);
    }

    void cancel(BatchJob job) {
        enqueue(
                job,
                () -> {
                    // Whether or not the batch system cancels it: if it has not started, it will not run.
                    job.folder.preventStart();
                    copyMark(job);
                    return cancelled(List.of(job.job));
                },
                done -> listener.cancelled(job),
                () -> job.cancelAt = clock.millis() + RETRY_PAUSE);
    }

    /** Copies the mark of a cancelled job to its site, where the job would see it. */
    private void copyMark(BatchJob job) throws InterruptedException {
        if (run.files() != null) {
            try {
                run.files().copy(List.of(job.folder.folder().resolve(JobFolder.ENDED)));
            } catch (IOException e) {
                // If the job starts nevertheless, the manager stops its agents.
            }
        }
    }

    /** Lowers the time limit to the pilot job's current one. */
    void limit(BatchJob job) {
        long limit = job.requestedLimit();
        long number = job.job;
        enqueue(
                job,
                () -> commands.limit(run, number, limit),
                accepted -> {
                    if (job.job == number) {
                        job.granted = limit;
                    }
                    if (!accepted) {
                        messages.accept("job " + number + " could not be shortened to " + TimeText.text(limit * 1000));
                    }
                },
                () -> {});
    }

    /** The command by which a user releases a held job. */
    String releaseCommand(BatchJob job) {
        return commands.releaseCommand(job.job);
    }

    void state(BatchJob job) {
        boolean hadStarted = job.startedAt >= 0;
        long number = job.job;
        enqueue(
                job,
                () -> commands.state(number, () -> {
                    JobFolder.Starter starter = job.folder.starter();
                    return starter != null && starter.job() == number;
                }),
                state -> {
                    if (job.job == number) {
                        listener.stateRead(job, state, hadStarted);
                    } else {
                        // Another job has replaced it meanwhile.
                        job.queryAt = clock.millis();
                    }
                },
                () -> job.queryAt = clock.millis() + RETRY_PAUSE);
    }

    /** Queries the nodes of a job, once. */
    void hosts(BatchJob job) {
        long number = job.job;
        enqueue(
                job,
                () -> commands.hosts(number),
                names -> {
                    if (job.job == number) {
                        listener.hosts(job, names);
                    } else {
                        // Another job has replaced it meanwhile; its nodes are queried if they are silent, too.
                        job.silenceReported = false;
                    }
                },
                () -> {});
    }

    private <T> void enqueue(BatchJob job, AsyncCommands.Operation<T> operation, Consumer<T> then, Runnable otherwise) {
        job.busy = true;
        pending.add(() -> operations.order(
                operation,
                answer -> {
                    job.busy = false;
                    noteAnswer();
                    then.accept(answer);
                },
                trouble -> {
                    job.busy = false;
                    otherwise.run();
                    noteTrouble(trouble);
                }));
    }

    /** Reads the queue at once, in parallel with all orders. */
    void readQueue(SharedQueue queue, Consumer<SharedQueue.Snapshot> then, Runnable otherwise) {
        operations.query(
                queue::snapshot,
                snapshot -> {
                    noteAnswer();
                    then.accept(snapshot);
                },
                trouble -> {
                    otherwise.run();
                    noteTrouble(trouble);
                });
    }

    /** Cancels jobs that belong to no pilot job. */
    void cancel(List<Long> jobs) {
        if (!jobs.isEmpty()) {
            operations.order(() -> cancelled(jobs), done -> {}, this::noteTrouble);
        }
    }

    /** Stops taking orders and cancels all possible jobs of these pilot jobs, with retries; writes nothing. */
    void abandon(Collection<BatchJob> pilotJobs) throws InterruptedException {
        pending.clear();
        operations.close();
        for (int tries = 1; true; tries++) {
            try {
                List<Long> jobs = possibleJobs(pilotJobs);
                if (!jobs.isEmpty()) {
                    commands.cancel(jobs);
                }
                return;
            } catch (IOException e) {
                noteTrouble(e);
                if (tries == MAX_TRIES) {
                    messages.accept("jobs of the run may be left in the queue of " + commands.title());
                    return;
                }
            }
            Thread.sleep(RETRY_PAUSE);
        }
    }

    /** The numbers of jobs that the batch system may have; queries it for submissions without an answer. */
    private List<Long> possibleJobs(Collection<BatchJob> pilotJobs) throws IOException, InterruptedException {
        List<Long> jobs = new ArrayList<>();
        for (BatchJob job : pilotJobs) {
            boolean left = job.phase == BatchJob.Phase.ENDED && job.cancelAt != Long.MAX_VALUE;
            if (job.isActive() || left) {
                jobs.add(job.job);
            } else if (job.phase == BatchJob.Phase.REQUESTED && (job.busy || job.lost)) {
                commands.find(run.name(job.token)).stream()
                        .map(BatchCommands.NamedJob::job)
                        .forEach(jobs::add);
            }
        }
        return jobs;
    }

    private boolean cancelled(List<Long> jobs) throws IOException, InterruptedException {
        commands.cancel(jobs);
        return true;
    }

    /** Whether the last command failed, not long ago: without jobs there is none that could succeed. */
    boolean isUnreachable() {
        return unreachable && clock.millis() - troubleAt < UNREACHABLE_MEMORY;
    }

    private void noteTrouble(IOException trouble) {
        troubleAt = clock.millis();
        if (!unreachable) {
            unreachable = true;
            messages.accept(commands.title() + " does not answer (" + trouble.getMessage()
                    + "); running jobs continue, and Sheaf retries until it answers");
        }
    }

    private void noteAnswer() {
        if (unreachable) {
            unreachable = false;
            messages.accept(commands.title() + " answers again");
        }
    }

    @Override
    public void close() {
        operations.close();
    }
}
