package io.sheaf.lab;

import java.util.List;

/**
 * Runs of an experiment that share a setting: items, each of which is run with every strategy.
 *
 * <p>Item <i>subject × {@link #repeats} + repeat</i> is one subject, e.g. a workflow, run for the one or other time. What comes of an item depends on nothing but
 * its number here.
 */
interface Block {
    /** Is given what came of items; by any thread, and by several at once. */
    @FunctionalInterface
    interface Sink {
        /**
         * Takes the rows of an item.
         *
         * @param rows one for each strategy in their order, or any of a study; without the number
         */
        void ran(int item, List<String> rows);
    }

    /** What is run, by name. */
    List<String> names();

    /** How often each of them is run. */
    int repeats();

    /** What a fraction of the repeats is drawn from. */
    long seed();

    /** A text that is another one wherever something else could come out. */
    String identity();

    /** Runs items of these numbers. */
    void run(int threads, int[] items, Sink sink);

    default int items() {
        return names().size() * repeats();
    }
}
