package io.sheaf.runtime.control;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A task that is handed in by itself.
 *
 * <p>The shell that starts Java hands in plain ones without it, as text: fields that end with a zero byte, the first of which is {@value #FORM}.
 *
 * @param folder where it runs
 * @param time how long it is expected to run, in microseconds
 * @param after ids of tasks that have to succeed first
 * @param words what it runs
 */
public record SingleTask(
        String id,
        String folder,
        String category,
        Resources needed,
        long time,
        int retries,
        List<String> after,
        List<String> words) {
    /** How the text of one begins. */
    public static final String FORM = "sheaf-task 1";

    private static final int FIELDS = 9;

    public SingleTask {
        after = List.copyOf(after);
        words = List.copyOf(words);
    }

    /** Handing it in. */
    public ControlRequest.Submit wish() {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        int task = builder.task(id);
        builder.category(task, category)
                .command(task, Command.of(words))
                .time(task, time)
                .retries(task, retries)
                .resources(task, needed);
        Workflow one = builder.build();
        List<ControlRequest.After> edges = after.stream()
                .distinct()
                .map(parent -> new ControlRequest.After(parent, 0))
                .toList();
        return new ControlRequest.Submit(new Origin(id, "", 0, folder), one, edges);
    }

    /** Whether bytes hold the text of one. */
    static boolean isText(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FORM.charAt(0);
    }

    /** Reads id, folder, category, cores, memory, nodes, time, retries, what it comes after with blanks between, and the words. */
    static SingleTask read(byte[] bytes) throws IOException {
        String[] f = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
        // Behind the last zero byte there is nothing.
        int count = f.length - 1;
        if (!f[0].equals(FORM) || count < FIELDS + 2 || !f[count].isEmpty()) {
            throw new IOException("it is no task that this Sheaf can read");
        }
        try {
            return new SingleTask(
                    f[1],
                    f[2],
                    f[3],
                    new Resources(Integer.parseInt(f[4]), SizeText.bytes(f[5]), 0, Integer.parseInt(f[6])),
                    TimeText.micros(f[7]),
                    Integer.parseInt(f[8]),
                    f[9].isBlank() ? List.of() : List.of(f[9].strip().split(" +")),
                    List.of(f).subList(FIELDS + 1, count));
        } catch (NumberFormatException | InputException e) {
            throw new IOException("a task with a number that is none: " + e.getMessage(), e);
        }
    }
}
