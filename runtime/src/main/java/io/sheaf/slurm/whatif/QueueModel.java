package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * A snapshot of a Slurm cluster, loaded into a batch engine for the nodes of one partition.
 *
 * <h2>Content</h2>
 *
 * <ul>
 *   <li>The nodes of the partition that accept jobs, or those of our reservation, each in use until the last limit of
 *       its jobs. Jobs that ours {@linkplain PartitionTiers preempt} leave at once.
 *   <li>Other users' reservations.
 *   <li>The queued jobs ahead of ours, in Slurm's order: partition priority tier, priority, id. In samples also jobs that
 *       {@linkplain LaterArrivals arrive later} and overtake ours.
 * </ul>
 *
 * <p>A request has the lowest rank, so one simulation answers any number of requests. Jobs behind ours are excluded,
 * since they never delay it.
 *
 * <h2>Backfilling</h2>
 *
 * Slurm plans {@code bf_max_job_test} jobs per pass in order of priority. Here every job runs to its limit and no job
 * arrives, so a single plan of all jobs gives the same starts, faster. The engine simulates forward with that
 * reservation depth if jobs wait for an instant or for each other, or if the queue exceeds the depth. A queue of more
 * than {@value #FEW} requests always uses the single plan, with dependents after their predecessors, since the
 * simulation would take too long.
 *
 * <h2>Memory</h2>
 *
 * Where Slurm counts memory, nodes differ by their memory, and a job that needs more than the smaller ones have waits for
 * larger ones. A job that shares a node fills it by its part of the cores, the memory or the GPUs, whichever is more. Jobs with GPUs wait for nodes that have them.
 *
 * <h2>Overlapping partitions</h2>
 *
 * The engine counts nodes. A job that can also use other nodes counts with our share of its nodes, rounded so that the
 * sum over the queue is right. Where our jobs may use several partitions, each is a pool of the engine, and another user's
 * queued job takes the nodes that it may use ({@link NodeCells}).
 */
final class QueueModel {
    /** The maximum queue length for a forward simulation per query. */
    private static final int FEW = 200;

    /** Slurm's default of {@code bf_max_job_test}. */
    private static final int USUAL_DEPTH = 500;

    /**
     * The nodes that our jobs may use, and their position in the queue.
     *
     * @param partition one, or several separated by commas; empty for the cluster's default
     * @param features the required node features
     * @param priority our priority; jobs of a lower one are behind us
     * @param reservation the reservation in use; empty for none
     * @param pools the pools of which each of our jobs names one; none if all use the same partition
     * @param cores the cores of a node that a job requests; 0 for all of them
     */
    record SubmissionTarget(
            String partition, Set<String> features, long priority, String reservation, Pools pools, int cores) {
        /** Behind all other jobs. */
        static final long LAST = Long.MIN_VALUE;
    }

    private final SlurmSnapshot snapshot;
    private final SubmissionTarget where;
    private final PartitionNodes nodes;
    private final BatchEngine engine;
    private final WaitingJobs waiting;
    /** The engine's handles of our queued jobs, by name. */
    private final Map<String, Integer> own = new HashMap<>();

    private long latest;

    /** Loads a snapshot for a new job of one node with some submission options. */
    QueueModel(SlurmSnapshot snapshot, Submissions submissions) {
        this(snapshot, SnapshotEstimator.where(snapshot, submissions));
    }

    /** Loads a snapshot for one partition, which must have nodes. */
    QueueModel(SlurmSnapshot snapshot, SubmissionTarget requested) {
        this.snapshot = snapshot;
        latest = snapshot.at();
        String partition = requested.partition().isEmpty() ? snapshot.defaultPartition() : requested.partition();
        where = new SubmissionTarget(
                partition,
                requested.features(),
                requested.priority(),
                requested.reservation(),
                requested.pools(),
                requested.cores());
        nodes = new PartitionNodes(snapshot, where);
        if (nodes.size() == 0) {
            throw new InputException(noNodes(partition));
        }
        waiting = new WaitingJobs(snapshot, nodes, ahead());
        NodeCells cells = new NodeCells(where.pools(), nodes, waiting.hosts());
        List<QueueSnapshot.Job> jobs = nodes.running(cells);
        int first = jobs.size();
        jobs.addAll(waiting.queued(first, cells));
        Policy policy = policy().withPools(cells.pools());
        QueueSnapshot.Loaded loaded = new QueueSnapshot(
                        snapshot.at(),
                        new QueueSnapshot.Capacity(
                                nodes.size(),
                                where.pools().count() > 0
                                        ? policy
                                        : policy.withLimits(limits()).withMemory(nodes.memory())),
                        jobs,
                        nodes.reservations(cells))
                .load();
        engine = loaded.engine();
        for (SlurmJob job : snapshot.jobs()) {
            // Of several tasks the last one counts.
            for (int rank : snapshot.isOwn(job) ? waiting.ranks(job.id()) : List.<Integer>of()) {
                if (loaded.handle(first + rank) >= 0) {
                    own.merge(job.name(), loaded.handle(first + rank), Math::max);
                }
            }
        }
    }

    private String noNodes(String partition) {
        List<String> known =
                snapshot.nodes().stream().map(SlurmNodes::partition).distinct().toList();
        if (!known.contains(partition)) {
            return partition.isEmpty()
                    ? "the cluster has no default partition; name one of " + String.join(", ", known)
                    : "there is no partition '" + partition + "'; partitions: " + String.join(", ", known);
        }
        if (!where.reservation().isEmpty()) {
            return "there is no reservation '" + where.reservation() + "' of nodes in partition " + partition
                    + " that can be seen";
        }
        return "partition " + partition + " has no node that takes jobs"
                + (where.features().isEmpty() ? "" : " and has " + String.join(", ", where.features()));
    }

    /** The queued jobs ahead of ours, in Slurm's order. */
    private List<SlurmJob> ahead() {
        // With pools of several tiers, all jobs ahead in one of them count.
        PartitionTiers tiers = snapshot.tiers();
        int ours = tiers.of(where);
        List<SlurmJob> ahead = new ArrayList<>();
        List<SlurmJob> arrivals = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            int tier = tiers.of(job.partitions());
            if (job.isWaiting()
                    && job.reservation().equals(where.reservation())
                    && (tier > ours || (tier == ours && hasPriority(job)))) {
                (job.isArrival() ? arrivals : ahead).add(job);
            }
        }
        // More of them than can be simulated forward are left out, the last ones first.
        arrivals.stream()
                .filter(job -> nodes.eligible(job).share() > 0)
                .sorted(Comparator.comparingLong(SlurmJob::start))
                .limit(Math.max(0, FEW - ahead.size()))
                .forEach(ahead::add);
        ahead.sort(Comparator.comparingInt((SlurmJob job) -> tiers.of(job.partitions()))
                .thenComparingLong(SlurmJob::priority)
                .reversed()
                .thenComparingLong(SlurmJob::id));
        return ahead;
    }

    /** Whether a job of our tier is before ours. One that is submitted later must have a higher priority. */
    private boolean hasPriority(SlurmJob job) {
        return job.isArrival()
                ? where.priority() != SubmissionTarget.LAST && job.priority() > where.priority()
                : job.priority() >= where.priority();
    }

    private Policy policy() {
        int depth = replannedDepth();
        boolean same = depth != Policy.FCFS && waiting.size() <= depth && !waiting.hasConditions();
        return Policy.depth(same ? Policy.CONSERVATIVE : depth);
    }

    /**
     * The reservation depth: the number of jobs that Slurm replans in each pass, or a single plan for a long queue.
     */
    int replannedDepth() {
        if (snapshot.config().getOrDefault("SchedulerType", "").equals("sched/builtin")) {
            return Policy.FCFS;
        }
        return waiting.size() > FEW
                ? Policy.CONSERVATIVE
                : Math.max(1, snapshot.schedulerNumber("bf_max_job_test", USUAL_DEPTH));
    }

    /**
     * Estimates starts with the engine, not earlier than our own limits allow. The start of one of our queued jobs is
     * {@link StartTimes#NEVER} if unknown.
     *
     * @param names the job's name for a token
     */
    void estimate(StartQuery query, LongFunction<String> names, StartTimes answer) {
        long at = Math.max(query.now(), latest);
        latest = at;
        long[] out = answer.begin(query, Basis.SIMULATED);
        if (query.isWithQueued()) {
            int[] handles = new int[query.queued()];
            Arrays.setAll(handles, i -> own.getOrDefault(names.apply(query.token(i)), -1));
            int cancelled =
                    query.cancelled() == StartQuery.NONE ? -1 : own.getOrDefault(names.apply(query.cancelled()), -1);
            engine.expect(at, cancelled, handles, handles.length, query.shapes(), out);
        } else {
            engine.estimate(at, query.shapes(), out);
        }
        for (int i = 0; i < query.jobs(); i++) {
            answer.job(i, allowed(answer.job(i), query.units(i), query.walltime(i), at));
        }
    }

    /** An estimator without tokens for our jobs. */
    StartEstimator estimator() {
        return new StartEstimator() {
            @Override
            public void estimate(StartQuery query, StartTimes answer) {
                QueueModel.this.estimate(query, token -> "", answer);
            }

            @Override
            public Basis basis() {
                return Basis.SIMULATED;
            }
        };
    }

    /** The queue for display. It does not show which jobs are ours: the engine has only used nodes and requests. */
    QueueView view(long now) {
        long at = Math.max(now, latest);
        latest = at;
        return QueueView.of(engine, at, handle -> QueueSnapshot.OTHERS, estimator());
    }

    /** The longest walltime that our jobs may request. */
    long longest() {
        return Math.min(nodes.limit(), snapshot.limits().walltime());
    }

    /** The limits of one job: those of the partition, and of our association and QOS. */
    JobLimits limits() {
        OwnLimits own = snapshot.limits();
        long most = longest();
        boolean limited = most > 0 && most < Limit.UNLIMITED;
        return new JobLimits(Math.max(1, own.nodes(cores())), limited ? most : JobLimits.NONE.walltime())
                .unitTime(Math.max(1, own.nodeTime(cores())));
    }

    /** Refuses limits of our association and QOS that allow no job. */
    void checkLimits() {
        snapshot.limits().check(cores());
    }

    /** The cores of each node that Slurm allocates to our jobs. */
    private int cores() {
        return where.cores() == 0 || nodes.wholeNodes() ? nodes.coresPerNode() : where.cores();
    }

    /** Delays a start on free nodes to what our limits allow. */
    private long allowed(long start, int units, long walltime, long at) {
        boolean never = !limits().allow(units, walltime);
        long from = Math.max(start, allowedFrom(units, walltime, at));
        return never || walltime > nodes.until() - from ? Long.MAX_VALUE : from;
    }

    /** Adds one of our jobs with some memory on each node at the end of the queue. */
    void add(String name, Request request, long memory) {
        if (request.units() <= nodes.size()) {
            Submission job = Submission.of(request.units(), request.walltime())
                    .pool(request.pool())
                    .memory(memory)
                    .exempt();
            own.put(name, engine.submit(latest, job));
        }
    }

    /** When enough of our running jobs have ended for another of this size. */
    private long allowedFrom(int units, long walltime, long at) {
        OwnLimits limits = snapshot.limits();
        if (limits.equals(OwnLimits.NONE)) {
            return at;
        }
        List<SlurmJob> own = snapshot.jobs().stream()
                .filter(job -> snapshot.isOwn(job) && job.isRunning())
                .sorted(Comparator.comparingLong(nodes::releasedAt))
                .toList();
        long used = own.stream().mapToLong(SlurmJob::nodes).sum();
        long usedCores = own.stream().mapToLong(SlurmJob::cores).sum();
        int running = own.size();
        long from = at;
        for (SlurmJob job : own) {
            if (running < limits.running()
                    && used + units <= limits.inUse().nodes()
                    && usedCores + (long) units * cores() <= limits.inUse().cores()
                    && isTimeAllowed(own, units, walltime, from)) {
                break;
            }
            from = Math.max(from, nodes.releasedAt(job));
            running--;
            used -= job.nodes();
            usedCores -= job.cores();
        }
        return from;
    }

    /** Whether the remaining node-time of our running jobs at an instant, and that of another, are within the limit. */
    private boolean isTimeAllowed(List<SlurmJob> own, int units, long walltime, long at) {
        OwnLimits.Tres most = snapshot.limits().runningMinutes();
        long nodeMinutes = units * TimeText.wholeMinutes(walltime);
        long coreMinutes = nodeMinutes * cores();
        for (SlurmJob job : own) {
            long left = TimeText.wholeMinutes(Math.max(0, nodes.releasedAt(job) - at));
            nodeMinutes += job.nodes() * left;
            coreMinutes += job.cores() * left;
        }
        return nodeMinutes <= most.nodes() && coreMinutes <= most.cores();
    }

    /** The state of the cluster, as the model has it. */
    WhatIf.ClusterState clusterState() {
        return new WhatIf.ClusterState(
                where.partition(),
                nodes.size(),
                nodes.allocated(),
                nodes.out(),
                nodes.hidden(),
                waiting.size(),
                unmodelledShare());
    }

    /** What could not be read or parsed, and partitions of our jobs that start none. */
    List<String> problems() {
        List<String> problems = new ArrayList<>(snapshot.problems());
        problems.addAll(notUp());
        return problems;
    }

    /** Our partitions in which Slurm starts no job at present: estimates assume that it does. */
    List<String> notUp() {
        Set<String> partitions = new LinkedHashSet<>(List.of(where.partition().split(",")));
        snapshot.nodes().stream().filter(SlurmNodes::isUp).forEach(group -> partitions.remove(group.partition()));
        return partitions.stream()
                .map(
                        name -> "partition " + name
                                + " is not up: Slurm starts no job there until an administrator changes its state; estimates assume that it is up")
                .toList();
    }

    PartitionNodes nodes() {
        return nodes;
    }

    BatchEngine engine() {
        return engine;
    }

    /**
     * The share of queued node-time on this partition that the model covers only roughly or not at all; NaN if other
     * users' jobs are hidden.
     */
    double unmodelledShare() {
        return snapshot.hidesJobs() ? Double.NaN : waiting.unmodelledShare();
    }
}
