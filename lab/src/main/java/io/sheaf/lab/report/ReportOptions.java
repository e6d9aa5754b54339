package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a table of runs is reported.
 *
 * @param by columns that make the parts, also cut in two ({@code width>128}); those that tell if none are named
 * @param bestOf which strategies count for the best; all if empty
 * @param runOf the strategy whose running time a wait is measured against; its own if empty
 * @param paired a column; only runs that are there for each of its values count. All if empty
 * @param spread a column; told is how much improvements depend on it. None if empty
 */
public record ReportOptions(List<String> by, String bestOf, String runOf, String paired, String spread) {
    public static final ReportOptions NONE = new ReportOptions(List.of(), "", "", "", "");

    /** These, and where they leave something open, what the experiment asks for. */
    ReportOptions or(Map<String, String> manifest) {
        String asked = manifest.getOrDefault("reportBy", "");
        return new ReportOptions(
                by.isEmpty() && !asked.isEmpty() ? List.of(asked.split(",")) : by,
                bestOf.isEmpty() ? manifest.getOrDefault("reportBestOf", "") : bestOf,
                runOf.isEmpty() ? manifest.getOrDefault("reportRunOf", "") : runOf,
                paired.isEmpty() ? manifest.getOrDefault("reportPaired", "") : paired,
                spread.isEmpty() ? manifest.getOrDefault("reportSpread", "") : spread);
    }

    /** The columns that make the parts: those named, and the one over which improvements are spread. */
    List<String> parts() {
        List<String> parts = new ArrayList<>(by);
        if (!by.isEmpty() && !spread.isEmpty() && !by.contains(spread)) {
            parts.add(spread);
        }
        return parts;
    }
}
