package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a table: what would be a figure in a paper.
 *
 * @param name the values that tell it from others, in words
 * @param values of the columns that tell the parts
 * @param byWorkflow the figures of all strategies, in their order
 * @param generated the workflows that were made and not read
 * @param overall over all workflows together
 */
record ReportPart(
        String name,
        List<String> values,
        List<Runs.Run> runs,
        Map<String, List<Figures>> byWorkflow,
        List<String> generated,
        List<Figures> overall) {
    /** How a strategy, by its number, stands to the baseline on the workflows. */
    Counts counts(int strategy) {
        return Counts.of(
                byWorkflow.values().stream().map(all -> all.get(strategy)).toList());
    }

    /** The same on workflows that were read from files. */
    Counts countsOfFiles(int strategy) {
        List<Figures> files = new ArrayList<>();
        byWorkflow.forEach((workflow, all) -> {
            if (!generated.contains(workflow)) {
                files.add(all.get(strategy));
            }
        });
        return Counts.of(files);
    }

    List<SummaryRows.Row> rows() {
        List<SummaryRows.Row> rows = new ArrayList<>();
        for (int i = 0; i < overall.size(); i++) {
            rows.add(new SummaryRows.Row(values, "", overall.get(i), counts(i)));
        }
        byWorkflow.forEach((workflow, all) ->
                all.forEach(each -> rows.add(new SummaryRows.Row(values, workflow, each, Counts.of(List.of(each))))));
        return rows;
    }

    /** Completed makespans by strategy, sorted: over the lower bound, or in hours. */
    Map<String, double[]> samples(Runs table, boolean overBound) {
        Map<String, List<Double>> some = new LinkedHashMap<>();
        table.strategies().forEach(strategy -> some.put(strategy, new ArrayList<>()));
        for (Runs.Run run : runs) {
            if (run.completed()) {
                double value = overBound ? run.makespan() / Math.max(run.bound(), 0.001) : run.makespan() / 3600;
                some.computeIfAbsent(table.text(run, "strategy"), each -> new ArrayList<>())
                        .add(value);
            }
        }
        Map<String, double[]> sorted = new LinkedHashMap<>();
        some.forEach((strategy, all) -> sorted.put(strategy, Charts.sorted(all)));
        return sorted;
    }
}
