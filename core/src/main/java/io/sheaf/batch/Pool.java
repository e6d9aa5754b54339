package io.sheaf.batch;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node pool of a cluster, such as a partition with a QOS: its jobs run on its nodes only. Pools may share nodes.
 *
 * @param nodes the numbers of its nodes in the cluster
 * @param limits of one job
 * @param jobs the maximum number of jobs of a user in the pool, queued and running
 * @param price of a node-hour, relative to those of the other pools; 1 if all are equal
 * @param load the part of a log's jobs that a simulation sends to the pool, relative to the other pools
 * @param preempted the mean time from the start of a job of ours to its preemption, in milliseconds; {@link #NEVER} if it keeps its nodes
 */
public record Pool(String name, BitSet nodes, JobLimits limits, int jobs, double price, double load, long preempted) {
    /** Jobs are not preempted. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final Pattern RANGE = Pattern.compile("([^=,+]+)=([0-9]{1,8})-([0-9]{1,8})");

    public Pool {
        nodes = (BitSet) nodes.clone();
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("pool '" + name + "' has no nodes");
        }
        if (preempted < 1) {
            throw new IllegalArgumentException("pool '" + name + "' preempts jobs after " + preempted + " ms");
        }
        if (!(price >= 0) || !(load >= 0)) {
            throw new IllegalArgumentException(
                    "pool '" + name + "': price " + price + " and load " + load + " must not be negative");
        }
    }

    /** Consecutive nodes, without limits on the number of jobs, at the usual price. */
    public static Pool of(String name, int first, int past, JobLimits limits) {
        BitSet nodes = new BitSet();
        nodes.set(first, past);
        return new Pool(name, nodes, limits, Integer.MAX_VALUE, 1, past - first, NEVER);
    }

    /** The number of nodes. */
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
     * Parses {@code NAME=FIRST-LAST[,time=TIME][,nodes=N][,jobs=N][,price=X][,load=X][,preempt=TIME]}: its nodes, counted from 1, and its limits. The load is the
     * number of nodes if it is not given.
     *
     * @param cluster the nodes of the cluster
     */
    static Pool parse(String text, int cluster) {
        String[] parts = text.strip().split(",", -1);
        Matcher range = RANGE.matcher(parts[0]);
        if (!range.matches()) {
            throw new InputException("'" + parts[0] + "' is not a pool; write NAME=FIRST-LAST, e.g. left=1-50");
        }
        int first = Integer.parseInt(range.group(2));
        int last = Integer.parseInt(range.group(3));
        if (first < 1 || last < first || last > cluster) {
            throw new InputException("pool '" + range.group(1) + "' has nodes " + first + " to " + last
                    + "; the cluster has 1 to " + cluster);
        }
        Pool pool = of(range.group(1), first - 1, last, JobLimits.NONE);
        for (int i = 1; i < parts.length; i++) {
            pool = pool.with(parts[i]);
        }
        return pool;
    }

    private Pool with(String setting) {
        int equals = setting.indexOf('=');
        String value = setting.substring(equals + 1);
        try {
            return switch (setting.substring(0, Math.max(0, equals))) {
                case "time" -> limited(new JobLimits(limits.units(), TimeText.millis(value)));
                case "nodes" -> limited(new JobLimits(Integer.parseInt(value), limits.walltime()));
                case "jobs" -> new Pool(name, nodes, limits, Integer.parseUnsignedInt(value), price, load, preempted);
                case "price" -> new Pool(name, nodes, limits, jobs, Double.parseDouble(value), load, preempted);
                case "load" -> new Pool(name, nodes, limits, jobs, price, Double.parseDouble(value), preempted);
                case "preempt" -> new Pool(name, nodes, limits, jobs, price, load, TimeText.millis(value));
                default ->
                    throw new InputException("pool '" + name + "': unknown setting '" + setting
                            + "'; there are time, nodes, jobs, price, load and preempt");
            };
        } catch (IllegalArgumentException e) {
            throw new InputException("pool '" + name + "': '" + setting
                    + "' is not valid; write e.g. time=4h, nodes=16," + " jobs=4, price=2, load=1.5 or preempt=6h");
        }
    }

    private Pool limited(JobLimits other) {
        return new Pool(name, nodes, other, jobs, price, load, preempted);
    }

    /** Whether its jobs may be preempted. */
    public boolean isPreemptible() {
        return preempted != NEVER;
    }

    /** The same with a walltime of at most half the mean time until preemption: a job survives it with probability exp(−½) = 0.61. */
    Pool planned() {
        return limited(new JobLimits(limits.units(), Math.max(1, Math.min(limits.walltime(), preempted / 2))));
    }

    /** The same for users that may submit no more jobs. */
    Pool closed() {
        return new Pool(name, nodes, limits, 0, price, load, preempted);
    }
}
