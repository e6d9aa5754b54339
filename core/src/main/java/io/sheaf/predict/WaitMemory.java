package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/** What is known of waits from earlier jobs of this cluster and partition; shared by all who submit there. */
public interface WaitMemory {
    /** In place of a scheduler's estimate: there is none. */
    long UNKNOWN = -1;

    /** Learns nothing. */
    WaitMemory NONE = new WaitMemory() {
        @Override
        public long expect(int nodes, long walltime, long estimate, RandomStream random) {
            return Math.max(0, estimate);
        }

        @Override
        public void learn(Lesson lesson) {}
    };

    /**
     * How long to expect a job to wait, in milliseconds.
     *
     * @param estimate what the scheduler says, in milliseconds, for as long as nothing was learnt; {@link #UNKNOWN} if it says nothing
     * @param random drawn from where there is a choice
     */
    long expect(int nodes, long walltime, long estimate, RandomStream random);

    /** A job has started. */
    void learn(Lesson lesson);
}
