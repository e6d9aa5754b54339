package io.sheaf.workflow;

import io.sheaf.text.CoresText;
import io.sheaf.text.SizeText;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Resources that a task needs, or that a node has. The workflow, the manager, plans, requests to batch systems and agents share this type.
 *
 * <p>A task needs whole cores, or a share of one core. A node has whole cores; what is not known of it is {@link #UNCOUNTED}.
 *
 * @param cores cores on each node, at least 1; 1 with a share
 * @param memory bytes on each node; 0 if a task does not specify it
 * @param gpus GPUs on each node, of any type
 * @param nodes nodes; more than one for MPI tasks
 * @param share share of one core, in thousandths; 0 for whole cores
 * @param named further resources on each node, by name; GPUs of a type count here and in {@code gpus}
 */
public record Resources(int cores, long memory, int gpus, int nodes, int share, NamedAmounts named) {
    /** A whole core in thousandths. */
    public static final int CORE = CoresText.CORE;

    /** Memory of a node that is not counted. */
    public static final long UNCOUNTED = Long.MAX_VALUE;

    /** GPUs of a node that are not counted. */
    public static final int UNCOUNTED_GPUS = Integer.MAX_VALUE;

    /** One core of one node. */
    public static final Resources ONE_CORE = new Resources(1, 0, 0, 1);

    public Resources {
        if (cores < 1 || memory < 0 || gpus < 0 || nodes < 1) {
            throw new IllegalArgumentException(
                    "cores " + cores + ", memory " + memory + ", gpus " + gpus + ", nodes " + nodes);
        }
        if (share < 0 || share >= CORE || (share > 0 && (cores != 1 || nodes != 1))) {
            throw new IllegalArgumentException(
                    "a share of " + share + " thousandths of " + cores + " cores of " + nodes + " nodes");
        }
    }

    /** Without named resources. */
    public Resources(int cores, long memory, int gpus, int nodes, int share) {
        this(cores, memory, gpus, nodes, share, NamedAmounts.NONE);
    }

    /** Whole cores. */
    public Resources(int cores, long memory, int gpus, int nodes) {
        this(cores, memory, gpus, nodes, 0);
    }

    /** A node of which only cores are counted. */
    public static Resources node(int cores) {
        return node(cores, UNCOUNTED, UNCOUNTED_GPUS);
    }

    /**
     * A node.
     *
     * @param memory in bytes; 0 or {@link #UNCOUNTED} if unknown
     * @param gpus of any type; {@link #UNCOUNTED_GPUS} if unknown
     */
    public static Resources node(int cores, long memory, int gpus) {
        return new Resources(cores, memory == 0 ? UNCOUNTED : memory, gpus, 1);
    }

    /** The same with other named resources. */
    public Resources named(NamedAmounts named) {
        return new Resources(cores, memory, gpus, nodes, share, named);
    }

    /** The same with other cores. */
    public Resources cores(int cores) {
        return new Resources(cores, memory, gpus, nodes, share, named);
    }

    /** The same on another number of nodes. */
    public Resources nodes(int nodes) {
        return new Resources(cores, memory, gpus, nodes, share, named);
    }

    /** The same with other memory. */
    public Resources memory(long bytes) {
        return new Resources(cores, bytes, gpus, nodes, share, named);
    }

    /** The same with other GPUs of any type. */
    public Resources gpus(int gpus) {
        return new Resources(cores, memory, gpus, nodes, share, named);
    }

    public boolean countsMemory() {
        return memory != UNCOUNTED;
    }

    /**
     * Whether each need of another task is at least the need of this one, so that the other fits nowhere if this one does not. False if that
     * cannot be decided.
     */
    public boolean isWithin(Resources other) {
        return cores <= other.cores
                && memory <= other.memory
                && gpus <= other.gpus
                && nodes <= other.nodes
                && share == 0
                && other.share == 0
                && (named.size() == 0 || named.equals(other.named));
    }

    /** With thousandths of a core on each node: whole cores, or less than one. */
    public static Resources of(long millicores, long memory, int gpus, int nodes) {
        return millicores < CORE
                ? new Resources(1, memory, gpus, nodes, (int) millicores)
                : new Resources(Math.toIntExact(millicores / CORE), memory, gpus, nodes);
    }

    /**
     * What a task needs and a node does not have, for a message: {@code 16G of memory on a node; the largest node has 8G}. Null if it fits.
     *
     * @param node the largest node
     */
    public @Nullable String excess(Resources node) {
        if (cores > node.cores) {
            return cores + " cores on a node; the largest node has " + node.cores;
        }
        if (memory > node.memory) {
            return SizeText.rounded(memory) + " of memory on a node; the largest node has "
                    + SizeText.rounded(node.memory);
        }
        for (int i = 0; i < named.size(); i++) {
            String name = named.name(i);
            boolean gpu = name.startsWith(NamedAmounts.GPU) && node.gpus != UNCOUNTED_GPUS;
            if ((gpu || node.named.index(name) >= 0) && named.amount(i) > node.named.amount(name)) {
                return SizeText.rounded(named.amount(i)) + " of '" + name + "' on a node; the largest node has "
                        + SizeText.rounded(node.named.amount(name))
                        + (gpu && node.gpus > 0 ? " (GPUs: " + GpuText.text(node) + ")" : "");
            }
        }
        return gpus > node.gpus
                ? gpus + (gpus == 1 ? " GPU" : " GPUs") + " on a node; the largest node has " + node.gpus
                : null;
    }

    /** The greater amount of each resource of two nodes. */
    public Resources most(Resources other) {
        return combined(other, Math::max);
    }

    /** The smaller amount of each resource of two nodes. */
    public Resources least(Resources other) {
        return combined(other, Math::min);
    }

    private Resources combined(Resources other, LongBinaryOperator choice) {
        Map<String, Long> all = other.named.map();
        all.replaceAll((name, amount) -> choice.applyAsLong(named.amount(name), amount));
        named.map()
                .forEach((name, amount) ->
                        all.computeIfAbsent(name, absent -> choice.applyAsLong(amount, other.named.amount(name))));
        all.values().removeIf(amount -> amount == 0);
        return node((int) choice.applyAsLong(cores, other.cores), choice.applyAsLong(memory, other.memory), (int)
                        choice.applyAsLong(gpus, other.gpus))
                .named(NamedAmounts.of(all));
    }

    /** Whether it needs less than a core. */
    public boolean isShare() {
        return share > 0;
    }

    /** What it needs of the cores of each node, in thousandths of a core. */
    public long millicores() {
        return isShare() ? share : (long) cores * CORE;
    }

    /** What it needs on all nodes together, in cores. */
    public double allCores() {
        return isShare() ? share / (double) CORE : (double) cores * nodes;
    }

    /** The cores on each node as people write them: {@code 2} or {@code 0.5}. */
    public String coresText() {
        return CoresText.text(millicores());
    }
}
