package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.Geometry;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.predict.SampledEnds;
import io.sheaf.predict.SampledEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.SimulatedQueue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An embedded cluster as a pure state machine: the batch engine, our pilot jobs by token, and the background jobs.
 *
 * <p>It has no clock and does no I/O. The same calls with the same instants give the same state, so a log of them
 * restores it. Background jobs arrive and end at their own instants. All jobs start only in a call of {@link
 * #pass}.
 */
final class ClusterMachine {
    /** The state of a pilot job. */
    enum Phase {
        REFUSED,
        QUEUED,
        RUNNING,
        ENDED
    }

    /** A pilot job that was submitted. */
    static final class MachineJob {
        final long token;
        final int nodes;
        long walltime;
        Phase phase = Phase.QUEUED;
        int handle;
        long submittedAt;
        long startedAt;
        long endedAt;
        Event.End end = Event.End.LOST;

        MachineJob(long token, Request request, long at) {
            this.token = token;
            nodes = request.units();
            walltime = request.walltime();
            submittedAt = at;
        }

        long limit() {
            return startedAt + walltime;
        }
    }

    private final BatchEngine engine;
    private final @Nullable ModelledLoad background;
    private final long base;
    private final Map<Long, MachineJob> jobs = new LinkedHashMap<>();
    private final Map<Integer, MachineJob> byHandle = new HashMap<>();
    /** The indices of background jobs that have not ended, by handle. */
    private final Map<Integer, Integer> backgroundJobs = new HashMap<>();

    /** The same indices: the load may create its jobs again, so they have no identity of their own. */
    private final BitSet unfinished = new BitSet();

    private final InstantHeap backgroundEnds = new InstantHeap();
    private final RequestCorrection correction = new RequestCorrection();
    private int ended;
    private final Submission submission = new Submission();
    private long now;
    private int arrived;

    /** A cluster at the instant at which the run begins, warmed up with background jobs. */
    ClusterMachine(Policy policy, int nodes, @Nullable ModelledLoad background, long base) {
        engine = new BatchEngine(policy, nodes);
        this.background = background;
        this.base = base;
        now = background == null ? base : base + background.beginning();
        while (background != null && Math.min(nextBackgroundEvent(), engine.nextPass()) < base) {
            pass(Math.max(now, Math.min(nextBackgroundEvent(), engine.nextPass())));
        }
    }

    Collection<MachineJob> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    @Nullable
    MachineJob job(long token) {
        return jobs.get(token);
    }

    /** The last instant that it has processed. */
    long now() {
        return now;
    }

    /** A new pilot job, queued or refused. */
    MachineJob submit(long at, long token, Request request) {
        catchUp(at);
        MachineJob job = new MachineJob(token, request, at);
        jobs.put(token, job);
        submission.size(request.units(), request.walltime());
        if (request.notBefore() != Request.AT_ONCE) {
            submission.notBefore(request.notBefore());
        }
        MachineJob before = jobs.get(request.afterToken());
        if (before != null && (before.phase == Phase.QUEUED || before.phase == Phase.RUNNING)) {
            submission.reservingAfter(before.handle);
        }
        job.handle = engine.submit(at, submission);
        if (job.handle < 0) {
            job.phase = Phase.REFUSED;
        } else {
            byHandle.put(job.handle, job);
        }
        return job;
    }

    /** Ends a pilot job, running or queued; records one that was never submitted as ended. */
    void end(long at, long token, Event.End end) {
        catchUp(at);
        MachineJob job = jobs.computeIfAbsent(token, t -> new MachineJob(t, Request.of(1, 1), at));
        if (byHandle.get(job.handle) == job) {
            engine.cancel(job.handle, at);
            byHandle.remove(job.handle);
        }
        job.phase = Phase.ENDED;
        job.endedAt = at;
        job.end = end;
    }

    void shorten(long at, long token, long walltime) {
        catchUp(at);
        MachineJob job = jobs.get(token);
        if (job != null && job.phase == Phase.QUEUED && walltime < job.walltime) {
            engine.shorten(job.handle, walltime, at);
            job.walltime = walltime;
        }
    }

    /** Starts all jobs that can start now; returns those of the run. */
    List<MachineJob> pass(long at) {
        catchUp(at);
        int[] started = new int[engine.queued()];
        int count = engine.pass(at, started);
        List<MachineJob> ownJobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MachineJob job = byHandle.get(started[i]);
            if (job != null) {
                job.phase = Phase.RUNNING;
                job.startedAt = at;
                ownJobs.add(job);
            } else {
                ModelledLoad.LoadJob other = backgroundJob(started[i]);
                backgroundEnds.add(at + (other == null ? 0 : other.run()), started[i], started[i]);
            }
        }
        return ownJobs;
    }

    /** Processes background jobs up to an instant, and returns the last processed instant. */
    long processUntil(long at) {
        catchUp(at);
        return now;
    }

    /** The engine's handle of a queued pilot job; −1 for any other. */
    private int queued(long token) {
        MachineJob job = job(token);
        return job == null || job.phase != Phase.QUEUED ? -1 : job.handle;
    }

    /** The number of background jobs that have ended: the sample of how much of their requests they use. */
    int ended() {
        return ended;
    }

    /**
     * Estimates from the current queue. The requests of one decision are submitted together, so none of them is in
     * the queue when the next is estimated.
     */
    StartEstimator planned() {
        return new EngineEstimator(engine, this::queued, false);
    }

    /** Estimates from a copy of the current queue without some of our pilot jobs. */
    StartEstimator plannedWithout(Set<Long> ending) {
        BatchEngine copy = engine.fork();
        for (long token : ending) {
            MachineJob job = jobs.get(token);
            if (job != null && byHandle.get(job.handle) == job) {
                copy.cancel(job.handle, now);
            }
        }
        return new EngineEstimator(copy, token -> ending.contains(token) ? -1 : queued(token), false);
    }

    /** Estimates from copies of the queue in which background jobs end like those before. */
    StartEstimator sampled(int draws) {
        return new SampledEstimator(new SampledEnds(
                engine,
                this::queued,
                false,
                new SampledEnds.UsedFractions() {
                    @Override
                    public double @Nullable [] parts(int handle, long elapsed) {
                        ModelledLoad.LoadJob other = backgroundJob(handle);
                        return other == null
                                ? null
                                : correction.parts(owner(other), other.nodes(), other.walltime(), elapsed);
                    }

                    @Override
                    public int user(int handle) {
                        ModelledLoad.LoadJob other = backgroundJob(handle);
                        return other == null ? 0 : owner(other);
                    }
                },
                draws,
                new RandomStream(0).split("ends")));
    }

    /** The background job that has not ended and has a handle; null if there is none. */
    private ModelledLoad.@Nullable LoadJob backgroundJob(int handle) {
        Integer index = backgroundJobs.get(handle);
        return index == null || background == null ? null : background.job(index);
    }

    /** Models have no users: jobs with similar requests count as one user's. */
    private static int owner(ModelledLoad.LoadJob job) {
        return Geometry.of(job.nodes(), job.walltime()).hashCode();
    }

    /** A copy of the queue at an instant, for simulation: the arrivals of the last week repeat. */
    SimulatedQueue queue(long at) {
        catchUp(at);
        SimulatedQueue queue = SimulatedQueue.of(engine, now, lastWeek());
        queue.advanceTo(now);
        return queue;
    }

    /**
     * The queue at an instant, with the background jobs so far. It does not include the run times of jobs that have
     * not ended.
     */
    KnownQueue known(long at) {
        catchUp(at);
        JobLog.Builder past = JobLog.builder();
        for (int i = 0; background != null && i < arrived; i++) {
            ModelledLoad.LoadJob job = background.job(i);
            long run = unfinished.get(i) ? job.walltime() : job.run();
            past.add(i, base + job.at(), run, job.walltime(), job.nodes(), owner(job));
        }
        Map<Long, Integer> own = new HashMap<>();
        byHandle.forEach((handle, job) -> own.put(job.token, handle));
        Map<Integer, Integer> jobOf = Map.copyOf(backgroundJobs);
        return new KnownQueue(engine, now, own, past.build(), arrived, handle -> jobOf.getOrDefault(handle, -1));
    }

    /** The length of a background day in milliseconds: shorter if the load is sped up. */
    long day() {
        return background == null ? ModelledLoad.DAY : background.week() / 7;
    }

    /** The queue at an instant, for display. */
    QueueView view(long at) {
        catchUp(at);
        IntToLongFunction tokens = handle -> {
            MachineJob job = byHandle.get(handle);
            return job == null ? QueueSnapshot.OTHERS : job.token;
        };
        return QueueView.of(engine, now, tokens, new EngineEstimator(engine));
    }

    /** The arrivals of the last week, a week later. Jobs that have not ended use their requested walltime. */
    private JobLog lastWeek() {
        JobLog.Builder week = JobLog.builder();
        for (int i = 0; background != null && i < arrived; i++) {
            ModelledLoad.LoadJob job = background.job(i);
            long nextWeek = base + job.at() + background.week();
            if (nextWeek > now) {
                long run = unfinished.get(i) ? job.walltime() : job.run();
                week.add(i, nextWeek, run, job.walltime(), job.nodes(), 0);
            }
        }
        return week.build();
    }

    /** The next instant at which a pass may start a job, or background jobs arrive or end. */
    long nextPass() {
        return Math.min(nextBackgroundEvent(), engine.nextPass());
    }

    private long nextBackgroundEvent() {
        return background == null
                ? BatchEngine.NEVER
                : Math.min(
                        backgroundEnds.first(), base + background.job(arrived).at());
    }

    /** Processes arrivals and ends of background jobs up to an instant. */
    private void catchUp(long at) {
        while (background != null && nextBackgroundEvent() <= at) {
            now = Math.max(now, nextBackgroundEvent());
            if (backgroundEnds.first() <= now) {
                int handle = backgroundEnds.remove();
                Integer index = backgroundJobs.remove(handle);
                if (index != null) {
                    ModelledLoad.LoadJob other = background.job(index);
                    unfinished.clear(index);
                    correction.learn(owner(other), other.nodes(), other.walltime(), other.run());
                    ended++;
                }
                engine.complete(handle, now);
            } else {
                int index = arrived++;
                ModelledLoad.LoadJob other = background.job(index);
                int handle = engine.submit(
                        now, submission.size(other.nodes(), other.walltime()).exempt());
                backgroundJobs.put(handle, index);
                unfinished.set(index);
            }
        }
        now = Math.max(now, at);
    }
}
