package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file during reading.
 *
 * <p>References are resolved at the end of the file: tasks come in any order, executions may precede their tasks, and names may not be
 * unique.
 */
final class Contents {
    /** An execution that is separate from its task. */
    record Execution(Performance performance, long place) {}

    private static final int MAX_SHARED = 1000;

    @Nullable
    String name;

    /** Whether tasks and executions are separate (version 1.5); then tasks refer to each other by id instead of name. */
    boolean byId;

    final List<TaskDraft> tasks = new ArrayList<>();
    final TaskLinks edges = new TaskLinks();
    final FileDrafts files = new FileDrafts();
    final List<Category> categories = new ArrayList<>();
    /** By the number of the task's id among the words of the edges; null if absent. */
    private final List<@Nullable Execution> executions = new ArrayList<>();

    private final Map<String, String> shared = new HashMap<>();

    TaskDraft newTask(long place) {
        TaskDraft draft = new TaskDraft(tasks.size(), place);
        tasks.add(draft);
        return draft;
    }

    void execution(String id, Execution execution) {
        int number = edges.number(id);
        while (executions.size() <= number) {
            executions.add(null);
        }
        if (executions.set(number, execution) != null) {
            throw new InputException(
                    "task '" + id + "' has two entries in 'execution'; keep one of them", execution.place());
        }
    }

    /** The execution of a task, which is then forgotten. */
    @Nullable
    Execution removeExecution(String id) {
        int number = edges.find(id);
        return number < 0 || number >= executions.size() ? null : executions.set(number, null);
    }

    /** Complains of an execution that no task has taken. */
    void expectNoExecution() {
        for (int number = 0; number < executions.size(); number++) {
            Execution execution = executions.get(number);
            if (execution != null) {
                throw new InputException(
                        "'execution' has task '" + edges.text(number) + "', but 'specification' has no such task",
                        execution.place());
            }
        }
    }

    /** An equal string read before, for values that occur in many tasks. */
    String shared(String text) {
        if (shared.size() >= MAX_SHARED) {
            return shared.getOrDefault(text, text);
        }
        String before = shared.putIfAbsent(text, text);
        return before == null ? text : before;
    }
}
