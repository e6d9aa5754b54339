package io.sheaf.lab.experiment;

import java.util.List;
import java.util.Map;

/** An experiment as read from its file; docs/lab.md describes the format. */
public abstract class Experiment {
    private final ComparisonSpec comparison;
    private final List<String> columns;

    protected Experiment(ComparisonSpec comparison, List<String> columns) {
        this.comparison = comparison;
        this.columns = columns;
    }

    /** The title, the strategies and the baseline. */
    public final ComparisonSpec comparison() {
        return comparison;
    }

    /** The columns of {@code runs.csv}: first the run number, last the reason of a failure. */
    public final List<String> columns() {
        return columns;
    }

    /** Additional entries of the manifest, from which the report selects its form. */
    public Map<String, String> manifestEntries() {
        return Map.of();
    }

    /** Opens all files that the experiment names, reports every problem, and returns the blocks of runs. */
    public abstract List<RunBlock> blocks(Inputs inputs, Problems problems);
}
