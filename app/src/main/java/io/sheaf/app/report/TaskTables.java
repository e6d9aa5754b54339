package io.sheaf.app.report;

import io.sheaf.agent.protocol.Message;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.page.Page;
import io.sheaf.manager.TaskState;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The tasks of a real run as sections of its page: failures, and used beside requested resources. */
public final class TaskTables {
    /** Failed tasks with their output, for the size of the page. */
    private static final int MAX_FAILURES = 50;

    private static final int MAX_TASKS = 2000;

    private static final String NOT_MEASURED = "–";

    private static final Fields<TaskFigures> TASKS = new Fields<TaskFigures>()
            .left("task", TaskFigures::id)
            .left("category", TaskFigures::category)
            .left("state", task -> task.state().name().toLowerCase(Locale.ROOT))
            .right("attempts", task -> Rounded.count(task.attempts()))
            .right("run time", task -> time(task.runMillis()))
            .right("expected", task -> time(task.expectedMillis()))
            .right("busy cores", task -> cores(task.busyCores()))
            .right("cores requested", task -> task.requested().coresText())
            .right("peak memory", task -> bytes(task.peakMemoryBytes()))
            .right("memory requested", task -> requested(task.requested().memory()))
            .right("read", task -> bytes(task.readBytes()))
            .right("written", task -> bytes(task.writtenBytes()));

    /** The tasks of a category that have ended. */
    private record CategoryTasks(String name, List<TaskFigures> tasks) {
        long median(ToLongFunction<TaskFigures> value) {
            long[] known = known(value);
            return known.length == 0 ? TaskFigures.UNKNOWN : known[(known.length - 1) / 2];
        }

        /** The known values, ascending. */
        private long[] known(ToLongFunction<TaskFigures> value) {
            return tasks.stream()
                    .mapToLong(value)
                    .filter(each -> each >= 0)
                    .sorted()
                    .toArray();
        }

        long most(ToLongFunction<TaskFigures> value) {
            return tasks.stream().mapToLong(value).max().orElse(TaskFigures.UNKNOWN);
        }

        long sum(ToLongFunction<TaskFigures> value) {
            long[] known = known(value);
            return known.length == 0
                    ? TaskFigures.UNKNOWN
                    : LongStream.of(known).sum();
        }

        double busyCores() {
            return tasks.stream()
                    .mapToDouble(TaskFigures::busyCores)
                    .filter(each -> each >= 0)
                    .average()
                    .orElse(TaskFigures.UNKNOWN);
        }

        String requestedCores() {
            return tasks.stream()
                    .map(TaskFigures::requested)
                    .max(Comparator.comparingInt(each -> each.cores()))
                    .map(each -> each.coresText())
                    .orElse(NOT_MEASURED);
        }
    }

    private static final Fields<CategoryTasks> CATEGORIES = new Fields<CategoryTasks>()
            .left("category", category -> category.name.isEmpty() ? "none" : category.name)
            .right("tasks ended", category -> Rounded.count(category.tasks.size()))
            .right("run time, median", category -> time(category.median(TaskFigures::runMillis)))
            .right("maximum", category -> time(category.most(TaskFigures::runMillis)))
            .right("expected, median", category -> time(category.median(TaskFigures::expectedMillis)))
            .right("busy cores, mean", category -> cores(category.busyCores()))
            .right("cores requested", CategoryTasks::requestedCores)
            .right("peak memory", category -> bytes(category.most(TaskFigures::peakMemoryBytes)))
            .right(
                    "memory requested",
                    category -> requested(category.most(task -> task.requested().memory())))
            .right("read, total", category -> bytes(category.sum(TaskFigures::readBytes)))
            .right("written, total", category -> bytes(category.sum(TaskFigures::writtenBytes)));

    private TaskTables() {}

    /** The resources by category and by task; empty if no task has ended. */
    public static String resources(List<TaskFigures> tasks) {
        StringBuilder out = new StringBuilder();
        Map<String, List<TaskFigures>> byCategory = tasks.stream()
                .filter(task -> task.last() != null)
                .collect(Collectors.groupingBy(TaskFigures::category, TreeMap::new, Collectors.toList()));
        if (byCategory.isEmpty()) {
            return out.toString();
        }
        List<CategoryTasks> categories = new ArrayList<>();
        byCategory.forEach((name, members) -> categories.add(new CategoryTasks(name, members)));
        out.append(
                "<section aria-labelledby=\"use-by-category\">\n<h2 id=\"use-by-category\">Resources by category</h2>\n"
                        + "<p class=\"hint\">Used resources are those of the last attempt, sampled about once a second: "
                        + NOT_MEASURED + " marks what was not requested, or ended before the first sample. "
                        + "Read and written count system calls on files and pipes.</p>\n");
        table("names", CATEGORIES, categories, out);
        List<RequestAdvice> advice = RequestAdvice.of("", tasks);
        out.append(
                "</section>\n<section aria-labelledby=\"advice\">\n<h2 id=\"advice\">Requested and used</h2>\n"
                        + "<p class=\"hint\">Used: the 95th percentile of the tasks that succeeded. Suggested: a quarter more, "
                        + "from at least five measured tasks. CPU efficiency: processor time as a share of the allocated cores' time.</p>\n");
        table("names", RequestAdvice.COLUMNS, advice, out);
        for (RequestAdvice each : advice) {
            if (!each.changes().isEmpty()) {
                out.append("<p class=\"advice\">" + Page.escape(each.text()) + ".</p>\n");
            }
        }
        out.append(
                "</section>\n<section aria-labelledby=\"use-by-task\">\n<h2 id=\"use-by-task\">Resources by task</h2>\n"
                        + "<details" + (tasks.size() <= 50 ? " open" : "") + "><summary>" + Rounded.count(tasks.size())
                        + (tasks.size() == 1 ? " task" : " tasks") + "</summary>\n");
        table("names tasks", TASKS, tasks.subList(0, Math.min(MAX_TASKS, tasks.size())), out);
        if (tasks.size() > MAX_TASKS) {
            out.append("<p>and " + Rounded.count(tasks.size() - MAX_TASKS) + " more; record.json has all.</p>\n");
        }
        return out.append("</details>\n</section>\n").toString();
    }

    /** The failed tasks with the last lines of their error output; empty if there are none. */
    public static String failures(List<TaskFigures> tasks) {
        List<TaskFigures> failed =
                tasks.stream().filter(task -> task.state() == TaskState.FAILED).toList();
        if (failed.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        out.append("<section aria-labelledby=\"failed-title\">\n<h2 id=\"failed-title\">Failed tasks</h2>\n");
        for (TaskFigures task : failed.subList(0, Math.min(MAX_FAILURES, failed.size()))) {
            Message.Ended last = task.last();
            out.append("<div class=\"failure\"><h3>" + Page.escape(task.id()) + "</h3>\n<p>"
                    + Page.escape(last == null ? "its pilot jobs were lost" : last.reason()) + "; "
                    + Rounded.count(task.attempts()) + (task.attempts() == 1 ? " attempt" : " attempts")
                    + (last == null
                            ? ""
                            : ", the last one ran " + Rounded.time(last.usage().runMillis())) + ".</p>\n");
            if (last != null && !last.lastLines().isEmpty()) {
                out.append("<pre aria-label=\"Last lines of its error output\">"
                        + Page.escape(String.join("\n", last.lastLines())) + "</pre>\n");
            }
            out.append("</div>\n");
        }
        if (failed.size() > MAX_FAILURES) {
            out.append("<p>and " + Rounded.count(failed.size() - MAX_FAILURES) + " more.</p>\n");
        }
        return out.append("</section>\n").toString();
    }

    private static <R> void table(String style, Fields<R> columns, List<R> rows, StringBuilder out) {
        out.append("<div class=\"scroll listed\"><table class=\"plain " + style + "\"><thead><tr>");
        columns.labels().forEach(name -> out.append("<th scope=\"col\">" + name + "</th>"));
        out.append("</tr></thead>\n<tbody>\n");
        for (R row : rows) {
            out.append("<tr>");
            List<String> cells = columns.cells(row);
            out.append("<th scope=\"row\">" + Page.escape(cells.get(0)) + "</th>");
            cells.stream().skip(1).forEach(cell -> out.append("<td>" + Page.escape(cell) + "</td>"));
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private static String time(long millis) {
        return millis < 0 ? NOT_MEASURED : Rounded.time(millis);
    }

    private static String cores(double busy) {
        return busy < 0 ? NOT_MEASURED : DecimalText.fixed(busy, 2);
    }

    private static String requested(long bytes) {
        return bytes <= 0 ? NOT_MEASURED : bytes(bytes);
    }

    private static String bytes(long bytes) {
        return bytes < 0 ? NOT_MEASURED : Fields.bytes(bytes, 100);
    }
}
