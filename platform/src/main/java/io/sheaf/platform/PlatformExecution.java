package io.sheaf.platform;

import java.util.Arrays;

/** What happened in a simulation: where and when each task ran, how much was moved, what it cost. */
public final class PlatformExecution {
    private final Scenario scenario;
    private final int[] cluster;
    private final int[] node;
    private final int[] cores;
    private final double[] start;
    private final double[] read;
    private final double[] computed;
    private final double[] end;
    private double makespan;
    private double bytes;
    private double remoteBytes;
    private double coreSeconds;
    private double busyJoules;

    PlatformExecution(Scenario scenario) {
        this.scenario = scenario;
        int size = scenario.size();
        cluster = new int[size];
        node = new int[size];
        cores = new int[size];
        start = new double[size];
        read = new double[size];
        computed = new double[size];
        end = new double[size];
        Arrays.fill(start, Double.NaN);
        Arrays.fill(read, Double.NaN);
        Arrays.fill(computed, Double.NaN);
        Arrays.fill(end, Double.NaN);
    }

    void started(int task, int onCluster, int onNode, int count, double time) {
        cluster[task] = onCluster;
        node[task] = onNode;
        cores[task] = count;
        start[task] = time;
    }

    void hasRead(int task, double time) {
        read[task] = time;
    }

    void computed(int task, double time) {
        computed[task] = time;
        PlatformCluster used = scenario.platform().clusters().get(cluster[task]);
        // On how many cores it was done does not matter: Amdahl's law wastes their time, not their power.
        busyJoules += used.seconds(scenario.seconds[task]) * used.wattsPerCore();
    }

    void ended(int task, double time) {
        end[task] = time;
        makespan = Math.max(makespan, time);
        coreSeconds += cores[task] * (time - start[task]);
    }

    void moved(double count, boolean remote) {
        bytes += count;
        if (remote) {
            remoteBytes += count;
        }
    }

    public int cluster(int task) {
        return cluster[task];
    }

    /** The task's node, counted from 0 in its cluster by the order of the nodes' names. */
    public int node(int task) {
        return node[task];
    }

    public int cores(int task) {
        return cores[task];
    }

    /** When the task began to read its inputs, in seconds; not a number if it has not. */
    public double start(int task) {
        return start[task];
    }

    /** When the task had read its inputs. */
    public double read(int task) {
        return read[task];
    }

    /** When the task had computed. */
    public double computed(int task) {
        return computed[task];
    }

    /** When the task had written its outputs. */
    public double end(int task) {
        return end[task];
    }

    /** The latest end of a task, in seconds. */
    public double makespan() {
        return makespan;
    }

    /** Bytes of files read and written. */
    public double bytes() {
        return bytes;
    }

    /** Those of them that came from another cluster or from the user's machine. */
    public double remoteBytes() {
        return remoteBytes;
    }

    /** Seconds, summed over all cores, in which no task had the core. */
    public double idleCoreSeconds() {
        return scenario.platform().cores() * makespan - coreSeconds;
    }

    /** The energy of all nodes and storage hosts up to the last task's end. */
    public double joules() {
        return joules(makespan);
    }

    /** The energy up to a date, of what was computed so far. */
    double joules(double date) {
        return scenario.platform().idleWatts() * date + busyJoules;
    }

    void copy(PlatformExecution other) {
        System.arraycopy(other.cluster, 0, cluster, 0, cluster.length);
        System.arraycopy(other.node, 0, node, 0, node.length);
        System.arraycopy(other.cores, 0, cores, 0, cores.length);
        System.arraycopy(other.start, 0, start, 0, start.length);
        System.arraycopy(other.read, 0, read, 0, read.length);
        System.arraycopy(other.computed, 0, computed, 0, computed.length);
        System.arraycopy(other.end, 0, end, 0, end.length);
        makespan = other.makespan;
        bytes = other.bytes;
        remoteBytes = other.remoteBytes;
        coreSeconds = other.coreSeconds;
        busyJoules = other.busyJoules;
    }
}
