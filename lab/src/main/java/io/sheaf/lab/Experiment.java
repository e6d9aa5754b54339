package io.sheaf.lab;

import java.util.List;
import java.util.Map;

/**
 * An experiment as it is written; docs/reference/experiment-files.md describes the file.
 *
 * <p>There are several kinds, each with keys and columns of its own: {@link ExperimentFile} tells which one a file is. What a kind need not know is how its runs are
 * numbered, drawn, kept, put together and reported.
 */
interface Experiment {
    /** What is compared. */
    Compared compared();

    /** The columns of its table: first the number of the run, last why it could not complete. */
    List<String> columns();

    /** What else the report must know, by name. */
    default Map<String, String> noted() {
        return Map.of();
    }

    /** Finds and checks all that it names, notes what is wrong, and makes the blocks. */
    List<Block> blocks(Inputs inputs, Problems problems);
}
