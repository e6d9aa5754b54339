package io.sheaf.slurm.whatif;

import io.sheaf.batch.JobLimits;
import io.sheaf.runtime.batch.Nodes;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A partition as {@code scontrol show partition} prints it. */
record SlurmPartition(Map<String, String> fields) {
    private static final long GIB = 1L << 30;
    private static final Set<String> SUSPENDING = Set.of("SUSPEND", "GANG");

    /** Parses the output of {@code scontrol -o show partition}. */
    static List<SlurmPartition> read(String text) {
        return Scontrol.records(text).stream().map(SlurmPartition::new).toList();
    }

    private String field(String name, String missing) {
        return fields.getOrDefault(name, missing);
    }

    private boolean is(String name) {
        return field(name, "").equals("YES");
    }

    String name() {
        return field("PartitionName", "");
    }

    boolean isDefault() {
        return is("Default");
    }

    boolean isUp() {
        return field("State", "").equals("UP");
    }

    /** Whether a job gets all cores of its nodes. */
    boolean isExclusive() {
        return field("OverSubscribe", "").equals("EXCLUSIVE");
    }

    /** Its QOS; empty if it has none. */
    String quality() {
        return field("QoS", "");
    }

    /** Its priority tier: jobs of a higher tier may preempt those of a lower one. */
    int tier() {
        String tier = field("PriorityTier", "1");
        return tier.matches("[0-9]{1,9}") ? Integer.parseInt(tier) : 1;
    }

    /** The time that a preempted job has to end, in milliseconds. */
    long graceMillis() {
        String grace = field("GraceTime", "");
        return grace.matches("[0-9]{1,9}") ? 1000 * Long.parseLong(grace) : 0;
    }

    /** Its job factor of the multifactor priority; null if it is not printed. */
    @Nullable
    Integer jobFactor() {
        String factor = field("PriorityJobFactor", "");
        return factor.matches("[0-9]{1,9}") ? Integer.valueOf(factor) : null;
    }

    /** Whether its mode of preemption is not off. */
    boolean allowsPreemption() {
        return !field("PreemptMode", "OFF").equals("OFF");
    }

    private Set<String> preemptModes() {
        return listed(field("PreemptMode", "OFF"));
    }

    /**
     * Whether it accepts jobs of ordinary users and ends those that it preempts, or treats them as the default partition does. Tasks of a suspended
     * job would neither run nor be started elsewhere.
     */
    boolean isUsual(SlurmPartition usual) {
        return isUp()
                && !is("Hidden")
                && !is("RootOnly")
                && !is("ReqResv")
                && (Collections.disjoint(preemptModes(), SUSPENDING)
                        || preemptModes().equals(usual.preemptModes()));
    }

    /** Whether it admits a user with some accounts and groups, and jobs with one of some QOS; an empty set is unknown. */
    boolean admits(Set<String> accounts, Set<String> groups, Set<String> qualities) {
        return allows("AllowAccounts", accounts)
                && allows("AllowGroups", groups)
                && allows("AllowQos", qualities)
                && Collections.disjoint(listed(field("DenyAccounts", "")), accounts);
    }

    private boolean allows(String name, Set<String> own) {
        String allowed = field(name, "ALL");
        return allowed.equalsIgnoreCase("ALL") || own.isEmpty() || !Collections.disjoint(listed(allowed), own);
    }

    /** Its nodes in service with some features. */
    Set<String> hosts(List<SlurmNodes> nodes, @Nullable Set<String> features) {
        return nodes.stream()
                .filter(each -> each.partition().equals(name())
                        && each.use() != SlurmNodes.Use.OUT
                        && (features == null || each.features().containsAll(features)))
                .flatMap(each -> each.hosts().stream())
                .collect(Collectors.toSet());
    }

    /** The cores of its largest node. */
    int cores(List<SlurmNodes> nodes) {
        return nodes.stream()
                .filter(each -> each.partition().equals(name()))
                .mapToInt(SlurmNodes::cores)
                .max()
                .orElse(1);
    }

    /** The stricter ones of its limits and of the user's, for a job with some cores on each node. */
    JobLimits limits(OwnLimits own, int cores) {
        long time = Limit.millis(field("MaxTime", ""));
        long walltime = Math.min(own.walltime(), time == Limit.UNKNOWN ? Limit.UNLIMITED : time);
        String nodes = field("MaxNodes", "");
        int most = nodes.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(nodes) : Integer.MAX_VALUE;
        return new JobLimits(
                        Math.max(1, Math.min(most, own.nodes(cores))),
                        walltime >= Limit.UNLIMITED ? JobLimits.NONE.walltime() : walltime)
                .unitTime(Math.max(1, own.nodeTime(cores)));
    }

    /** What a node costs by the billing weights. Without weights Slurm charges for cores. */
    double price(Nodes nodes) {
        Set<String> weights = listed(field("TRESBillingWeights", ""));
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

    /** The words of a list with commas, blanks or lines. */
    static Set<String> listed(String text) {
        Set<String> words = new HashSet<>(List.of(text.strip().split("[,\\s]+")));
        words.remove("");
        words.remove("(null)");
        words.remove("N/A");
        return words;
    }
}
