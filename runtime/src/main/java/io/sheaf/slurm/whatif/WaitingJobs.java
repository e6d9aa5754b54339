package io.sheaf.slurm.whatif;

import io.sheaf.batch.QueueSnapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queued jobs ahead of ours, as requests to a batch engine of our nodes.
 *
 * <p>Jobs that use part of a node share nodes. Similar jobs (nodes, partition, time limit within a factor of two) that
 * fit side by side form one request, with the longest of their limits.
 *
 * <p>Simplifications:
 *
 * <ul>
 *   <li>Licences, alternative features, and generic resources other than GPUs are ignored.
 *   <li>Jobs blocked by a user's limits become eligible when that user's first job ends.
 *   <li>Dependents of hidden jobs, and the tails of very long queues, are excluded.
 * </ul>
 */
final class WaitingJobs {
    /** The maximum number of requests, above Slurm's default for jobs; estimates behind a longer queue are inexact. */
    private static final int MOST = 20_000;

    private final SlurmSnapshot snapshot;
    private final PartitionNodes nodes;
    private final List<NodeTimeRequest> requests = new ArrayList<>();
    private final Map<String, NodeTimeRequest> open = new HashMap<>();
    private final Map<Long, List<NodeTimeRequest>> byJob = new HashMap<>();
    private final Predecessors predecessors;
    private double nodeTime;
    private double unmodelled;

    /** A request for nodes × time, of one job or of several side by side. */
    static final class NodeTimeRequest {
        /** The indices of our nodes that it may use. */
        final BitSet hosts;

        final int units;
        final int rank;
        long limit;
        long memory;
        double filled;
        long notBefore = Long.MIN_VALUE;
        /** The index of the request that must end first; −1 if there is none. */
        int after = -1;

        NodeTimeRequest(BitSet hosts, int units, int rank, long limit, double filled) {
            this.hosts = hosts;
            this.units = units;
            this.rank = rank;
            this.limit = limit;
            this.filled = filled;
        }
    }

    WaitingJobs(SlurmSnapshot snapshot, PartitionNodes nodes, List<SlurmJob> ahead) {
        this.snapshot = snapshot;
        this.nodes = nodes;
        predecessors = new Predecessors(snapshot);
        Map<SlurmJob, List<NodeTimeRequest>> conditional = new LinkedHashMap<>();
        for (SlurmJob job : ahead) {
            List<NodeTimeRequest> made = see(job);
            if (!made.isEmpty() && !job.dependency().isEmpty()) {
                conditional.put(job, made);
            }
        }
        conditional.forEach(this::depend);
    }

    private List<NodeTimeRequest> see(SlurmJob job) {
        PartitionNodes.Eligible eligible = nodes.eligible(job);
        double share = eligible.share();
        if (share == 0) {
            return List.of();
        }
        double time = job.nodeTime(nodes.coresPerNode()) * share;
        if (job.isHeld() || job.nodes() > eligible.size() || isImpossible(job)) {
            return List.of();
        }
        nodeTime += time;
        boolean limited = isLimited(job);
        if (SlurmJob.conjunction(job.features()) == null || hasUncounted(job) || limited) {
            unmodelled += time;
        }
        if (requests.size() > MOST || (limited && predecessors.firstEnd(job.user()) == Long.MAX_VALUE)) {
            unmodelled = limited ? unmodelled : unmodelled + time;
            return List.of();
        }
        List<NodeTimeRequest> made = tasks(job, eligible);
        if (limited) {
            made.forEach(request -> request.notBefore = predecessors.firstEnd(job.user()));
        }
        byJob.computeIfAbsent(job.id(), id -> new ArrayList<>()).addAll(made);
        return made;
    }

    /** One request for each of its tasks. */
    private List<NodeTimeRequest> tasks(SlurmJob job, PartitionNodes.Eligible eligible) {
        List<NodeTimeRequest> made = new ArrayList<>();
        for (int task = 0; task < job.tasks() && requests.size() <= MOST; task++) {
            int units = eligible.oursOf(job.nodes());
            if (units > 0) {
                made.add(request(job, eligible.hosts(), units));
            }
        }
        if (job.tasksAtOnce() < Integer.MAX_VALUE) {
            throttle(job, made);
        }
        return made;
    }

    /** Creates a request, or adds the job to a request of similar jobs. */
    private NodeTimeRequest request(SlurmJob job, BitSet hosts, int units) {
        long limit = limit(job);
        double fill = nodes.fill(job);
        boolean alone =
                fill > 0.5 || !job.dependency().isEmpty() || job.tasksAtOnce() < Integer.MAX_VALUE || isLimited(job);
        String key = job.partitions() + "/" + job.features() + "/" + units + "/" + Long.numberOfLeadingZeros(limit)
                + "/" + begin(job) + "/" + snapshot.memory().gpus().get(job.id());
        NodeTimeRequest shared = alone ? null : open.get(key);
        if (shared != null && shared.filled + fill <= 1) {
            shared.filled += fill;
            shared.limit = Math.max(shared.limit, limit);
            shared.memory = Math.max(shared.memory, snapshot.memory().perNode(job));
            return shared;
        }
        NodeTimeRequest made = new NodeTimeRequest(hosts, units, requests.size(), limit, fill);
        made.memory = snapshot.memory().perNode(job);
        made.notBefore = begin(job);
        requests.add(made);
        if (!alone) {
            open.put(key, made);
        }
        return made;
    }

    private long limit(SlurmJob job) {
        long limit = job.limit() == Limit.UNKNOWN ? nodes.limit() : job.limit();
        return Math.max(1, Math.min(limit, Limit.UNLIMITED / 4));
    }

    private static long begin(SlurmJob job) {
        return job.reason().equals(SlurmJob.BEGIN) && job.start() != Limit.UNKNOWN ? job.start() : Long.MIN_VALUE;
    }

    /** Limits the running tasks of an array: each further task follows the first that ends. */
    private void throttle(SlurmJob job, List<NodeTimeRequest> made) {
        List<Long> ends = predecessors.ends(job.array());
        int free = Math.max(0, job.tasksAtOnce() - ends.size());
        for (int i = free; i < made.size(); i++) {
            int place = i - free;
            if (place < ends.size()) {
                made.get(i).notBefore = Math.max(made.get(i).notBefore, ends.get(place));
            } else {
                made.get(i).after = made.get(place - ends.size()).rank;
            }
        }
    }

    /** Adds the dependencies of a job: running jobs until their limits, or the last of the queued ones. */
    private void depend(SlurmJob job, List<NodeTimeRequest> made) {
        Predecessors.Awaited awaited = predecessors.awaited(job);
        NodeTimeRequest last = null;
        for (long id : awaited.waiting()) {
            for (NodeTimeRequest request : byJob.getOrDefault(id, List.of())) {
                last = last == null || request.rank > last.rank ? request : last;
            }
        }
        boolean unknown = !awaited.isKnown() || (!awaited.waiting().isEmpty() && last == null);
        for (NodeTimeRequest request : made) {
            request.notBefore = unknown ? Long.MAX_VALUE : Math.max(request.notBefore, awaited.end());
            request.after = last == null || last == request ? request.after : last.rank;
        }
        if (unknown) {
            unmodelled +=
                    job.nodeTime(nodes.coresPerNode()) * nodes.eligible(job).share();
        }
    }

    /** Whether it needs licences, or generic resources that are not counted. */
    private boolean hasUncounted(SlurmJob job) {
        boolean counted = snapshot.memory().gpus().containsKey(job.id());
        return !(counted ? SlurmMemory.withoutGpus(job.extras()) : job.extras()).isEmpty();
    }

    /** Whether the end of no job can satisfy its condition. */
    private static boolean isImpossible(SlurmJob job) {
        return job.reason().startsWith("Partition") || job.reason().equals("ReqNodeNotAvail");
    }

    /** Whether a limit of its user, account or QOS blocks it. */
    private static boolean isLimited(SlurmJob job) {
        return job.reason().startsWith("QOS")
                || job.reason().startsWith("Assoc")
                || job.reason().startsWith("MaxJobs");
    }

    /**
     * The requests in the order of their ranks. A request with an unpredictable condition is never eligible.
     *
     * @param first the place of the first one in a snapshot
     */
    List<QueueSnapshot.Job> queued(int first, NodeCells cells) {
        return requests.stream()
                .map(request -> QueueSnapshot.Job.of("", request.units, request.limit, QueueSnapshot.QUEUED)
                        .needing(request.memory)
                        .eligible(request.notBefore, request.after < 0 ? -1 : first + request.after)
                        .in(cells.number(request.hosts)))
                .toList();
    }

    int size() {
        return requests.size();
    }

    /** The different sets of our nodes that the requests may use. */
    Set<BitSet> hosts() {
        Set<BitSet> sets = new LinkedHashSet<>();
        requests.forEach(request -> sets.add(request.hosts));
        return sets;
    }

    /** The ranks of the requests of a job; empty if it does not compete. */
    List<Integer> ranks(long job) {
        return byJob.getOrDefault(job, List.of()).stream()
                .map(request -> request.rank)
                .toList();
    }

    /** Whether some requests cannot be planned yet, because they wait for an instant or another request. */
    boolean hasConditions() {
        return requests.stream().anyMatch(request -> request.after >= 0 || request.notBefore > snapshot.at());
    }

    double unmodelledShare() {
        double lost = snapshot.lost() == 0
                ? 0
                : (double) snapshot.lost() / (snapshot.lost() + snapshot.jobs().size());
        double share = nodeTime == 0 ? 0 : Math.min(1, unmodelled / nodeTime);
        return lost + (1 - lost) * share;
    }
}
