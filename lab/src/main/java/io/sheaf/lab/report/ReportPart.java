package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a table with its figures.
 *
 * @param name the values that distinguish it, in words
 * @param values of the columns that distinguish the parts
 * @param byWorkflow the figures of all strategies, in their order
 * @param generated the names of generated workflows
 * @param overall over all workflows together
 */
record ReportPart(
        String name,
        List<String> values,
        List<Runs.Run> runs,
        Map<String, List<StrategyFigures>> byWorkflow,
        List<String> generated,
        List<StrategyFigures> overall) {
    /** The comparison of a strategy, by its number, with the baseline. */
    WinCounts counts(int strategy) {
        return WinCounts.of(
                byWorkflow.values().stream().map(all -> all.get(strategy)).toList());
    }

    /** The same without generated workflows. */
    WinCounts countsOfFiles(int strategy) {
        return WinCounts.of(byWorkflow.entrySet().stream()
                .filter(each -> !generated.contains(each.getKey()))
                .map(each -> each.getValue().get(strategy))
                .toList());
    }

    List<SummaryRows.Row> rows() {
        List<SummaryRows.Row> rows = new ArrayList<>();
        for (int i = 0; i < overall.size(); i++) {
            rows.add(new SummaryRows.Row(values, "", overall.get(i), counts(i)));
        }
        byWorkflow.forEach((workflow, all) -> all.forEach(
                each -> rows.add(new SummaryRows.Row(values, workflow, each, WinCounts.of(List.of(each))))));
        return rows;
    }

    /** The makespans of completed runs by strategy, sorted: divided by the lower bound, or in hours. */
    Map<String, double[]> samples(Runs table, boolean overBound) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        table.strategies().forEach(strategy -> samples.put(strategy, new ArrayList<>()));
        for (Runs.Run run : runs) {
            if (run.completed()) {
                double value = overBound ? run.makespan() / Math.max(run.bound(), 0.001) : run.makespan() / 3600;
                samples.computeIfAbsent(table.text(run, "strategy"), each -> new ArrayList<>())
                        .add(value);
            }
        }
        Map<String, double[]> sorted = new LinkedHashMap<>();
        samples.forEach((strategy, all) -> sorted.put(strategy, Samples.sorted(all)));
        return sorted;
    }
}
