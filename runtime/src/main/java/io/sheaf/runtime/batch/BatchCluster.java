package io.sheaf.runtime.batch;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.FileStaging;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of a batch system that is driven by commands: pilot jobs are its jobs, and agents run in them.
 *
 * <h2>Sources of events</h2>
 * Agents report the start of a job when they connect and its end when they leave. Periodic snapshots of the queue
 * cover what agents cannot report. The state of a job that is missing from the queue is queried separately.
 *
 * <h2>Durability</h2>
 * The log has the job number and state of each pilot job ({@link PilotJobs}). An order is sent when all its causes
 * are durable.
 */
public final class BatchCluster implements Cluster {
    private static final long SECOND = 1_000;

    /** The time until a released job whose agents do not end is cancelled, in milliseconds. */
    private static final long RELEASE_TIMEOUT = 20_000;

    /** The time after which a node without a connection is reported, in milliseconds. */
    private static final long CONNECT_TIMEOUT = 120_000;

    private static final long MARKS_PAUSE = 2_000;
    private static final long CANCEL_PAUSE = 60_000;
    private static final long SOON = 200;

    private final @Nullable FileStaging files;
    private final String title;
    private final RunSpec spec;
    private final Agents link;
    private final RunClock clock;
    private final QueueForecast forecast;
    private final ForecastWatch forecastWatch;
    private final Consumer<String> messages;
    private final JobOrders orders;
    private final Ends ends;
    private final PilotJobs jobs;
    private final BatchAnswers answers;
    private final QueueWatch watch;

    /** The pilot jobs of a run, in the state that the log of its previous process has. */
    public BatchCluster(
            RunSpec spec,
            BatchCommands commands,
            PilotJobScript run,
            SharedQueue queue,
            ClusterAccess.Context context,
            QueueForecast forecast)
            throws IOException {
        files = run.files();
        title = commands.title();
        this.spec = spec;
        link = context.link();
        clock = context.clock();
        this.forecast = forecast;
        messages = context.messages();
        forecastWatch = new ForecastWatch(forecast, title, messages);
        jobs = new PilotJobs(new BatchLog(context.log(), run.all(), commands::granted), clock);
        answers = new BatchAnswers(jobs, clock, title, queue.interval(), this::cancel, messages);
        orders = new JobOrders(commands, run, clock, context.wake(), messages, answers);
        ends = new Ends(link, clock.millis());
        watch = new QueueWatch(queue, jobs, orders, clock, messages);
        for (BatchJob job : jobs.all()) {
            if (job.requestedEnd != null && !job.isFinished()) {
                job.cancelAt = clock.millis();
            }
        }
    }

    private void cancel(List<Long> numbers) {
        orders.cancel(numbers);
    }

    // --- commands ---

    @Override
    public void submit(long token, Request request) {
        forecast.submitting(token, request);
        BatchJob known = jobs.get(token);
        if (known != null) {
            jobs.report(known);
            return;
        }
        BatchJob job = jobs.add(token, request);
        if (request.units() > spec.nodes()) {
            jobs.refused(job, request.units() + " nodes requested, there are " + spec.nodes());
        }
    }

    @Override
    public void cancel(long token) {
        BatchJob job = jobs.get(token);
        if (job == null) {
            job = jobs.add(token, Request.of(1, 1));
        }
        if (job.isFinished()) {
            jobs.report(job);
        } else {
            requestEnd(job, Event.End.CANCELLED, clock.millis());
        }
    }

    @Override
    public void release(long token) {
        BatchJob job = jobs.get(token);
        if (job == null || job.isFinished()) {
            cancel(token);
        } else {
            boolean runs = job.phase == Phase.RUNNING;
            requestEnd(job, Event.End.RELEASED, clock.millis() + (runs ? RELEASE_TIMEOUT : 0));
        }
    }

    private void requestEnd(BatchJob job, Event.End end, long cancelAt) {
        jobs.requestEnd(job, end);
        job.cancelAt = Math.min(job.cancelAt, cancelAt);
        ends.stopAgents(job);
    }

    @Override
    public void shorten(long token, long walltime) {
        BatchJob job = jobs.get(token);
        boolean queued = job != null && (job.phase == Phase.REQUESTED || job.phase == Phase.QUEUED);
        if (job != null && queued && walltime < job.request.walltime()) {
            jobs.shorten(job, walltime);
        }
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        forecast.reconcile(tokens);
        for (long token : tokens) {
            BatchJob job = jobs.get(token);
            if (job == null) {
                jobs.unknown(token);
            } else {
                jobs.report(job);
            }
        }
    }

    @Override
    public boolean hasJob(long token) {
        return jobs.get(token) != null;
    }

    @Override
    public boolean isAnswering() {
        return !orders.isUnreachable();
    }

    @Override
    public void endCancelled() {
        for (BatchJob job : jobs.all()) {
            boolean waits = job.phase == Phase.QUEUED || job.phase == Phase.REQUESTED;
            if (waits && job.requestedEnd != null && !job.folder.isStarted()) {
                try {
                    job.folder.preventStart();
                    jobs.end(job, job.requestedEnd);
                } catch (IOException e) {
                    // The next turn tries again.
                    return;
                }
            }
        }
    }

    // --- agents ---

    @Override
    public void received(AgentId agent, Message message) {
        BatchJob job = jobs.get(agent.token());
        if (job == null || job.isFinished()) {
            return;
        }
        if (message instanceof Message.Hello) {
            connected(job, agent);
        } else if (message instanceof Message.Bye) {
            agentEnded(job, agent.node());
        }
    }

    private void connected(BatchJob job, AgentId agent) {
        job.connected.set(agent.node());
        if (job.startedAt < 0) {
            JobFolder.Starter starter = job.folder.starter();
            if (job.phase == Phase.REQUESTED && starter != null) {
                jobs.accepted(job, starter.job());
            }
            if (starter != null && starter.job() != job.job) {
                answers.replacedBy(job, starter.job());
            }
            if (job.phase != Phase.REQUESTED) {
                jobs.started(job, starter == null ? clock.millis() : starter.at());
            }
        }
        if (!job.grantRead && job.startedAt >= 0) {
            job.grantRead = true;
            JobFolder.Grant grant = job.folder.grant();
            if (grant != null) {
                jobs.granted(job, grant);
            }
        }
        if (job.requestedEnd != null) {
            ends.stopAgents(job);
        } else if (job.startedAt >= 0) {
            // The agent does not know a limit that was changed while the job was queued.
            link.send(agent, new Message.Remaining(Math.max(1, job.limit() - clock.millis())));
        }
    }

    /** The agent of a node has ended, with all its processes. */
    private void agentEnded(BatchJob job, int node) {
        if (!job.ended.get(node)) {
            job.ended.set(node);
            if (job.requestedEnd == null && job.finalState == null && !Ends.isNearLimit(job, clock.millis())) {
                job.suspicious = true;
                jobs.lost(job, node);
            }
        }
    }

    // --- turns ---

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        forecast.turn(at);
        forecastWatch.turn(at);
        orders.drain();
        for (BatchJob job : jobs.all()) {
            step(job);
        }
        watch.poll();
        if (files != null) {
            files.turn(at, jobs.all().stream().anyMatch(BatchJob::isActive));
            files.placed(at).forEach(to);
        }
        jobs.commit();
        boolean busy = orders.sendPending();
        jobs.drainTo(event -> {
            forecast.happened(event);
            to.accept(event);
        });
        forecast.learnt().forEach(to);
        link.flush();
        return busy ? clock.millis() + SOON : NEVER;
    }

    private void step(BatchJob job) {
        long now = clock.millis();
        if (job.phase == Phase.REQUESTED && !job.busy && now >= job.holdUntil) {
            if (job.lost) {
                orders.find(job);
            } else if (job.requestedEnd != null) {
                jobs.end(job, job.requestedEnd);
            } else if (maySubmit(job)) {
                send(job);
            }
        } else if (job.isActive()) {
            watch(job, now);
        } else if (job.phase == Phase.ENDED && job.cancelAt <= now && !job.busy && jobs.removeLeft(job)) {
            orders.cancel(job);
        }
    }

    private void watch(BatchJob job, long now) {
        if (job.phase == Phase.RUNNING && now >= job.readMarksAt) {
            job.readMarksAt = now + MARKS_PAUSE;
            for (int node = 0; node < job.request.units(); node++) {
                if (!job.ended.get(node) && job.folder.isNodeEnded(node)) {
                    agentEnded(job, node);
                }
            }
        }
        if (ends.hasEnded(job, now)) {
            if (job.startedAt < 0 && job.never) {
                jobs.refused(job, title + " would never start it: " + job.why);
            } else {
                jobs.end(job, ends.end(job, now));
                reportSilence(job, now);
            }
        } else if (!job.busy) {
            attend(job, now);
        }
    }

    /** Queries the nodes of a job if some agents have not connected in time, or none has and the job ended by itself; the user is informed of them. */
    private void reportSilence(BatchJob job, long now) {
        boolean late = job.startedAt >= 0 && now - job.startedAt >= CONNECT_TIMEOUT;
        boolean ended = job.suspicious
                || (job.requestedEnd == null && (job.end == Event.End.BROKEN || job.end == Event.End.LOST));
        boolean noneConnected = job.connected.isEmpty();
        boolean incomplete = job.connected.cardinality() < job.request.units();
        if (!job.silenceReported
                && !job.busy
                && (job.isFinished() ? noneConnected && (late || ended) : late && incomplete && !noneConnected)) {
            job.silenceReported = true;
            orders.hosts(job);
        }
    }

    private void attend(BatchJob job, long now) {
        if (job.cancelAt <= now) {
            job.cancelAt = now + CANCEL_PAUSE;
            orders.cancel(job);
        } else if (job.phase == Phase.QUEUED && job.granted > job.requestedLimit()) {
            orders.limit(job);
        } else if (job.queryAt <= now) {
            job.queryAt = Long.MAX_VALUE;
            orders.state(job);
        } else if (job.phase == Phase.RUNNING) {
            reportSilence(job, now);
        }
    }

    // --- operations ---

    /**
     * Whether a pilot job may be submitted now: the job limit allows it, and the submission of its predecessor has
     * a result.
     */
    private boolean maySubmit(BatchJob job) {
        BatchJob predecessor = jobs.get(job.request.afterToken());
        if ((predecessor != null && predecessor.phase == Phase.REQUESTED) || answers.isLimited(clock.millis())) {
            return false;
        }
        if (answers.hasMetLimit() && jobs.all().stream().anyMatch(each -> each.phase == Phase.REQUESTED && each.busy)) {
            // One by one: the next one may be refused.
            return false;
        }
        long activeJobs =
                jobs.all().stream().filter(each -> each.isActive() || each.busy).count();
        return activeJobs == 0 || watch.isBelow(spec.cap(), activeJobs);
    }

    private void send(BatchJob job) {
        BatchJob predecessor = jobs.get(job.request.afterToken());
        long after = predecessor != null && predecessor.isActive() ? predecessor.job : BatchCommands.UNKNOWN;
        orders.submit(job, delaySeconds(job.request.notBefore(), clock.millis()), after);
    }

    /**
     * The delay until a job may start, in seconds. Batch systems count in whole seconds from the second that has
     * begun.
     */
    static long delaySeconds(long notBefore, long now) {
        if (notBefore == Request.AT_ONCE) {
            return 0;
        }
        long first = -Math.floorDiv(-notBefore, SECOND);
        return Math.max(0, first - Math.floorDiv(now, SECOND));
    }

    @Override
    public @Nullable FileStaging files(long token) {
        return hasJob(token) ? files : null;
    }

    @Override
    public StartEstimator estimator() {
        return forecast.estimator();
    }

    @Override
    public @Nullable KnownQueue known() {
        return forecast.known();
    }

    @Override
    public long longest() {
        return forecast.longest();
    }

    @Override
    public void abandon() throws InterruptedException {
        orders.abandon(jobs.all());
    }

    /** Lets running jobs continue. Cancels jobs whose pilot job has ended and that the batch system may still have. */
    @Override
    public void close() {
        orders.cancel(jobs.leftInQueue().stream().map(job -> job.job).toList());
        orders.close();
        forecast.close();
        if (files != null) {
            String copied = files.summary();
            if (!copied.isEmpty()) {
                messages.accept(copied);
            }
            files.close();
        }
    }
}
