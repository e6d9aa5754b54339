package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/** Learnt waits of earlier jobs of a cluster and partition, shared by all runs there. */
public interface WaitMemory {
    /** Stands for a missing estimate of the scheduler. */
    long UNKNOWN = -1;

    /** Learns nothing. */
    WaitMemory NONE = new WaitMemory() {
        @Override
        public long expect(int nodes, long walltime, long estimate, RandomStream random) {
            return Math.max(0, estimate);
        }

        @Override
        public void learn(WaitObservation observation) {}
    };

    /**
     * The expected wait of a job, in milliseconds.
     *
     * @param estimate the scheduler's estimate in milliseconds, used until something was learnt; {@link #UNKNOWN} if there is none
     * @param random the source of samples
     */
    long expect(int nodes, long walltime, long estimate, RandomStream random);

    /** Records the wait of a job that has started. */
    void learn(WaitObservation observation);
}
