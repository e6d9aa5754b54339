package io.sheaf.lab.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** The figures of a report as rows of a table. */
final class SummaryRows {
    private SummaryRows() {}

    /** Writes the names of the columns; first those that tell the parts. */
    static void head(Writer out, List<String> part) throws IOException {
        out.write(String.join(",", part) + (part.isEmpty() ? "" : ",")
                + "workflow,strategy,runs,failed,makespan_seconds,makespan_low,makespan_high,improvement_percent,"
                + "improvement_low,improvement_high,p,wins,losses,gain_of_wins_percent,from_best_percent,"
                + "perceived_wait_seconds,relative_wait,held_node_hours,one_job_share,individual_share,beats,beaten\n");
    }

    /**
     * Writes what one strategy came to.
     *
     * @param counts workflows that it beats the baseline on and is beaten on, with a comma between
     */
    static void row(Writer out, List<String> part, String workflow, Figures f, String counts) throws IOException {
        List<String> fields = new ArrayList<>();
        part.forEach(value -> fields.add(quoted(value)));
        fields.add(quoted(workflow));
        fields.add(quoted(f.strategy()));
        fields.add(Integer.toString(f.runs()));
        fields.add(Integer.toString(f.failed()));
        for (double value : new double[] {
            f.makespanSeconds(),
            f.makespanInterval().low(),
            f.makespanInterval().high(),
            f.improvement(),
            f.improvementInterval().low(),
            f.improvementInterval().high(),
            f.p()
        }) {
            fields.add(Report.number(value, 4));
        }
        fields.add(Integer.toString(f.wins()));
        fields.add(Integer.toString(f.losses()));
        for (double value : new double[] {
            f.gainOfWins(),
            f.fromBest(),
            f.waitSeconds(),
            f.relativeWait(),
            f.nodeHoursHeld(),
            f.oneJob(),
            f.individual()
        }) {
            fields.add(Report.number(value, 4));
        }
        out.write(String.join(",", fields) + "," + counts + "\n");
    }

    private static String quoted(String text) {
        return text.indexOf(',') < 0 && text.indexOf('"') < 0 ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
