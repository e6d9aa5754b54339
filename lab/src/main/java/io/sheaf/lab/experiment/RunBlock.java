package io.sheaf.lab.experiment;

import io.sheaf.text.InputException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs of an experiment that share a setting: items, each of which is run with every strategy.
 *
 * <p>Item <i>name × {@link #repeats} + repeat</i> is one repeat of one name, e.g. of a workflow. The rows of an item depend only on its number in the block.
 */
public interface RunBlock {
    /** Runs items, in one thread. */
    @FunctionalInterface
    interface ItemRunner {
        /** Runs an item; returns one row per strategy in their order, or any number of rows of a study, without run numbers. */
        List<String> rows(int item);
    }

    /**
     * A run in a block.
     *
     * @param number the run number in the table
     * @param item the item in the block
     */
    record BlockRun(long number, int item, String strategy) {}

    /** The names of the items, e.g. workflows; a fraction selects repeats by name. */
    List<String> names();

    int repeats();

    /** The seed that selects the repeats of a fraction. */
    default long seed() {
        return 0;
    }

    /** A text that differs between blocks whose rows may differ. */
    String identity();

    /** Prepares the data that these items share; the result is called once per thread. */
    Supplier<ItemRunner> prepare(int[] items);

    /** Runs again with all decisions recorded; the runs are ordered by number. */
    default List<ReplayedRun> replay(List<BlockRun> runs) {
        throw new InputException("run " + runs.get(0).number()
                + " is not a run in a queue and has no page; to show a run on a platform, use"
                + " 'sheaf simulate WORKFLOW --platform P --algorithm A --html PAGE'");
    }

    default int items() {
        return names().size() * repeats();
    }
}
