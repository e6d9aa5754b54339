package io.sheaf.runtime.cluster;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.ClusterMachine.MachineJob;
import io.sheaf.runtime.cluster.ClusterMachine.Phase;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.sim.KnownQueue;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A batch system in this process: the batch engine on the run's clock, virtual nodes on this machine, agents as
 * processes.
 *
 * <h2>Durability</h2>
 * All inputs of the scheduler are in a log with their instants; a restart replays them and restores the queue. An
 * input is durable before its results are reported, and before an agent is launched.
 *
 * <h2>Without a manager</h2>
 * No job starts. Running pilot jobs continue, and end when their agents end.
 *
 * <h2>End of a pilot job</h2>
 * The cluster stops it (released, cancelled or expired), or its agents end. Its end is reported and its nodes are
 * free when none of its processes is left.
 */
public final class EmbeddedCluster implements Cluster {
    /**
     * The maximum time before the walltime at which agents end by themselves, in milliseconds. A pilot job that
     * ends then counts as expired.
     */
    private static final long EARLY = 15_000;

    private final ClusterShape shape;
    private final ClusterMachine machine;
    private final ClusterLog log;
    private final Launcher launcher;
    private final RunClock clock;
    private final StartEstimator estimator;
    private final StartEstimator sampledStarts;
    private final Queue<Event> events = new ArrayDeque<>();
    /** Pilot jobs that are being stopped, with the reason. */
    private final Map<Long, Event.End> stopping = new HashMap<>();

    /** Pilot jobs that the manager ends, whether or not their processes are being stopped yet. */
    private final Set<Long> ending = new HashSet<>();

    /** Pilot jobs that the scheduler has started and whose agents are not launched yet. */
    private final Queue<MachineJob> launching = new ArrayDeque<>();

    private boolean passPending;

    /** The cluster of this log, in its last logged state. */
    public EmbeddedCluster(ClusterShape shape, Journal journal, Launcher launcher, RunClock clock) throws IOException {
        this.shape = shape;
        this.launcher = launcher;
        this.clock = clock;
        log = new ClusterLog(journal);
        long begun = log.begun();
        boolean fresh = begun == NEVER;
        long base = fresh ? clock.millis() : begun;
        machine = new ClusterMachine(shape.policy(), shape.nodes(), shape.load(), base);
        estimator = new PlannedQueue();
        sampledStarts = new SampledQueues();
        if (fresh) {
            log.begin(base);
            log.journal().commit();
        } else {
            journal.replay(entry -> ClusterLog.replay(entry, machine));
            passPending = true;
            for (MachineJob job : machine.jobs()) {
                if (job.phase == Phase.RUNNING) {
                    launcher.adopt(job.token, job.nodes);
                }
            }
        }
    }

    @Override
    public WholeWorkflow accept(Workflow workflow, Profile profile, int cap) {
        return WholeWorkflow.tried(machine.queue(now()), workflow, profile, shape.node(), cap);
    }

    @Override
    public void submit(long token, Request request) {
        MachineJob known = machine.job(token);
        if (known != null) {
            report(known);
            return;
        }
        long at = now();
        log.submitted(at, token, request);
        report(machine.submit(at, token, request));
        passPending = true;
    }

    @Override
    public void cancel(long token) {
        stop(token, Event.End.CANCELLED);
    }

    @Override
    public void ending(long token) {
        MachineJob job = machine.job(token);
        if (job != null && job.phase != Phase.ENDED) {
            ending.add(token);
        }
    }

    @Override
    public void release(long token) {
        stop(token, Event.End.RELEASED);
    }

    private void stop(long token, Event.End end) {
        MachineJob job = machine.job(token);
        if (job != null && job.phase == Phase.RUNNING) {
            if (stopping.putIfAbsent(token, end) == null) {
                launcher.stop(token);
            }
        } else if (job == null || job.phase == Phase.QUEUED) {
            end(token, end);
        } else {
            report(job);
        }
    }

    @Override
    public void shorten(long token, long walltime) {
        MachineJob job = machine.job(token);
        if (job != null && job.phase == Phase.QUEUED && walltime < job.walltime) {
            long at = now();
            log.shortened(at, token, walltime);
            machine.shorten(at, token, walltime);
            passPending = true;
        }
    }

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        launcher.reports().forEach(this::handle);
        long next = expire();
        if (passPending || machine.nextPass() <= now()) {
            passPending = false;
            long instant = now();
            log.passed(instant);
            launching.addAll(machine.pass(instant));
        }
        if (!launching.isEmpty() || !events.isEmpty()) {
            log.journal().commit();
        }
        while (!launching.isEmpty()) {
            MachineJob job = launching.remove();
            launcher.launch(job.token, job.nodes, job.walltime);
            events.add(new Event.Started(job.startedAt, job.token, false));
            next = Math.min(next, job.limit());
        }
        while (!events.isEmpty()) {
            to.accept(events.remove());
        }
        return Math.min(next, machine.nextPass());
    }

    private void handle(Launcher.Report report) {
        MachineJob job = machine.job(report.token());
        if (job == null || job.phase != Phase.RUNNING) {
            return;
        }
        if (report instanceof Launcher.Report.AgentEnded endedNode) {
            // If the pilot job is being stopped or expires, all its nodes go.
            if (!stopping.containsKey(endedNode.token()) && now() < job.limit() - EARLY) {
                events.add(new Event.NodeLost(now(), endedNode.token(), endedNode.node()));
            }
        } else {
            Event.End requested = stopping.remove(job.token);
            Event.End end = now() >= job.limit() - EARLY ? Event.End.EXPIRED : Event.End.BROKEN;
            end(job.token, requested == null ? end : requested);
        }
    }

    /** Stops expired pilot jobs; returns when the next one expires. */
    private long expire() {
        long next = NEVER;
        for (MachineJob job : machine.jobs()) {
            if (job.phase != Phase.RUNNING || stopping.containsKey(job.token)) {
                continue;
            }
            if (job.limit() <= now()) {
                stop(job.token, Event.End.EXPIRED);
            } else {
                next = Math.min(next, job.limit());
            }
        }
        return next;
    }

    private void end(long token, Event.End end) {
        long at = now();
        log.ended(at, token, end);
        machine.end(at, token, end);
        ending.remove(token);
        events.add(new Event.Ended(at, token, end));
        passPending = true;
    }

    /** Reports the state of a pilot job again. */
    private void report(MachineJob job) {
        switch (job.phase) {
            case REFUSED ->
                events.add(new Event.Refused(
                        job.submittedAt, job.token, job.nodes + " nodes requested, the cluster has " + shape.nodes()));
            case QUEUED -> events.add(new Event.Accepted(job.submittedAt, job.token));
            case RUNNING -> events.add(new Event.Started(job.startedAt, job.token, false));
            case ENDED -> events.add(new Event.Ended(job.endedAt, job.token, job.end));
        }
    }

    @Override
    public boolean hasJob(long token) {
        return machine.job(token) != null;
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        for (long token : new ArrayList<>(tokens)) {
            MachineJob job = machine.job(token);
            if (job == null) {
                events.add(new Event.Ended(now(), token, Event.End.LOST));
            } else {
                report(job);
            }
        }
    }

    /**
     * Estimates from the current queue, which are exact under conservative backfilling. A query for a past instant
     * is answered for the present one. Pilot jobs that are ending count as ended.
     */
    private class PlannedQueue implements StartEstimator {
        private final StartEstimator planned = machine.planned();
        private final StartQuery present = new StartQuery();

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            long snapshotAt = machine.processUntil(query.now());
            used().estimate(present.copy(query, snapshotAt, 0), answer);
        }

        StartEstimator used() {
            return ending.isEmpty() ? planned : machine.plannedWithout(ending);
        }

        @Override
        public Basis basis() {
            return used().basis();
        }
    }

    /** The median over sampled queues, once enough background jobs have ended; until then the current queue. */
    private final class SampledQueues extends PlannedQueue {
        private static final int DRAWS = 15;
        private static final int MIN_DRAWS = 20;

        private final StartEstimator sampled = machine.sampled(DRAWS);

        @Override
        StartEstimator used() {
            return machine.ended() >= MIN_DRAWS ? sampled : super.used();
        }
    }

    private long now() {
        return Math.max(machine.now(), clock.millis());
    }

    @Override
    public KnownQueue known() {
        return machine.known(now());
    }

    @Override
    public StartEstimator estimator() {
        return estimator;
    }

    @Override
    public StartEstimator sampledStarts() {
        return sampledStarts;
    }

    @Override
    public long reserve() {
        return launcher.reserve();
    }

    @Override
    public void close() {}
}
