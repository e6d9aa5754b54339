import io.sheaf.formats.Source;
import io.sheaf.formats.TextLines;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * TaskList, a workflow format as an example. A line describes a task: its name, its run time in seconds, and its parents,
 * which are on earlier lines.
 */
public final class TaskList implements WorkflowReader, WorkflowWriter {
    private static final long MICROS = 1_000_000;

    @Override
    public Label label() {
        return new Label("tasklist", "a list of tasks with run times in seconds and parents", ".tasks");
    }

    @Override
    public boolean fileEdgesByDefault() {
        return false;
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("# tasks");
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            WorkflowBuilder draft = new WorkflowBuilder(source.stem()).fileEdges(fileEdges);
            TextLines lines = new TextLines(in);
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    task(draft, line.strip().split("\\s+"), Place.of(lines.number(), 1));
                }
            }
            return draft.build();
        });
    }

    private static void task(WorkflowBuilder draft, String[] words, long place) {
        int task = draft.task(words[0], place);
        if (words.length < 2 || !words[1].matches("[0-9]{1,9}")) {
            throw new InputException("task '" + words[0] + "' has no time; write its seconds after its name", place);
        }
        draft.time(task, Long.parseLong(words[1]) * MICROS, place);
        for (int i = 2; i < words.length; i++) {
            draft.edge(words[i], words[0], place);
        }
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        out.write("# tasks\n");
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            out.write(workflow.id(task) + " " + Math.max(0, workflow.timeMicros(task)) / MICROS);
            for (int p = 0; p < workflow.parents(task); p++) {
                out.write(" " + workflow.id(workflow.parent(task, p)));
            }
            out.write("\n");
        }
    }

    /** Reads a valid text and writes it again, then reads an invalid text and prints the error. */
    public static void main(String[] args) throws IOException {
        TaskList format = new TaskList();
        Source right = Source.of("words.tasks", "# tasks\ncount-1 60\ncount-2 60\ntotal 5 count-1 count-2\n".getBytes(StandardCharsets.UTF_8));
        Workflow workflow = format.read(right, false);
        System.out.println(workflow.name() + ": " + workflow.size() + " tasks, " + workflow.levels() + " levels");
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        format.write(workflow, out);
        out.flush();
        try {
            format.read(Source.of("wrong.tasks", "# tasks\ncount 60\ntotal count\n".getBytes(StandardCharsets.UTF_8)), false);
        } catch (InputException e) {
            System.out.println(e.getMessage());
        }
    }
}
