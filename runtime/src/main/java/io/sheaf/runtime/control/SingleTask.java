package io.sheaf.runtime.control;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A task that is submitted individually.
 *
 * <p>The shell launcher submits plain tasks without starting Java, as text: fields that end with a zero byte, the
 * first of which is {@value #FORM}.
 *
 * @param folder where it runs
 * @param time its expected run time, in microseconds
 * @param limit the run time after which it is stopped, in microseconds, or {@link #NO_LIMIT}
 * @param after ids of tasks that must succeed first
 * @param words its command
 */
public record SingleTask(
        String id,
        String folder,
        String category,
        Resources needed,
        long time,
        long limit,
        int retries,
        List<String> after,
        List<String> words) {
    /** The first field of the text form. */
    public static final String FORM = "sheaf-task 1";

    public static final long NO_LIMIT = 0;

    private static final int FIELDS = 9;

    public SingleTask {
        after = List.copyOf(after);
        words = List.copyOf(words);
    }

    /** The request that submits it. */
    public ControlRequest.Submit request() {
        return together(id, List.of(this));
    }

    /**
     * The request that submits several tasks of one folder at once.
     *
     * @param batch a unique id in the run; for a single task its own
     */
    public static ControlRequest.Submit together(String batch, List<SingleTask> tasks) {
        WorkflowBuilder builder = new WorkflowBuilder(batch);
        for (SingleTask each : tasks) {
            int task = builder.task(each.id);
            builder.category(task, each.category)
                    .command(task, Command.of(each.words))
                    .time(task, each.time)
                    .retries(task, each.retries)
                    .resources(task, each.needed);
            if (each.limit != NO_LIMIT) {
                builder.limit(task, each.limit, 0);
            }
        }
        List<ControlRequest.Edge> edges = new ArrayList<>();
        for (int child = 0; child < tasks.size(); child++) {
            for (String parent : new LinkedHashSet<>(tasks.get(child).after)) {
                int index = builder.find(parent);
                if (index >= 0) {
                    builder.edge(index, child);
                } else {
                    edges.add(new ControlRequest.Edge(parent, child));
                }
            }
        }
        return new ControlRequest.Submit(new Origin(batch, "", 0, tasks.get(0).folder), builder.build(), edges);
    }

    static boolean isText(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FORM.charAt(0);
    }

    /**
     * Parses id, folder, category, cores, memory, nodes, time, retries, predecessors separated by blanks, and the
     * command.
     */
    static SingleTask read(byte[] bytes) throws IOException {
        String[] f = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
        // The part after the last zero byte is empty.
        int count = f.length - 1;
        if (!f[0].equals(FORM) || count < FIELDS + 2 || !f[count].isEmpty()) {
            throw new IOException("this version of Sheaf cannot read this task");
        }
        try {
            return new SingleTask(
                    f[1],
                    f[2],
                    f[3],
                    new Resources(Integer.parseInt(f[4]), SizeText.bytes(f[5]), 0, Integer.parseInt(f[6])),
                    TimeText.micros(f[7]),
                    NO_LIMIT,
                    Integer.parseInt(f[8]),
                    f[9].isBlank() ? List.of() : List.of(f[9].strip().split(" +")),
                    List.of(f).subList(FIELDS + 1, count));
        } catch (NumberFormatException | InputException e) {
            throw new IOException("a task has an invalid number: " + e.getMessage(), e);
        }
    }
}
