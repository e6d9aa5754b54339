package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.page.Page;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import java.util.List;

/** The pilot jobs of a run as an HTML table. */
final class RunJobTable {
    /** Rows of the table; the chart shows all jobs. */
    private static final int MOST = 1000;

    private RunJobTable() {}

    static String html(RunRecord run) {
        Fields<Job> columns = JobFigures.of(run.start());
        StringBuilder table = new StringBuilder("<thead><tr>");
        columns.labels()
                .forEach(name -> table.append("<th scope=\"col\">").append(name).append("</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        for (Job job : run.jobs().subList(0, Math.min(MOST, run.jobs().size()))) {
            List<String> cells = columns.cells(job);
            table.append("<tr data-job=\"" + job.token() + "\"><th scope=\"row\">" + cells.get(0) + "</th>");
            cells.subList(1, cells.size())
                    .forEach(cell ->
                            table.append("<td>").append(Page.escape(cell)).append("</td>"));
            table.append("</tr>\n");
        }
        if (run.jobs().size() > MOST) {
            table.append("<tr><td colspan=\"" + columns.labels().size() + "\">and "
                    + (run.jobs().size() - MOST) + " more</td></tr>\n");
        }
        return table.append("</tbody>").toString();
    }
}
