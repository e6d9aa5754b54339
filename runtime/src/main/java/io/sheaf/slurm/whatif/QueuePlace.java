package io.sheaf.slurm.whatif;

import java.util.Set;

/**
 * Which nodes a job of ours may get, and its place in the queue.
 *
 * @param partition one, or several with commas; empty for the cluster's default
 * @param features what each node must have
 * @param priority ours; jobs of a lower one are behind us
 * @param reservation whose nodes it uses; empty for none
 */
record QueuePlace(String partition, Set<String> features, long priority, String reservation) {
    /** Behind everybody. */
    static final long LAST = Long.MIN_VALUE;

    static QueuePlace in(String partition) {
        return new QueuePlace(partition, Set.of(), LAST, "");
    }
}
