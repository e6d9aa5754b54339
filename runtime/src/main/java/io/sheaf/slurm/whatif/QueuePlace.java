package io.sheaf.slurm.whatif;

import java.util.Set;

/**
 * The nodes that our jobs may use, and their position in the queue.
 *
 * @param partition one, or several separated by commas; empty for the cluster's default
 * @param features the required node features
 * @param priority our priority; jobs of a lower one are behind us
 * @param reservation the reservation in use; empty for none
 */
record QueuePlace(String partition, Set<String> features, long priority, String reservation) {
    /** Behind all other jobs. */
    static final long LAST = Long.MIN_VALUE;

    static QueuePlace in(String partition) {
        return new QueuePlace(partition, Set.of(), LAST, "");
    }
}
