package io.sheaf.lab.experiment;

import java.util.List;
import java.util.Map;

/** An experiment as read from its file; docs/lab.md describes the format. */
public interface Experiment {
    /** The title, the strategies and the baseline. */
    ComparisonSpec comparison();

    /** The columns of {@code runs.csv}: first the run number, last the reason of a failure. */
    List<String> columns();

    /** Additional entries of the manifest, from which the report selects its form. */
    default Map<String, String> manifestEntries() {
        return Map.of();
    }

    /** Opens all files that the experiment names, reports every problem, and returns the blocks of runs. */
    List<RunBlock> blocks(Inputs inputs, Problems problems);
}
