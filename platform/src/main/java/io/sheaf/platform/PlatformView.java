package io.sheaf.platform;

/** What an algorithm may see of the platform while it decides. */
public interface PlatformView {
    PlatformCluster cluster(int cluster);

    /** Idle cores on all nodes of a cluster. */
    int idleCores(int cluster);

    /** The bytes of a task's inputs in a cluster's storage. */
    double storedInputBytes(int task, int cluster);
}
