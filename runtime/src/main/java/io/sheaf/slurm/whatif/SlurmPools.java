package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The node pools of a Slurm cluster for a user: the partitions that its jobs may use, each with each QOS if several are
 * named. Where the nodes of a partition differ in cores, memory or GPUs, each class of nodes is a pool: those that have at
 * least as much.
 *
 * <h2>Candidates</h2>
 * Those of {@code --partition} and {@code --qos}. Without {@code --partition}, the default partition and all others that
 * are up, admit the user by account, group and QOS, need no reservation, do not suspend preempted jobs, and whose nodes
 * have at least the cores and memory of the default partition's, and no GPUs that those do not have.
 *
 * <h2>Limits and prices</h2>
 * The strictest of the partition, its QOS, the job's QOS and the user's association. A partition in which they allow no
 * node is not a candidate. The price of a node is what {@code TRESBillingWeights} charges for it, without weights for its
 * cores as in Slurm, relative to the cheapest pool that is not preemptible, unless the site file has prices.
 */
public record SlurmPools(CommandRunner commands, String user) {

    static String partition(Pool pool) {
        return pool.name().split("[/:]", 2)[0];
    }

    /** The options of {@code sbatch} for a job in a pool; none for any. */
    public static List<String> words(Pools pools, int number) {
        if (number == Pools.ANY) {
            return List.of();
        }
        String[] parts = pools.name(number).split(":", 2)[0].split("/", 2);
        List<String> words = new ArrayList<>(List.of("--partition=" + parts[0]));
        if (parts.length > 1) {
            words.add("--qos=" + parts[1]);
        }
        return words;
    }

    /**
     * Reads the pools of jobs with some options; none if there is no choice between several.
     *
     * @param nodes the nodes of a partition, which may refuse one without nodes in service
     * @param all what each host has for tasks; empty if jobs are to request equal nodes
     * @param preempted the mean time until preemption in a preemptible partition, in milliseconds
     * @param prices of the site, by pool or partition; if there are any, a pool without one has the price 1
     */
    public Pools read(
            Submissions submissions,
            Function<String, Nodes> nodes,
            Map<String, Resources> all,
            ToLongFunction<String> preempted,
            Map<String, Double> prices)
            throws UnreachableException, InterruptedException {
        if (!submissions.reservation().isEmpty()) {
            return Pools.NONE;
        }
        List<SlurmPartition> partitions = SlurmPartition.read(output("scontrol", "-o", "show", "partition"));
        List<SlurmNodes> nodeRows = SlurmNodes.read(output("sinfo", "-a", "-h", "-e", "-o", SlurmNodes.FORMAT))
                .rows();
        String associations = output("sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=Account");
        Set<String> accounts = SlurmPartition.listed(associations);
        Set<String> groups = SlurmPartition.listed(output("id", "-Gn"));
        String named = submissions.quality();
        List<String> qualities = named.isEmpty() ? List.of() : List.of(named.split(","));
        List<SlurmPartition> candidates = submissions.partition().isEmpty()
                ? candidates(partitions, each -> each.admits(accounts, groups, Set.copyOf(qualities)), nodes)
                : partitions.stream()
                        .filter(each -> each.isUp()
                                && List.of(submissions.partition().split(",")).contains(each.name()))
                        .toList();
        if (candidates.size() * Math.max(1, qualities.size()) < 2 && new HashSet<>(all.values()).size() < 2) {
            return Pools.NONE;
        }
        String assigned =
                output("sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=" + OwnLimits.ASSOCIATION);
        String known = output("sacctmgr", "-nP", "show", "qos", "format=" + OwnLimits.QUALITY);
        Map<String, String> config = Scontrol.config(output("scontrol", "show", "config"));
        boolean byQuality = QualityPreemption.isUsed(config);
        QualityPreemption preemption = byQuality
                ? QualityPreemption.read(
                        output("sacctmgr", "-nP", "show", "qos", "format=" + QualityPreemption.FIELDS), config)
                : QualityPreemption.NONE;
        Set<String> preemptible = byQuality ? Set.of() : preemptible(partitions, nodeRows);
        Offer offer = new Offer(submissions, nodeRows, all, prices);
        for (SlurmPartition partition : candidates) {
            for (String quality : qualities.isEmpty() ? List.of(OwnLimits.quality(assigned)) : qualities) {
                boolean mayEnd = preemptible.contains(partition.name()) || preemption.isPreemptible(quality);
                offer.add(
                        partition,
                        partition.name() + (qualities.size() > 1 ? "/" + quality : ""),
                        OwnLimits.ofAssociations(assigned)
                                .tightest(OwnLimits.ofQuality(known, quality))
                                .tightest(OwnLimits.ofQuality(known, partition.quality())),
                        mayEnd ? preempted : null,
                        nodes);
            }
        }
        return offer.pools();
    }

    /** The pools of the candidates so far. */
    private static final class Offer {
        private final Submissions submissions;
        private final List<SlurmNodes> nodeRows;
        private final Map<String, Resources> all;
        private final Map<String, Double> prices;
        /** The numbers of hosts. */
        private final Map<String, Integer> index = new HashMap<>();

        private final List<Pool> pools = new ArrayList<>();
        /** Why limits allow no node of a partition. */
        private final List<String> refusals = new ArrayList<>();

        Offer(
                Submissions submissions,
                List<SlurmNodes> nodeRows,
                Map<String, Resources> all,
                Map<String, Double> prices) {
            this.submissions = submissions;
            this.nodeRows = nodeRows;
            this.all = all;
            this.prices = prices;
        }

        /**
         * Adds a partition with a QOS, or its classes of nodes if they differ, unless limits allow no node.
         *
         * @param limits those of the user, of the job's QOS and of the partition's
         * @param preempted the mean time until preemption in a partition; null if its jobs are not preempted
         */
        void add(
                SlurmPartition partition,
                String name,
                OwnLimits limits,
                @Nullable ToLongFunction<String> preempted,
                Function<String, Nodes> nodes) {
            Set<String> hosts = partition.hosts(nodeRows, SlurmJob.conjunction(submissions.constraint()));
            if (hosts.isEmpty()) {
                return;
            }
            Map<String, Resources> has = new HashMap<>(all);
            has.keySet().retainAll(hosts);
            List<Resources> classes = HostResources.classes(has.values());
            int allCores = partition.cores(nodeRows);
            int cores = submissions.cores() == 0 || partition.isExclusive() ? allCores : submissions.cores();
            try {
                limits.check(classes.size() < 2 ? cores : classes.get(0).cores());
            } catch (InputException e) {
                refusals.add(partition.name() + ": " + e.getMessage());
                return;
            }
            double price = prices.isEmpty()
                    ? partition.price(nodes.apply(partition.name()))
                    : prices.getOrDefault(name, prices.getOrDefault(partition.name(), 1.0));
            Pool whole = new Pool(
                    name, indices(hosts), partition.limits(limits, cores), limits.submitted(), price, hosts.size());
            if (preempted != null) {
                whole = whole.preemptedAfter(preempted.applyAsLong(partition.name()));
            }
            if (classes.size() < 2) {
                pools.add(whole);
                return;
            }
            for (Resources each : classes) {
                int request = partition.isExclusive() || submissions.isExclusive() ? allCores : each.cores();
                if (limits.allow(request)) {
                    Set<String> large = new HashSet<>(hosts);
                    large.removeIf(host -> has.containsKey(host) && each.excess(has.get(host)) != null);
                    pools.add(ofClass(whole, each, classes.get(0), indices(large))
                            .limited(partition.limits(limits, request)));
                }
            }
        }

        /** The part of a pool with the nodes of a class. A node costs in proportion to its cores, unless the site has prices. */
        private Pool ofClass(Pool whole, Resources node, Resources least, BitSet nodes) {
            String gpus = node.gpus() == 0 ? "" : "-" + GpuText.text(node).replace(',', ';');
            String name = nodes.equals(whole.nodes())
                    ? whole.name()
                    : whole.name() + ":" + node.cores() + "c-" + SizeText.rounded(node.memory()) + gpus;
            double price = prices.isEmpty() ? Math.max(1, whole.price()) * node.cores() / least.cores() : whole.price();
            return whole.on(nodes).named(name).priced(price).on(node);
        }

        private BitSet indices(Set<String> hosts) {
            BitSet indices = new BitSet();
            hosts.stream()
                    .sorted(HostList.ORDER)
                    .forEach(host -> indices.set(index.computeIfAbsent(host, name -> index.size())));
            return indices;
        }

        /** All of them; none if there is no choice. Refused if limits allow none. */
        Pools pools() {
            if (pools.isEmpty() && !refusals.isEmpty()) {
                throw new InputException(refusals.get(0));
            }
            if (pools.size() < 2 && refusals.isEmpty()) {
                return Pools.NONE;
            }
            return Pools.of(prices.isEmpty() ? relative(pools) : pools);
        }
    }

    /** The partitions whose jobs make room for those of another one: of a higher tier, on the same nodes. */
    private static Set<String> preemptible(List<SlurmPartition> partitions, List<SlurmNodes> nodes) {
        return partitions.stream()
                .filter(low -> low.allowsPreemption()
                        && partitions.stream()
                                .anyMatch(high -> low.tier() < high.tier()
                                        && !Collections.disjoint(low.hosts(nodes, null), high.hosts(nodes, null))))
                .map(SlurmPartition::name)
                .collect(Collectors.toSet());
    }

    /** The default partition and those that a user may use as well as it; none if there is no default. */
    private static List<SlurmPartition> candidates(
            List<SlurmPartition> partitions, Predicate<SlurmPartition> admits, Function<String, Nodes> nodes) {
        SlurmPartition usual = partitions.stream()
                .filter(SlurmPartition::isDefault)
                .findFirst()
                .orElse(null);
        if (usual == null) {
            return List.of();
        }
        Nodes ofUsual = nodes.apply(usual.name());
        List<SlurmPartition> candidates = new ArrayList<>(List.of(usual));
        for (SlurmPartition each : partitions) {
            if (!each.name().equals(usual.name())
                    && each.isUsual(usual)
                    && admits.test(each)
                    && isLike(each, ofUsual, nodes)) {
                candidates.add(each);
            }
        }
        return candidates;
    }

    /** Whether the nodes of a partition have what the default partition's have, and no GPUs besides. */
    private static boolean isLike(SlurmPartition partition, Nodes usual, Function<String, Nodes> nodes) {
        try {
            Nodes there = nodes.apply(partition.name());
            return there.cores() >= usual.cores() && there.memory() >= usual.memory() && there.gpus() <= usual.gpus();
        } catch (InputException e) {
            // No node is in service.
            return false;
        }
    }

    /** The pools with prices relative to the cheapest that is not preemptible; 1 for all if that is free of charge. */
    private static List<Pool> relative(List<Pool> pools) {
        double least = pools.stream()
                .filter(pool -> !pool.isPreemptible())
                .mapToDouble(Pool::price)
                .min()
                .orElse(0);
        return pools.stream()
                .map(pool -> pool.priced(least > 0 ? pool.price() / least : 1))
                .toList();
    }

    /** The output of a query; empty if it fails, as {@code sacctmgr} does without a database. */
    private String output(String... words) throws UnreachableException, InterruptedException {
        CommandRunner.Answer answer = commands.query(words);
        return answer.isGood() ? answer.out() : "";
    }
}
