package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.manager.Order;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The decisions of a run as an HTML list: options, estimates, orders and outcomes. */
final class DecisionList {
    /** The maximum number of listed decisions, for the browser's speed; the text explanation has all. */
    private static final int MAX_DECISIONS = 1000;

    private static final int OPEN = 3;

    private final RunRecord run;
    private final Map<Long, JobRecord> jobs = new HashMap<>();
    private final StringBuilder list = new StringBuilder();

    private DecisionList(RunRecord run) {
        this.run = run;
        run.jobs().forEach(job -> jobs.put(job.token(), job));
    }

    static String html(RunRecord run) {
        DecisionList made = new DecisionList(run);
        int count = Math.min(MAX_DECISIONS, run.decisions().size());
        for (int i = 0; i < count; i++) {
            made.entry(i, run.decisions().get(i));
        }
        if (count < run.decisions().size()) {
            made.list.append(
                    "<li>and " + (run.decisions().size() - count) + " more; 'sheaf explain' prints all.</li>\n");
        }
        return made.list.toString();
    }

    private void entry(int number, DecisionRecord decision) {
        list.append("<li id=\"decision" + number + "\"><details" + (number < OPEN ? " open" : "")
                + "><summary><b>after " + Rounded.time(decision.at() - run.start()) + "</b> "
                + Page.escape(decision.summary()) + "</summary>\n");
        options(decision);
        for (DecisionRecord.Ordered ordered : decision.orders()) {
            list.append("<p>").append(Page.escape(outcome(ordered))).append("</p>\n");
        }
        long expected = decision.expectedEnd();
        if (expected != JobRecord.NEVER) {
            list.append("<p>Estimated makespan " + Rounded.time(expected - run.start())
                    + (run.completed() ? "; actual " + Rounded.time(run.makespanMillis()) : "") + ".</p>\n");
        }
        list.append("<p><button type=\"button\" data-at=\"" + (decision.at() - run.start())
                + "\">Show in the chart</button></p></details></li>\n");
    }

    private void options(DecisionRecord decision) {
        List<DecisionRecord.Option> options = decision.options();
        if (options.isEmpty()) {
            return;
        }
        int chosen = decision.chosenOption();
        list.append("<div class=\"scroll\"><table class=\"plain\"><thead><tr>");
        Explanation.OPTIONS.labels().forEach(label -> list.append("<th scope=\"col\">" + label + "</th>"));
        list.append("</tr></thead><tbody>\n");
        for (int i = 0; i < options.size(); i++) {
            String cells = Explanation.OPTIONS.cells(options.get(i)).stream()
                    .map(Page::escape)
                    .collect(Collectors.joining("</td><td>"));
            list.append(i == chosen ? "<tr class=\"taken\"><td>✓ " : "<tr><td>")
                    .append(cells)
                    .append("</td></tr>\n");
        }
        list.append("</tbody></table></div>\n");
    }

    private String outcome(DecisionRecord.Ordered ordered) {
        JobRecord job = jobs.get(ordered.token());
        if (ordered.order() instanceof Order.Cancel) {
            return "Job " + ordered.token() + " was cancelled.";
        }
        if (ordered.order() instanceof Order.Drain) {
            return "Job " + ordered.token() + " was drained: no more tasks start in it.";
        }
        if (ordered.order() instanceof Order.Shorten shorten) {
            return "Job " + ordered.token() + " was shortened to " + Rounded.time(shorten.walltime()) + ".";
        }
        if (job == null) {
            return "Job " + ordered.token() + " was submitted; no further record of it.";
        }
        StringJoiner words = new StringJoiner(", ", "Job " + job.token() + " for " + job.claim() + ": ", ".");
        words.add(Rounded.count(job.nodes())
                + (job.nodes() == 1 ? " node for " : " nodes for ")
                + Rounded.time(job.walltime()));
        words.add(
                job.wasExpected()
                        ? "estimated start after " + Rounded.time(job.expectedStart() - run.start())
                        : "no start estimate");
        words.add(job.hasStarted() ? "started after " + Rounded.time(job.started() - run.start()) : "not started");
        if (job.hasStarted() && job.wasExpected()) {
            words.add(Rounded.later(job.started() - job.expectedStart()));
        }
        words.add(job.end().word() + (job.hasEnded() ? " after " + Rounded.time(job.ended() - run.start()) : ""));
        return words.toString();
    }
}
