package io.sheaf.slurm.whatif;

import io.sheaf.batch.JobLimits;
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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
 * The strictest of the partition, its QOS, the job's QOS and the user's association. A partition in which they allow no node is no candidate. The price of a node is what
 * {@code TRESBillingWeights} charges for it, without weights for its cores as in Slurm, relative to the cheapest pool
 * that is not preemptible, unless the site file has prices.
 */
public final class SlurmPools {
    private static final long GIB = 1L << 30;
    private static final String ALL = "ALL";
    private static final Set<String> SUSPENDING = Set.of("SUSPEND", "GANG");

    private final CommandRunner commands;
    private final String user;

    public SlurmPools(CommandRunner commands, String user) {
        this.commands = commands;
        this.user = user;
    }

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
        List<Map<String, String>> partitions = Scontrol.records(output("scontrol", "-o", "show", "partition"));
        Columns.Read<SlurmNodes> nodeTable =
                SlurmNodes.read(output("sinfo", "-a", "-h", "-e", "-o", SlurmNodes.FORMAT));
        String associations = output("sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=Account");
        Access access = new Access(listed(associations), listed(output("id", "-Gn")), qualities(submissions.quality()));
        List<Map<String, String>> candidates = submissions.partition().isEmpty()
                ? candidates(partitions, access, nodes)
                : named(partitions, Set.of(submissions.partition().split(",")));
        int qualities = Math.max(1, access.qualities.size());
        if (candidates.size() * qualities < 2 && new HashSet<>(all.values()).size() < 2) {
            return Pools.NONE;
        }
        String assigned =
                output("sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=" + OwnLimits.ASSOCIATION);
        OwnLimits own = OwnLimits.ofAssociations(assigned);
        String known = output("sacctmgr", "-nP", "show", "qos", "format=" + OwnLimits.QUALITY);
        Map<String, String> config = Scontrol.config(output("scontrol", "show", "config"));
        boolean byQuality = QualityPreemption.isUsed(config);
        QualityPreemption preemption = byQuality
                ? QualityPreemption.read(
                        output("sacctmgr", "-nP", "show", "qos", "format=" + QualityPreemption.FIELDS), config)
                : QualityPreemption.NONE;
        Set<String> preemptible = byQuality ? Set.of() : preemptible(partitions, nodeTable.rows());
        Map<String, Integer> index = new HashMap<>();
        List<Pool> pools = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        for (Map<String, String> partition : candidates) {
            Set<String> hosts = hosts(partition, nodeTable.rows(), SlurmJob.conjunction(submissions.constraint()));
            Map<String, Resources> has = new HashMap<>(all);
            has.keySet().retainAll(hosts);
            List<Resources> classes = HostResources.classes(has.values());
            for (int i = 0; i < qualities && !hosts.isEmpty(); i++) {
                String quality = i < access.qualities.size() ? access.qualities.get(i) : OwnLimits.quality(assigned);
                OwnLimits limits = own.tightest(OwnLimits.ofQuality(known, quality))
                        .tightest(OwnLimits.ofQuality(known, partition.getOrDefault("QoS", "")));
                int allCores = allCores(partition, nodeTable.rows());
                int cores = submissions.cores() == 0 || isExclusive(partition) ? allCores : submissions.cores();
                try {
                    limits.check(classes.size() < 2 ? cores : classes.get(0).cores());
                } catch (InputException e) {
                    refusals.add(name(partition) + ": " + e.getMessage());
                    continue;
                }
                String name = name(partition) + (access.qualities.size() > 1 ? "/" + quality : "");
                double price = prices.isEmpty()
                        ? price(partition, nodes.apply(name(partition)))
                        : prices.getOrDefault(name, prices.getOrDefault(name(partition), 1.0));
                Pool whole = new Pool(
                        name,
                        indices(hosts, index),
                        limits(partition, limits, cores),
                        limits.submitted(),
                        price,
                        hosts.size());
                if (preemptible.contains(name(partition)) || preemption.isPreemptible(quality)) {
                    whole = whole.preemptedAfter(preempted.applyAsLong(name(partition)));
                }
                if (classes.size() < 2) {
                    pools.add(whole);
                }
                for (Resources each : classes.size() < 2 ? List.<Resources>of() : classes) {
                    Set<String> large = new HashSet<>(hosts);
                    large.removeIf(host -> has.containsKey(host) && each.excess(has.get(host)) != null);
                    int request = isExclusive(partition) || submissions.isExclusive() ? allCores : each.cores();
                    if (!limits.allow(request)) {
                        continue;
                    }
                    pools.add(ofClass(whole, each, classes.get(0), indices(large, index), prices.isEmpty())
                            .limited(limits(partition, limits, request)));
                }
            }
        }
        if (pools.isEmpty() && !refusals.isEmpty()) {
            throw new InputException(refusals.get(0));
        }
        if (pools.size() < 2 && refusals.isEmpty()) {
            return Pools.NONE;
        }
        return Pools.of(prices.isEmpty() ? relative(pools) : pools);
    }

    /** The partitions whose jobs make room for those of another one: of a higher tier, on the same nodes. */
    private static Set<String> preemptible(List<Map<String, String>> partitions, List<SlurmNodes> nodes) {
        Set<String> found = new HashSet<>();
        for (Map<String, String> low : partitions) {
            for (Map<String, String> high : partitions) {
                if (!low.getOrDefault("PreemptMode", "OFF").equals("OFF")
                        && tier(low) < tier(high)
                        && !Collections.disjoint(hosts(low, nodes, null), hosts(high, nodes, null))) {
                    found.add(name(low));
                }
            }
        }
        return found;
    }

    private static int tier(Map<String, String> partition) {
        String tier = partition.getOrDefault("PriorityTier", "1");
        return tier.matches("[0-9]{1,9}") ? Integer.parseInt(tier) : 1;
    }

    /** What admits a user to a partition. */
    private record Access(Set<String> accounts, Set<String> groups, List<String> qualities) {
        boolean allowed(Map<String, String> partition) {
            return allows(partition.getOrDefault("AllowAccounts", ALL), accounts)
                    && allows(partition.getOrDefault("AllowGroups", ALL), groups)
                    && (qualities.isEmpty() || allows(partition.getOrDefault("AllowQos", ALL), Set.copyOf(qualities)))
                    && Collections.disjoint(listed(partition.getOrDefault("DenyAccounts", "")), accounts);
        }

        private static boolean allows(String list, Set<String> own) {
            return list.equalsIgnoreCase(ALL) || own.isEmpty() || !Collections.disjoint(listed(list), own);
        }
    }

    private static List<Map<String, String>> candidates(
            List<Map<String, String>> partitions, Access access, Function<String, Nodes> nodes) {
        Map<String, String> usual = partitions.stream()
                .filter(each -> each.getOrDefault("Default", "").equals("YES"))
                .findFirst()
                .orElse(null);
        if (usual == null) {
            return List.of();
        }
        Nodes ofUsual = nodes.apply(name(usual));
        List<Map<String, String>> candidates = new ArrayList<>(List.of(usual));
        for (Map<String, String> each : partitions) {
            if (!name(each).equals(name(usual))
                    && isUsual(each, usual)
                    && access.allowed(each)
                    && isLike(each, ofUsual, nodes)) {
                candidates.add(each);
            }
        }
        return candidates;
    }

    /** Whether a partition takes jobs of ordinary users, and ends those that it preempts: tasks of a suspended job would neither run nor be started elsewhere. */
    private static boolean isUsual(Map<String, String> partition, Map<String, String> usual) {
        Set<String> preemption = listed(partition.getOrDefault("PreemptMode", "OFF"));
        return partition.getOrDefault("State", "").equals("UP")
                && !partition.getOrDefault("Hidden", "").equals("YES")
                && !partition.getOrDefault("RootOnly", "").equals("YES")
                && !partition.getOrDefault("ReqResv", "").equals("YES")
                && (Collections.disjoint(preemption, SUSPENDING)
                        || preemption.equals(listed(usual.getOrDefault("PreemptMode", "OFF"))));
    }

    /** Whether the nodes of a partition have what the default partition's have, and no GPUs besides. */
    private static boolean isLike(Map<String, String> partition, Nodes usual, Function<String, Nodes> nodes) {
        try {
            Nodes there = nodes.apply(name(partition));
            return there.cores() >= usual.cores() && there.memory() >= usual.memory() && there.gpus() <= usual.gpus();
        } catch (InputException e) {
            // No node is in service.
            return false;
        }
    }

    private static List<Map<String, String>> named(List<Map<String, String>> partitions, Set<String> names) {
        return partitions.stream()
                .filter(each -> names.contains(name(each)))
                .filter(each -> each.getOrDefault("State", "").equals("UP"))
                .toList();
    }

    private static String name(Map<String, String> partition) {
        return partition.getOrDefault("PartitionName", "");
    }

    /** The part of a pool with the nodes of a class. A node costs in proportion to its cores. */
    private static Pool ofClass(Pool whole, Resources node, Resources least, BitSet nodes, boolean billed) {
        String gpus = node.gpus() == 0 ? "" : "-" + GpuText.text(node).replace(',', ';');
        String name = nodes.equals(whole.nodes())
                ? whole.name()
                : whole.name() + ":" + node.cores() + "c-" + SizeText.rounded(node.memory()) + gpus;
        double price = billed ? Math.max(1, whole.price()) * node.cores() / least.cores() : whole.price();
        return new Pool(name, nodes, whole.limits(), whole.jobs(), price, nodes.cardinality(), whole.preempted(), node);
    }

    private static BitSet indices(Set<String> hosts, Map<String, Integer> index) {
        BitSet indices = new BitSet();
        hosts.stream()
                .sorted(HostList.ORDER)
                .forEach(host -> indices.set(index.computeIfAbsent(host, name -> index.size())));
        return indices;
    }

    /** The nodes in service of a partition with some features. */
    private static Set<String> hosts(
            Map<String, String> partition, List<SlurmNodes> nodes, @Nullable Set<String> features) {
        Set<String> hosts = new HashSet<>();
        for (SlurmNodes each : nodes) {
            if (each.partition().equals(name(partition))
                    && each.use() != SlurmNodes.Use.OUT
                    && (features == null || each.features().containsAll(features))) {
                hosts.addAll(each.hosts());
            }
        }
        return hosts;
    }

    private static boolean isExclusive(Map<String, String> partition) {
        return partition.getOrDefault("OverSubscribe", "").equals("EXCLUSIVE");
    }

    /** The cores of the largest node of a partition. */
    private static int allCores(Map<String, String> partition, List<SlurmNodes> nodes) {
        return nodes.stream()
                .filter(each -> each.partition().equals(name(partition)))
                .mapToInt(SlurmNodes::cores)
                .max()
                .orElse(1);
    }

    private static JobLimits limits(Map<String, String> partition, OwnLimits own, int cores) {
        long time = Limit.millis(partition.getOrDefault("MaxTime", ""));
        long walltime = Math.min(own.walltime(), time == Limit.UNKNOWN ? Limit.UNLIMITED : time);
        String nodes = partition.getOrDefault("MaxNodes", "");
        int most = nodes.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(nodes) : Integer.MAX_VALUE;
        return new JobLimits(
                        Math.max(1, Math.min(most, own.nodes(cores))),
                        walltime >= Limit.UNLIMITED ? JobLimits.NONE.walltime() : walltime)
                .unitTime(Math.max(1, own.nodeTime(cores)));
    }

    /** What a node costs by the billing weights of its partition. Without weights Slurm charges for cores. */
    static double price(Map<String, String> partition, Nodes nodes) {
        Set<String> weights = listed(partition.getOrDefault("TRESBillingWeights", ""));
        double price = weights.isEmpty() ? nodes.cores() : 0;
        for (String weight : weights) {
            String[] parts = weight.toLowerCase(Locale.ROOT).split("=", 2);
            if (parts.length == 2 && parts[1].matches("[0-9]*\\.?[0-9]+[kmgt]?")) {
                boolean isSize = Character.isLetter(parts[1].charAt(parts[1].length() - 1));
                double value = Double.parseDouble(isSize ? parts[1].substring(0, parts[1].length() - 1) : parts[1]);
                price += switch (parts[0]) {
                    case "cpu" -> value * nodes.cores();
                    case "node" -> value;
                    case "mem" -> value * nodes.memory() / unit(isSize ? parts[1] : "m");
                    case "gres/gpu" -> value * nodes.gpus();
                    default -> 0;
                };
            }
        }
        return price;
    }

    private static double unit(String text) {
        return switch (text.charAt(text.length() - 1)) {
            case 'k' -> 1 << 10;
            case 'g' -> GIB;
            case 't' -> GIB * 1024.0;
            default -> 1 << 20;
        };
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

    private static List<String> qualities(String named) {
        return named.isEmpty() ? List.of() : List.of(named.split(","));
    }

    /** The words of a list with commas, blanks or lines. */
    private static Set<String> listed(String text) {
        Set<String> words = new HashSet<>(List.of(text.strip().split("[,\\s]+")));
        words.remove("");
        words.remove("(null)");
        words.remove("N/A");
        return words;
    }

    /** The output of a query; empty if it fails, as {@code sacctmgr} does without a database. */
    private String output(String... words) throws UnreachableException, InterruptedException {
        CommandRunner.Answer answer = commands.query(words);
        return answer.isGood() ? answer.out() : "";
    }
}
