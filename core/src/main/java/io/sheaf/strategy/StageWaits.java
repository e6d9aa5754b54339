package io.sheaf.strategy;

import io.sheaf.predict.WaitMemory;
import io.sheaf.random.RandomStream;

/** Estimates the queue wait of a stage that is submitted now. */
interface StageWaits {
    /** The estimator's answer. */
    StageWaits ESTIMATED = (queue, nodes, run, level) -> queue.waitFor(nodes, run);

    /** The queue wait of a job of some nodes and run time that begins at a level, in milliseconds. */
    long millis(Queue queue, int nodes, long run, int level);

    /** Whether the estimate is sampled, so that it must be kept for the stage. */
    default boolean isDrawn(Queue queue) {
        return false;
    }

    /** A constant wait. */
    static StageWaits fixed(long millis) {
        return (queue, nodes, run, level) -> millis;
    }

    /** Learnt waits; before the first lesson, samples around the estimator's answer. */
    static StageWaits learnt(WaitMemory memory, long seed) {
        return new StageWaits() {
            @Override
            public long millis(Queue queue, int nodes, long run, int level) {
                RandomStream random = new RandomStream(seed)
                        .split(queue.view.workflow().name())
                        .split(level)
                        .split(queue.view.now());
                long estimate = queue.isKnown() ? queue.waitFor(nodes, run) : WaitMemory.UNKNOWN;
                return memory.expect(nodes, queue.estimateWalltime(run), estimate, random);
            }

            @Override
            public boolean isDrawn(Queue queue) {
                return true;
            }
        };
    }

    /** The estimator's answer if it has a basis, otherwise the learnt wait. */
    static StageWaits estimatedOr(StageWaits learnt) {
        return new StageWaits() {
            @Override
            public long millis(Queue queue, int nodes, long run, int level) {
                return (queue.isKnown() ? ESTIMATED : learnt).millis(queue, nodes, run, level);
            }

            @Override
            public boolean isDrawn(Queue queue) {
                return !queue.isKnown();
            }
        };
    }
}
