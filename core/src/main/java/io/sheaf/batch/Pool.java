package io.sheaf.batch;

import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node pool of a cluster, such as a partition with a QOS: its jobs run on its nodes only. Pools may share nodes.
 *
 * @param nodes the numbers of its nodes in the cluster
 * @param limits of one job
 * @param jobs the maximum number of jobs of a user in the pool, queued and running
 * @param price of a node-hour, relative to those of the other pools; 1 if all are equal
 * @param load the part of a log's jobs that a simulation sends to the pool, relative to the other pools
 * @param preempted the mean time from the start of one of our jobs to its preemption, in milliseconds; {@link #NEVER} if it keeps its nodes
 * @param node what a job has for tasks on each of its nodes; null if that is the same in all pools
 */
public record Pool(
        String name,
        BitSet nodes,
        JobLimits limits,
        int jobs,
        double price,
        double load,
        long preempted,
        @Nullable Resources node) {
    /** Jobs are not preempted. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final Pattern NAMED = Pattern.compile("([^=,+]+)=(.+)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,8})-([0-9]{1,8})");

    public Pool {
        nodes = (BitSet) nodes.clone();
        if (preempted < 1) {
            throw new IllegalArgumentException("pool '" + name + "' preempts jobs after " + preempted + " ms");
        }
        if (!(price >= 0) || !(load >= 0)) {
            throw new IllegalArgumentException(
                    "pool '" + name + "': price " + price + " and load " + load + " must not be negative");
        }
    }

    /** A pool whose jobs are not preempted. */
    public Pool(String name, BitSet nodes, JobLimits limits, int jobs, double price, double load) {
        this(name, nodes, limits, jobs, price, load, NEVER, null);
    }

    /** Consecutive nodes, without limits on the number of jobs, at the usual price. */
    public static Pool of(String name, int first, int past, JobLimits limits) {
        BitSet nodes = new BitSet();
        nodes.set(first, past);
        return new Pool(name, nodes, limits, Integer.MAX_VALUE, 1, past - first);
    }

    public int size() {
        return nodes.cardinality();
    }

    /** Whether a user may submit a job of this size. */
    public boolean allows(int units, long walltime) {
        return jobs > 0 && fits(units, walltime);
    }

    /** Whether a job is within the pool and the limits of one job. */
    boolean fits(int units, long walltime) {
        return units <= size() && limits.allow(units, walltime);
    }

    /**
     * Parses {@code NAME=FIRST-LAST[;FIRST-LAST…][,time=TIME][,nodes=N][,nodetime=TIME][,jobs=N][,price=X][,load=X][,preempt=TIME][,cores=N][,mem=SIZE][,gpus=N or TYPE:N]}: its nodes,
     * counted from 1, its limits, and what a node has where pools differ. The
     * load is the number of nodes if it is not given.
     *
     * @param cluster the nodes of the cluster
     */
    public static Pool parse(String text, int cluster) {
        String[] parts = text.strip().split(",", -1);
        Matcher named = NAMED.matcher(parts[0]);
        if (!named.matches()) {
            throw new InputException("'" + parts[0] + "' is not a pool; write NAME=FIRST-LAST, e.g. left=1-50");
        }
        String name = named.group(1);
        BitSet nodes = nodes(name, named.group(2), cluster);
        Pool pool = new Pool(name, nodes, JobLimits.NONE, Integer.MAX_VALUE, 1, nodes.cardinality());
        for (int i = 1; i < parts.length; i++) {
            pool = pool.with(parts[i]);
        }
        return pool;
    }

    private static BitSet nodes(String name, String text, int cluster) {
        BitSet nodes = new BitSet();
        for (String each : text.split(";", -1)) {
            Matcher range = RANGE.matcher(each);
            if (!range.matches()) {
                throw new InputException(
                        "pool '" + name + "': '" + each + "' are no nodes; write FIRST-LAST, e.g. 1-50");
            }
            int first = Integer.parseInt(range.group(1));
            int last = Integer.parseInt(range.group(2));
            if (first < 1 || last < first || last > cluster) {
                throw new InputException(
                        "pool '" + name + "' has nodes " + first + " to " + last + "; the cluster has 1 to " + cluster);
            }
            nodes.set(first - 1, last);
        }
        return nodes;
    }

    /** The text from which {@link #parse} makes the same pool, but for its load. */
    public String text() {
        StringBuilder text = new StringBuilder(name).append('=');
        for (int first = nodes.nextSetBit(0); first >= 0; first = nodes.nextSetBit(nodes.nextClearBit(first))) {
            text.append(first > nodes.nextSetBit(0) ? ";" : "");
            text.append((first + 1) + "-" + nodes.nextClearBit(first));
        }
        if (limits.walltime() < JobLimits.NONE.walltime()) {
            text.append(",time=").append(limits.walltime() / 1000).append('s');
        }
        if (limits.units() < JobLimits.NONE.units()) {
            text.append(",nodes=").append(limits.units());
        }
        if (limits.limitsUnitTime()) {
            text.append(",nodetime=").append(limits.unitTime() / 1000).append('s');
        }
        if (jobs < Integer.MAX_VALUE) {
            text.append(",jobs=").append(jobs);
        }
        text.append(price == 1 ? "" : ",price=" + DecimalText.fixed(price, 6));
        text.append(isPreemptible() ? ",preempt=" + Math.max(1, preempted / 1000) + "s" : "");
        if (node != null) {
            text.append(",cores=").append(node.cores());
            text.append(node.countsMemory() ? ",mem=" + node.memory() : "");
            text.append(
                    node.gpus() == Resources.UNCOUNTED_GPUS
                            ? ""
                            : ",gpus=" + GpuText.text(node).replace(',', ';'));
        }
        return text.toString();
    }

    private Resources anyNode() {
        return node == null ? Resources.node(1) : node;
    }

    private static <N extends Number> N positive(N number) {
        if (number.longValue() < 1) {
            throw new IllegalArgumentException("not positive");
        }
        return number;
    }

    /** The same at another price. */
    public Pool priced(double other) {
        return new Pool(name, nodes, limits, jobs, other, load, preempted, node);
    }

    /** The same with nodes that have this for tasks. */
    public Pool on(Resources other) {
        return new Pool(name, nodes, limits, jobs, price, load, preempted, other);
    }

    /** Whether a task fits on its nodes. */
    public boolean has(Resources needed) {
        return node == null || needed.excess(node) == null;
    }

    private Pool with(String setting) {
        int equals = setting.indexOf('=');
        String value = setting.substring(equals + 1);
        try {
            return switch (setting.substring(0, Math.max(0, equals))) {
                case "time" -> limited(limits.lasting(TimeText.millis(value)));
                case "nodes" -> limited(limits.and(new JobLimits(Integer.parseInt(value), limits.walltime())));
                case "nodetime" -> limited(limits.unitTime(TimeText.millis(value)));
                case "jobs" ->
                    new Pool(name, nodes, limits, Integer.parseUnsignedInt(value), price, load, preempted, node);
                case "price" -> priced(Double.parseDouble(value));
                case "load" -> new Pool(name, nodes, limits, jobs, price, Double.parseDouble(value), preempted, node);
                case "preempt" -> new Pool(name, nodes, limits, jobs, price, load, TimeText.millis(value), node);
                case "cores" -> on(anyNode().cores(positive(Integer.parseInt(value))));
                case "mem" -> on(anyNode().memory(positive(SizeText.bytes(value))));
                case "gpus" -> on(GpuText.on(anyNode(), value.replace(';', ',')));
                default ->
                    throw new InputException("pool '" + name + "': unknown setting '" + setting
                            + "'; there are time, nodes, nodetime, jobs, price, load, preempt, cores, mem and gpus");
            };
        } catch (IllegalArgumentException e) {
            throw new InputException(
                    "pool '" + name + "': '" + setting + "' is not valid; write e.g. time=4h, nodes=16,"
                            + " jobs=4, price=2, load=1.5, preempt=6h, cores=16, mem=64G or gpus=a100:2");
        }
    }

    /** The same with other limits of a job. */
    public Pool limited(JobLimits other) {
        return new Pool(name, nodes, other, jobs, price, load, preempted, node);
    }

    /** The same under another name. */
    public Pool named(String other) {
        return new Pool(other, nodes, limits, jobs, price, load, preempted, node);
    }

    /** The same if its jobs are preempted after this mean time, in milliseconds. */
    public Pool preemptedAfter(long mean) {
        return new Pool(name, nodes, limits, jobs, price, load, mean, node);
    }

    /** Whether its jobs may be preempted. */
    public boolean isPreemptible() {
        return preempted != NEVER;
    }

    /** The same with a walltime of at most half the mean time until preemption: a job survives it with probability exp(−½) = 0.61. */
    Pool planned() {
        return limited(limits.lasting(Math.max(1, Math.min(limits.walltime(), preempted / 2))));
    }

    /** The same pool with the nodes that are in service. */
    public Pool on(BitSet present) {
        return new Pool(name, present, limits, jobs, price, present.cardinality(), preempted, node);
    }

    /** The same for users that may submit no more jobs. */
    Pool closed() {
        return new Pool(name, nodes, limits, 0, price, load, preempted, node);
    }
}
