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
 */
public record Pool(String name, BitSet nodes, JobLimits limits, int jobs, double price, double load) {
    private static final Pattern RANGE = Pattern.compile("([^=,+]+)=([0-9]{1,8})-([0-9]{1,8})");

    public Pool {
        nodes = (BitSet) nodes.clone();
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("pool '" + name + "' has no nodes");
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
        return new Pool(name, nodes, limits, Integer.MAX_VALUE, 1, past - first);
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
     * Parses {@code NAME=FIRST-LAST[,time=TIME][,nodes=N][,jobs=N][,price=X][,load=X]}: its nodes, counted from 1, and its limits. The load is the
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
                case "jobs" -> new Pool(name, nodes, limits, Integer.parseUnsignedInt(value), price, load);
                case "price" -> new Pool(name, nodes, limits, jobs, Double.parseDouble(value), load);
                case "load" -> new Pool(name, nodes, limits, jobs, price, Double.parseDouble(value));
                default ->
                    throw new InputException("pool '" + name + "': unknown setting '" + setting
                            + "'; there are time, nodes, jobs, price and load");
            };
        } catch (IllegalArgumentException e) {
            throw new InputException("pool '" + name + "': '" + setting
                    + "' is not valid; write e.g. time=4h, nodes=16," + " jobs=4, price=2 or load=1.5");
        }
    }

    private Pool limited(JobLimits other) {
        return new Pool(name, nodes, other, jobs, price, load);
    }

    /** The same for users that may submit no more jobs. */
    Pool closed() {
        return new Pool(name, nodes, limits, 0, price, load);
    }
}
