package io.sheaf.slurm.whatif;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A snapshot of a Slurm cluster, loaded into a batch engine: it answers for the nodes of one partition.
 *
 * <h2>What is in it</h2>
 * The nodes of the partition that take jobs, or those of a reservation of ours, each until the last limit of the jobs on it; others' reservations; the waiting jobs that stand before ours, in
 * the order in which Slurm considers them (priority tier of the partition, priority, number). The engine knows them by their rank only, so a request
 * is the last to be considered and one run answers for any number of requests. Jobs behind ours are left out: they may
 * start before it, but never where they would delay it.
 *
 * <h2>Backfilling</h2>
 * Slurm plans {@code bf_max_job_test} jobs at each pass, from the beginning, in order of priority. As nothing ends before its limit here and nothing arrives, a
 * standing plan gives the same starts if all jobs are planned; it is taken then, since it answers faster. With jobs that wait for an
 * instant or for one another, or with more jobs than are planned, the engine runs forward with that reservation depth. A queue
 * of more than {@value #FEW} requests always has a standing plan, with dependents planned after their predecessors: to run it forward takes too long.
 *
 * <h2>Partitions that overlap</h2>
 * The engine counts nodes. A job that may get nodes of which only some are ours counts here with that share of its nodes, rounded so that
 * the sum over the queue is right.
 */
final class QueueModel {
    /** How long a queue may be that is run forward for each question. */
    private static final int FEW = 200;

    /** Slurm's own default of bf_max_job_test. */
    private static final int USUAL_DEPTH = 500;

    private final SlurmSnapshot snapshot;
    private final QueuePlace where;
    private final PartitionNodes nodes;
    private final BatchEngine engine;
    private final WaitingJobs waiting;
    /** The engine's handles of our own waiting jobs, by their names. */
    private final Map<String, Integer> own = new HashMap<>();

    private long latest;

    /** Loads a snapshot for one partition, which must have nodes. */
    QueueModel(SlurmSnapshot snapshot, QueuePlace asked) {
        this.snapshot = snapshot;
        latest = snapshot.at();
        String partition = asked.partition().isEmpty() ? snapshot.defaultPartition() : asked.partition();
        where = new QueuePlace(partition, asked.features(), asked.priority(), asked.reservation());
        nodes = new PartitionNodes(snapshot, where);
        if (nodes.size() == 0) {
            throw new InputException(noNodes(partition));
        }
        waiting = new WaitingJobs(snapshot, nodes, ahead());
        List<QueueSnapshot.Job> jobs = nodes.running();
        int first = jobs.size();
        jobs.addAll(waiting.queued(first));
        QueueSnapshot.Loaded loaded = new QueueSnapshot(
                        snapshot.at(), new QueueSnapshot.Pool(nodes.size(), policy()), jobs, nodes.reservations())
                .load();
        engine = loaded.engine();
        for (SlurmJob job : snapshot.jobs()) {
            // Of several tasks the last one counts.
            for (int rank : job.user().equals(snapshot.user()) ? waiting.ranks(job.id()) : List.<Integer>of()) {
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
                    : "there is no partition '" + partition + "'; there are " + String.join(", ", known);
        }
        if (!where.reservation().isEmpty()) {
            return "there is no reservation '" + where.reservation() + "' of nodes in partition " + partition
                    + " that can be seen";
        }
        return "partition " + partition + " has no node that takes jobs"
                + (where.features().isEmpty() ? "" : " and has " + String.join(", ", where.features()));
    }

    /** The waiting jobs before ours, in the order in which they are considered. */
    private List<SlurmJob> ahead() {
        int ours = tier(List.of(where.partition().split(",")));
        List<SlurmJob> ahead = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            int tier = tier(job.partitions());
            if (job.state() == SlurmJob.State.WAITING
                    && job.reservation().equals(where.reservation())
                    && (tier > ours || (tier == ours && job.priority() >= where.priority()))) {
                ahead.add(job);
            }
        }
        ahead.sort(Comparator.comparingInt((SlurmJob job) -> tier(job.partitions()))
                .thenComparingLong(SlurmJob::priority)
                .reversed()
                .thenComparingLong(SlurmJob::id));
        return ahead;
    }

    private int tier(List<String> partitions) {
        return partitions.stream()
                .mapToInt(partition -> snapshot.tiers().getOrDefault(partition, 1))
                .max()
                .orElse(1);
    }

    private Policy policy() {
        if (snapshot.config().getOrDefault("SchedulerType", "").equals("sched/builtin")) {
            return Policy.fcfs();
        }
        int depth = Math.max(1, snapshot.schedulerNumber("bf_max_job_test", USUAL_DEPTH));
        boolean same = waiting.size() <= depth && !waiting.hasConditions();
        return same || waiting.size() > FEW ? Policy.conservative() : Policy.depth(depth);
    }

    /** How many jobs Slurm plans anew in each pass; a queue that is too long for that has a standing plan here. */
    int replannedDepth() {
        if (snapshot.config().getOrDefault("SchedulerType", "").equals("sched/builtin")) {
            return Policy.FCFS;
        }
        return waiting.size() > FEW
                ? Policy.CONSERVATIVE
                : Math.max(1, snapshot.schedulerNumber("bf_max_job_test", USUAL_DEPTH));
    }

    /**
     * Estimates starts by the engine; never before what our own limits allow. A start of a queued job of ours is {@link StartTimes#NEVER} where it is not known.
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
            engine.expect(at, cancelled, handles, handles.length, query.units(), query.walltimes(), query.jobs(), out);
        } else {
            engine.estimate(at, query.units(), query.walltimes(), query.jobs(), out);
        }
        for (int i = 0; i < query.jobs(); i++) {
            answer.job(i, allowed(answer.job(i), query.units(i), query.walltime(i), at));
        }
    }

    /** An estimator that knows no job of ours by a token. */
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

    /** The queue for people. Which jobs are ours is not known: the engine has nodes that are taken, and requests. */
    QueueView view(long now) {
        long at = Math.max(now, latest);
        latest = at;
        return new QueueView(engine, at, handle -> QueueSnapshot.OTHERS, estimator());
    }

    /** The longest walltime that a job of ours may ask for. */
    long longest() {
        return Math.min(nodes.limit(), snapshot.limits().walltime());
    }

    /** A start that nodes would allow, as our limits allow it. */
    private long allowed(long start, int units, long walltime, long at) {
        OwnLimits limits = snapshot.limits();
        boolean never = walltime > longest() || units > Math.min(limits.nodes(), limits.widest());
        long from = Math.max(start, allowedFrom(units, at));
        return never || walltime > nodes.until() - from ? Long.MAX_VALUE : from;
    }

    /** One more job of ours behind the others. */
    void add(String name, int units, long walltime) {
        if (units <= nodes.size()) {
            own.put(name, engine.submit(latest, Submission.of(units, walltime)));
        }
    }

    /** When so many of our own running jobs are over that one more of this size may run. */
    private long allowedFrom(int units, long at) {
        OwnLimits limits = snapshot.limits();
        if (limits.areNone()) {
            return at;
        }
        List<SlurmJob> own = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            if (job.user().equals(snapshot.user()) && job.state() == SlurmJob.State.RUNNING) {
                own.add(job);
            }
        }
        own.sort(Comparator.comparingLong(SlurmJob::end));
        long used = own.stream().mapToLong(SlurmJob::nodes).sum();
        int running = own.size();
        long from = at;
        for (SlurmJob job : own) {
            if (running < limits.running() && used + units <= limits.nodes()) {
                break;
            }
            from = Math.max(from, job.end());
            running--;
            used -= job.nodes();
        }
        return from;
    }

    String partition() {
        return where.partition();
    }

    PartitionNodes nodes() {
        return nodes;
    }

    BatchEngine engine() {
        return engine;
    }

    /** Lines of the queue that stand before ours. */
    int queued() {
        return waiting.size();
    }

    /**
     * The share of the node-time that waiting jobs ask for, of this partition's nodes, that the model knows only roughly or not at all; not a number
     * where others' jobs are hidden, so that nobody can tell.
     */
    double unmodelledShare() {
        return snapshot.hidesJobs() ? Double.NaN : waiting.unmodelledShare();
    }
}
