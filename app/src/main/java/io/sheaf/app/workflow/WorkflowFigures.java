package io.sheaf.app.workflow;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.IntStream;

/** The figures that describe a workflow, as {@code inspect} tells them. */
record WorkflowFigures(
        String name,
        int tasks,
        int edges,
        int levels,
        int maxWidth,
        long totalMicros,
        long criticalPathMicros,
        int files,
        long bytes,
        int filesWithoutSize,
        int tasksWithoutTime,
        List<Integer> widths,
        List<CategoryFigures> categories) {

    /** What a category's tasks add up to. */
    record CategoryFigures(String name, int tasks, long micros) {}

    static WorkflowFigures of(Workflow w) {
        long bytes = 0;
        int unsized = 0;
        for (int file = 0; file < w.files(); file++) {
            bytes += Math.max(0, w.fileSize(file));
            unsized += w.fileSize(file) == Workflow.UNKNOWN ? 1 : 0;
        }
        int[] count = new int[w.categories().size()];
        long[] micros = new long[count.length];
        int untimed = 0;
        for (int task = 0; task < w.size(); task++) {
            count[w.categoryNumber(task)]++;
            micros[w.categoryNumber(task)] += Math.max(0, w.timeMicros(task));
            untimed += w.timeMicros(task) == Workflow.UNKNOWN ? 1 : 0;
        }
        List<CategoryFigures> categories = IntStream.range(0, count.length)
                .filter(c -> count[c] > 0)
                .mapToObj(c -> new CategoryFigures(w.categories().get(c).name(), count[c], micros[c]))
                .toList();
        return new WorkflowFigures(
                w.name(),
                w.size(),
                w.edges(),
                w.levels(),
                w.maxWidth(),
                w.totalMicros(),
                w.criticalPathMicros(),
                w.files(),
                bytes,
                unsized,
                untimed,
                IntStream.range(0, w.levels()).map(w::width).boxed().toList(),
                categories);
    }

    void print(PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .field("name", name)
                    .field("tasks", tasks)
                    .field("edges", edges)
                    .field("levels", levels)
                    .field("maxWidth", maxWidth)
                    .seconds("totalSeconds", totalMicros)
                    .seconds("criticalPathSeconds", criticalPathMicros)
                    .field("files", files)
                    .field("bytes", bytes)
                    .field("filesWithoutSize", filesWithoutSize)
                    .field("tasksWithoutTime", tasksWithoutTime);
            out.array("widths");
            for (int width : widths) {
                out.value(width);
            }
            out.end().array("categories");
            for (CategoryFigures category : categories) {
                out.object()
                        .field("name", category.name())
                        .field("tasks", category.tasks())
                        .seconds("seconds", category.micros())
                        .end();
            }
            out.end().end();
        }
    }
}
