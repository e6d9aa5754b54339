package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.util.List;

/** The pilot jobs of a run as a table: when each was expected to start, and when it did. */
final class JobTable {
    /** Longer tables nobody reads; the chart has all. */
    private static final int MOST = 1000;

    private static final List<String> HEAD = List.of(
            "job", "tasks", "nodes", "walltime", "submitted", "expected start", "start", "difference", "ran", "ended");

    private JobTable() {}

    static String html(RunRecord run) {
        StringBuilder table = new StringBuilder("<thead><tr>");
        HEAD.forEach(name -> table.append("<th scope=\"col\">").append(name).append("</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        run.jobs().stream().limit(MOST).forEach(job -> row(table, job, run.start()));
        if (run.jobs().size() > MOST) {
            table.append(
                    "<tr><td colspan=\"" + HEAD.size() + "\">and " + (run.jobs().size() - MOST) + " more</td></tr>\n");
        }
        return table.append("</tbody>").toString();
    }

    private static void row(StringBuilder table, Job job, long start) {
        boolean both = job.hasStarted() && job.wasExpected();
        long late = both ? job.started() - job.expectedStart() : 0;
        table.append("<tr data-job=\"" + job.token() + "\"><th scope=\"row\">" + job.token() + "</th>");
        cell(table, Page.escape(job.claim()));
        cell(table, Rounded.count(job.nodes()));
        cell(table, Rounded.time(job.walltime()));
        cell(table, Rounded.time(job.submitted() - start));
        cell(table, job.wasExpected() ? Rounded.time(job.expectedStart() - start) : "not known");
        cell(table, job.hasStarted() ? Rounded.time(job.started() - start) : "never");
        cell(table, both ? Rounded.later(late) : "");
        cell(table, job.hasStarted() && job.hasEnded() ? Rounded.time(job.ended() - job.started()) : "");
        cell(table, job.how().word());
        table.append("</tr>\n");
    }

    private static void cell(StringBuilder table, String html) {
        table.append("<td>").append(html).append("</td>");
    }
}
