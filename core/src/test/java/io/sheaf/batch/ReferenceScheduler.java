package io.sheaf.batch;

/** Reference scheduler that {@link BatchEngine} is compared with; its methods are those of the engine. */
interface ReferenceScheduler {
    int submit(long at, Submission job);

    void complete(int job, long at);

    void cancel(int job, long at);

    void shorten(int job, long walltime, long at);

    void reserve(int units, long from, long to, long at);

    int pass(long at, int[] started);

    long nextPass();

    int queued();

    long start(int job);

    long limit(int job);

    long estimate(long at, Submission job);
}
