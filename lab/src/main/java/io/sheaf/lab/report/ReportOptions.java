package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Options of a report.
 *
 * @param by the columns that distinguish the parts, also with a threshold ({@code width>128}); empty for all that differ
 * @param bestOf the strategies among which the best is chosen; all if empty
 * @param runOf the strategy whose running time is the reference of waits; each run's own if empty
 * @param paired a column: only runs that exist for each of its values are reported; all if empty
 * @param spread a column whose effect on improvements is reported; none if empty
 */
public record ReportOptions(List<String> by, String bestOf, String runOf, String paired, String spread) {
    public static final ReportOptions NONE = new ReportOptions(List.of(), "", "", "", "");

    /** These options, with those of the experiment for options that are not given. */
    ReportOptions or(Map<String, String> manifest) {
        String groups = manifest.getOrDefault("reportBy", "");
        return new ReportOptions(
                by.isEmpty() && !groups.isEmpty() ? List.of(groups.split(",")) : by,
                bestOf.isEmpty() ? manifest.getOrDefault("reportBestOf", "") : bestOf,
                runOf.isEmpty() ? manifest.getOrDefault("reportRunOf", "") : runOf,
                paired.isEmpty() ? manifest.getOrDefault("reportPaired", "") : paired,
                spread.isEmpty() ? manifest.getOrDefault("reportSpread", "") : spread);
    }

    /** The columns that distinguish the parts: those named, and that of the spread. */
    List<String> parts() {
        List<String> parts = new ArrayList<>(by);
        if (!by.isEmpty() && !spread.isEmpty() && !by.contains(spread)) {
            parts.add(spread);
        }
        return parts;
    }
}
