package io.sheaf.strategy;

/** Says how long a stage that is submitted now will wait. */
@FunctionalInterface
interface StageWaits {
    /** The estimator's answer. */
    StageWaits ASKED = Queue::waitFor;

    /** The wait of a job of so many nodes whose work takes so long, in milliseconds. */
    long millis(Queue queue, int nodes, long run);

    /** Always the same. */
    static StageWaits fixed(long millis) {
        return (queue, nodes, run) -> millis;
    }
}
