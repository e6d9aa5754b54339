package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pool;
import io.sheaf.batch.PoolMemory;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes of our jobs' partitions, with the times at which each is in use.
 *
 * <p>A node is free from the end of its last job, of any partition, until its next reservation. Nodes that accept no
 * jobs are excluded.
 */
final class PartitionNodes {
    /** The cleanup time of a node after a job that is due to end or has just ended, in milliseconds. */
    private static final long CLEANING = 30_000;

    private final SlurmSnapshot snapshot;
    private final Map<String, Long> busyUntil = new LinkedHashMap<>();
    private final Map<Long, Map<Long, List<String>>> reserved = new TreeMap<>();
    private final Map<String, Integer> indices = new HashMap<>();

    private final Map<String, Set<String>> usable = new HashMap<>();
    private final Map<String, Set<String>> features = new HashMap<>();
    private final Map<String, Eligible> eligibles = new HashMap<>();
    private final Map<Resources, Double> gpuFill = new HashMap<>();
    private int coresPerNode;
    private boolean wholeNodes;
    private long limit;
    private int out;
    private int hidden;

    /** The name of the reservation that our jobs use; empty for none. */
    private String own = "";

    private long from;
    private long until = Long.MAX_VALUE;

    PartitionNodes(SlurmSnapshot snapshot, QueueModel.SubmissionTarget where) {
        this.snapshot = snapshot;
        Set<String> partitions = Set.copyOf(List.of(where.partition().split(",")));
        wholeNodes = snapshot.config().getOrDefault("SelectType", "").equals("select/linear");
        for (SlurmNodes nodes : snapshot.nodes()) {
            if (nodes.use() != SlurmNodes.Use.OUT) {
                usable.computeIfAbsent(nodes.partition(), p -> new HashSet<>()).addAll(nodes.hosts());
                nodes.hosts().forEach(host -> features.put(host, nodes.features()));
            }
            if (partitions.contains(nodes.partition()) && nodes.features().containsAll(where.features())) {
                add(nodes);
            }
        }
        addOwnReservation(where.reservation());
        // sinfo groups nodes by state; Slurm allocates those of equal weight in the order of their names.
        busyUntil.keySet().stream().sorted(HostList.ORDER).forEach(host -> indices.put(host, indices.size()));
        addJobs(snapshot.tiers().of(where));
        addHiddenJobs();
        addReservations();
    }

    private void add(SlurmNodes nodes) {
        limit = Math.max(limit, nodes.limit());
        wholeNodes |= nodes.wholeNodes();
        if (nodes.use() == SlurmNodes.Use.OUT) {
            out += nodes.hosts().size();
            return;
        }
        coresPerNode = Math.max(coresPerNode, nodes.cores());
        nodes.hosts().forEach(host -> busyUntil.putIfAbsent(host, 0L));
    }

    private void addJobs(int tier) {
        for (SlurmJob job : snapshot.jobs()) {
            long left = snapshot.tiers().untilPreempted(job, tier);
            long end = Math.min(releasedAt(job), left == Long.MAX_VALUE ? left : snapshot.at() + left);
            for (String host : job.hosts()) {
                busyUntil.computeIfPresent(host, (name, until) -> Math.max(until, end));
            }
        }
    }

    /** When a running job releases its nodes; far in the future if it has no limit. */
    long releasedAt(SlurmJob job) {
        return switch (job.state()) {
            case RUNNING ->
                job.end() == Limit.UNKNOWN
                        ? snapshot.at() + Limit.UNLIMITED / 2
                        : job.end() > snapshot.at() ? job.end() : snapshot.at() + CLEANING;
            case COMPLETING -> snapshot.at() + CLEANING;
            case WAITING, ENDED -> 0;
        };
    }

    /** Marks nodes that are in use although no visible job runs on them. */
    private void addHiddenJobs() {
        Set<String> unseen = new LinkedHashSet<>();
        for (SlurmNodes nodes : snapshot.nodes()) {
            for (String host : nodes.use() == SlurmNodes.Use.ALLOCATED ? nodes.hosts() : List.<String>of()) {
                if (busyUntil.getOrDefault(host, 1L) == 0L) {
                    unseen.add(host);
                }
            }
        }
        if (!snapshot.hidesJobs()) {
            unseen.forEach(host -> busyUntil.put(host, snapshot.at() + CLEANING));
            return;
        }
        hidden = unseen.size();
        // In a busy partition the remaining walltimes are spread evenly.
        long longest = HiddenJobs.longest(limit);
        int i = 0;
        for (String host : unseen) {
            busyUntil.put(host, snapshot.at() + Math.max(CLEANING, longest / hidden * ++i));
        }
    }

    /** Restricts the nodes to those of our reservation, during its time. */
    private void addOwnReservation(String name) {
        if (name.isEmpty()) {
            return;
        }
        Set<String> hosts = new HashSet<>();
        for (SlurmSnapshot.Reservation reservation : snapshot.reservations()) {
            if (reservation.name().equals(name) && reservation.to() > snapshot.at()) {
                hosts.addAll(reservation.hosts());
                until = reservation.to();
                from = reservation.from();
            }
        }
        own = name;
        busyUntil.keySet().retainAll(hosts);
        busyUntil.replaceAll((host, unused) -> from > snapshot.at() ? from : 0L);
    }

    private void addReservations() {
        Set<String> covered = new HashSet<>();
        List<SlurmSnapshot.Reservation> byBegin = new ArrayList<>(snapshot.reservations());
        byBegin.removeIf(reservation -> reservation.name().equals(own));
        byBegin.sort((a, b) -> Long.compare(a.from(), b.from()));
        for (SlurmSnapshot.Reservation reservation : byBegin) {
            for (String host : reservation.to() <= snapshot.at() ? List.<String>of() : reservation.hosts()) {
                Long until = busyUntil.get(host);
                if (until == null) {
                    continue;
                }
                covered.add(host);
                if (reservation.from() <= Math.max(until, snapshot.at())) {
                    busyUntil.put(host, Math.max(until, reservation.to()));
                } else {
                    reserved.computeIfAbsent(reservation.from(), from -> new TreeMap<>())
                            .computeIfAbsent(reservation.to(), to -> new ArrayList<>())
                            .add(host);
                }
            }
        }
        for (SlurmNodes nodes : snapshot.nodes()) {
            if (nodes.use() == SlurmNodes.Use.RESERVED && own.isEmpty()) {
                // In use by a reservation that is hidden from us.
                nodes.hosts().stream().filter(host -> !covered.contains(host)).forEach(host -> {
                    busyUntil.computeIfPresent(host, (name, until) -> snapshot.at() + Limit.UNLIMITED / 2);
                });
            }
        }
    }

    /** The running jobs: one for each instant at which nodes of a cell, or of a size where there are no pools, become free. */
    List<QueueSnapshot.Job> running(NodeCells cells) {
        Map<Long, Map<Integer, Map<Long, Integer>>> ends = new TreeMap<>();
        boolean pooled = cells.pools().count() > 0;
        busyUntil.forEach((host, until) -> {
            if (until > 0) {
                ends.computeIfAbsent(until, end -> new TreeMap<>())
                        .computeIfAbsent(cell(host, cells), cell -> new TreeMap<>())
                        .merge(pooled ? 0 : snapshot.memory().of(host), 1, Integer::sum);
            }
        });
        List<QueueSnapshot.Job> running = new ArrayList<>();
        ends.forEach((end, byCell) -> byCell.forEach((cell, sizes) -> sizes.forEach(
                (memory, count) -> running.add(QueueSnapshot.Job.of("", count, end - snapshot.at(), snapshot.at())
                        .needing(memory)
                        .in(cell)))));
        return running;
    }

    PoolMemory memory() {
        Map<Long, Integer> counts = new TreeMap<>();
        busyUntil.keySet().forEach(host -> counts.merge(snapshot.memory().of(host), 1, Integer::sum));
        return counts.containsKey(0L) ? PoolMemory.UNCOUNTED : PoolMemory.ofNodes(counts);
    }

    /** The part of its nodes that a job uses, from 0 to 1: of cores, memory or GPUs, whichever is more. */
    double fill(SlurmJob job) {
        if (wholeNodes || job.wholeNodes() || coresPerNode < 1) {
            return 1;
        }
        double ofCores = (double) job.cores() / ((double) job.nodes() * coresPerNode);
        long memory = snapshot.memory().perNode(job);
        double ofMemory = memory == 0
                ? 0
                : busyUntil.keySet().stream()
                        .mapToLong(snapshot.memory()::of)
                        .filter(size -> size >= memory)
                        .mapToDouble(size -> (double) memory / size)
                        .max()
                        .orElse(0);
        Resources gpus = snapshot.memory().gpus().get(job.id());
        double ofGpus = gpus == null
                ? 0
                : gpuFill.computeIfAbsent(gpus, each -> busyUntil.keySet().stream()
                        .mapToDouble(host -> snapshot.memory().gpuFill(host, each))
                        .max()
                        .orElse(0));
        return Math.min(1, Math.max(ofGpus, Math.max(ofCores, ofMemory)));
    }

    /** The future reservations, by start. */
    List<QueueSnapshot.Reservation> reservations(NodeCells cells) {
        List<QueueSnapshot.Reservation> all = new ArrayList<>();
        reserved.forEach((from, ends) -> ends.forEach((to, hosts) -> {
            Map<Integer, Integer> counts = new TreeMap<>();
            hosts.forEach(host -> counts.merge(cell(host, cells), 1, Integer::sum));
            counts.forEach((cell, count) -> all.add(new QueueSnapshot.Reservation(cell, count, from, to)));
        }));
        return all;
    }

    private int cell(String host, NodeCells cells) {
        return cells.cell(indices.getOrDefault(host, 0));
    }

    BitSet of(Pool pool) {
        return ours(usable.getOrDefault(SlurmPools.partition(pool), Set.of()).stream()
                .filter(host -> snapshot.memory().has(host, pool))
                .toList());
    }

    int size() {
        return busyUntil.size();
    }

    /** The nodes that a queued job may use, in any partition. */
    Eligible eligible(SlurmJob job) {
        if (job.requiredHosts().size() >= job.nodes()) {
            return new Eligible(job.requiredHosts().size(), ours(job.requiredHosts()));
        }
        if (!own.isEmpty() && job.reservation().equals(own)) {
            return new Eligible(busyUntil.size(), ours(busyUntil.keySet()));
        }
        // Cached, since many jobs have equal requests.
        long memory = snapshot.memory().perNode(job);
        Resources gpus = snapshot.memory().gpus().get(job.id());
        return eligibles.computeIfAbsent(
                job.partitions() + "/" + job.features() + "/" + memory + "/" + gpus, unused -> {
                    Set<String> requested = SlurmJob.conjunction(job.features());
                    Set<String> hosts = new HashSet<>();
                    for (String partition : job.partitions()) {
                        for (String host : usable.getOrDefault(partition, Set.of())) {
                            boolean fits = (memory == 0 || snapshot.memory().of(host) >= memory)
                                    && snapshot.memory().hasGpus(host, job);
                            if (fits
                                    && (requested == null
                                            || features.getOrDefault(host, Set.of())
                                                    .containsAll(requested))) {
                                hosts.add(host);
                            }
                        }
                    }
                    return new Eligible(hosts.size(), ours(hosts));
                });
    }

    /** The fraction of these hosts that are ours. */
    double share(Collection<String> hosts) {
        return hosts.isEmpty() ? 0 : (double) ours(hosts).cardinality() / hosts.size();
    }

    private BitSet ours(Collection<String> hosts) {
        BitSet ours = new BitSet();
        for (String host : hosts) {
            Integer index = indices.get(host);
            if (index != null) {
                ours.set(index);
            }
        }
        return ours;
    }

    /** The number of nodes that accept no jobs at present. */
    int out() {
        return out;
    }

    /** The number of nodes used by hidden jobs. */
    int hidden() {
        return hidden;
    }

    int allocated() {
        return (int) busyUntil.values().stream().filter(until -> until > 0).count();
    }

    int coresPerNode() {
        return coresPerNode;
    }

    boolean wholeNodes() {
        return wholeNodes;
    }

    /** When our reservation ends and its nodes become unavailable. */
    long until() {
        return until;
    }

    long limit() {
        return limit;
    }

    /** The nodes that some queued jobs may use, of which a part is ours. */
    static final class Eligible {
        private final int size;
        private final int ours;
        private final BitSet hosts;
        private double carried;

        Eligible(int size, BitSet hosts) {
            this.size = size;
            this.hosts = hosts;
            ours = hosts.cardinality();
        }

        /** The indices of our nodes among them. */
        BitSet hosts() {
            return hosts;
        }

        int size() {
            return size;
        }

        /** The part that is ours, 0 to 1. */
        double share() {
            return size == 0 ? 0 : (double) ours / size;
        }

        /** How many of a job's nodes count as ours; the rounding error carries over to the next job. */
        int oursOf(int nodes) {
            if (ours == size) {
                return nodes;
            }
            double exact = nodes * share() + carried;
            int whole = (int) Math.floor(exact + 0.5);
            carried = exact - whole;
            return Math.min(whole, ours);
        }
    }
}
