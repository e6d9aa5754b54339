package io.sheaf.app.workflow;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Size, shape, work and files of a workflow. */
record WorkflowFigures(Workflow workflow, long bytes, int filesWithoutSize, List<CategoryWork> categories) {

    private static final int MAX_CATEGORIES = 20;

    /**
     * The tasks of one category.
     *
     * @param timed the tasks whose run time is known
     */
    record CategoryWork(String name, int tasks, int timed, long micros) {}

    static WorkflowFigures of(Workflow w) {
        long bytes = 0;
        int unsized = 0;
        for (int file = 0; file < w.files(); file++) {
            bytes += Math.max(0, w.fileSize(file));
            unsized += w.fileSize(file) == Workflow.UNKNOWN ? 1 : 0;
        }
        int[] count = new int[w.categories().size()];
        int[] timed = new int[count.length];
        long[] micros = new long[count.length];
        for (int task = 0; task < w.size(); task++) {
            count[w.categoryNumber(task)]++;
            micros[w.categoryNumber(task)] += Math.max(0, w.timeMicros(task));
            timed[w.categoryNumber(task)] += w.timeMicros(task) == Workflow.UNKNOWN ? 0 : 1;
        }
        List<CategoryWork> categories = IntStream.range(0, count.length)
                .filter(c -> count[c] > 0)
                .mapToObj(c -> new CategoryWork(w.categories().get(c).name(), count[c], timed[c], micros[c]))
                .toList();
        return new WorkflowFigures(w, bytes, unsized, categories);
    }

    private static final Fields<WorkflowFigures> FIGURES = new Fields<WorkflowFigures>()
            .field((out, figures) -> out.field("name", figures.workflow.name()))
            .count("tasks", "tasks", figures -> figures.workflow.size())
            .count("edges", "edges", figures -> figures.workflow.edges())
            .count("levels", "levels", figures -> figures.workflow.levels())
            .count("maximum width", "maxWidth", figures -> figures.workflow.maxWidth())
            .right("work", figures -> time(figures.workflow.totalMicros(), figures.timed()))
            .field((out, figures) -> out.seconds("totalSeconds", figures.workflow.totalMicros()))
            .right("critical path", figures -> time(figures.workflow.criticalPathMicros(), figures.timed()))
            .field((out, figures) -> out.seconds("criticalPathSeconds", figures.workflow.criticalPathMicros()))
            .right("files", WorkflowFigures::fileText)
            .count("files", figures -> figures.workflow.files())
            .count("bytes", WorkflowFigures::bytes)
            .count("filesWithoutSize", WorkflowFigures::filesWithoutSize)
            .right("run time unknown", figures -> switch (figures.workflow.tasksWithoutTime()) {
                case 0 -> "";
                case 1 -> "1 task";
                default -> Rounded.count(figures.workflow.tasksWithoutTime()) + " tasks";
            })
            .count("tasksWithoutTime", figures -> figures.workflow.tasksWithoutTime());

    private static final Fields<CategoryWork> CATEGORIES = new Fields<CategoryWork>()
            .left("category", each -> each.name.isEmpty() ? "(none)" : each.name)
            .field((out, each) -> out.field("name", each.name))
            .count("tasks", "tasks", CategoryWork::tasks)
            .right("work", each -> time(each.micros, each.timed))
            .right("mean run time", each -> time(each.micros / Math.max(1, each.timed), each.timed))
            .field((out, each) -> out.seconds("seconds", each.micros));

    void fields(JsonOut out) {
        FIGURES.fields(out, this);
        out.array("widths");
        IntStream.range(0, workflow.levels()).map(workflow::width).forEach(out::value);
        out.end();
        CATEGORIES.array(out, "categories", categories);
    }

    void print(PrintWriter out) {
        FIGURES.lines(out, this);
        out.println();
        CATEGORIES.table(out, categories.subList(0, Math.min(categories.size(), MAX_CATEGORIES)));
        if (categories.size() > MAX_CATEGORIES) {
            out.println("… and " + (categories.size() - MAX_CATEGORIES) + " more");
        }
    }

    /** Formats with about three digits: 100 h, 15.7 min, 4.2 s; a time of no known task is unknown. */
    private static String time(long micros, int known) {
        if (known == 0) {
            return "unknown";
        }
        if (micros >= 100 * TimeText.HOUR) {
            return String.format(Locale.ROOT, "%,.0f h", micros / (double) TimeText.HOUR);
        }
        if (micros >= TimeText.HOUR) {
            return String.format(Locale.ROOT, "%.1f h", micros / (double) TimeText.HOUR);
        }
        if (micros >= TimeText.MINUTE) {
            return String.format(Locale.ROOT, "%.1f min", micros / (double) TimeText.MINUTE);
        }
        return String.format(Locale.ROOT, "%.1f s", micros / (double) TimeText.SECOND);
    }

    /** The number of tasks whose run time is known. */
    private int timed() {
        return workflow.size() - workflow.tasksWithoutTime();
    }

    private String fileText() {
        int files = workflow.files();
        String known = Rounded.count(files) + ", " + Fields.bytes(bytes, Integer.MAX_VALUE);
        if (filesWithoutSize == 0) {
            return known;
        }
        return filesWithoutSize == files
                ? Rounded.count(files) + ", sizes unknown"
                : known + ", " + Rounded.count(filesWithoutSize) + " of unknown size";
    }
}
