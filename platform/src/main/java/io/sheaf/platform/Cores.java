package io.sheaf.platform;

import java.util.Arrays;
import java.util.List;

/**
 * The idle cores of all nodes.
 *
 * <p>A task goes to the node with the fewest busy cores; ties by node name as text, where 10 precedes 2.
 */
final class Cores {
    private final int[] start;
    private final int[] cores;
    private final int[] idle;
    private final int[] idleOfCluster;
    /** For each cluster and number of idle cores, the number of such nodes. */
    private final int[][] nodesWith;

    int allIdle;

    Cores(List<PlatformCluster> clusters) {
        int count = clusters.size();
        start = new int[count + 1];
        cores = new int[count];
        idleOfCluster = new int[count];
        nodesWith = new int[count][];
        for (int k = 0; k < count; k++) {
            PlatformCluster cluster = clusters.get(k);
            start[k + 1] = start[k] + cluster.nodes();
            cores[k] = cluster.cores();
            idleOfCluster[k] = cluster.allCores();
            allIdle += cluster.allCores();
            nodesWith[k] = new int[cluster.cores() + 1];
            nodesWith[k][cluster.cores()] = cluster.nodes();
        }
        idle = new int[start[count]];
        for (int k = 0; k < count; k++) {
            Arrays.fill(idle, start[k], start[k + 1], cores[k]);
        }
    }

    int idle(int cluster) {
        return idleOfCluster[cluster];
    }

    int maxIdlePerNode(int cluster) {
        int max = cores[cluster];
        while (max > 0 && nodesWith[cluster][max] == 0) {
            max--;
        }
        return max;
    }

    /** Allocates cores on a node; returns the node, counted from 0 in its cluster. */
    int allocate(int cluster, int count) {
        int max = maxIdlePerNode(cluster);
        if (count > max) {
            throw new IllegalStateException(count + " cores requested, " + max + " idle on a node");
        }
        int node = start[cluster];
        while (idle[node] != max) {
            node++;
        }
        change(cluster, node, -count);
        return node - start[cluster];
    }

    void release(int cluster, int node, int count) {
        change(cluster, start[cluster] + node, count);
    }

    private void change(int cluster, int node, int more) {
        nodesWith[cluster][idle[node]]--;
        idle[node] += more;
        nodesWith[cluster][idle[node]]++;
        idleOfCluster[cluster] += more;
        allIdle += more;
    }

    void copy(Cores other) {
        System.arraycopy(other.idle, 0, idle, 0, idle.length);
        System.arraycopy(other.idleOfCluster, 0, idleOfCluster, 0, idleOfCluster.length);
        for (int k = 0; k < cores.length; k++) {
            System.arraycopy(other.nodesWith[k], 0, nodesWith[k], 0, nodesWith[k].length);
        }
        allIdle = other.allIdle;
    }
}
