package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a file, kept until its end.
 *
 * <p>Only then is it known what the references mean: tasks may come in any order, executions before the tasks that they execute, and
 * names may turn out not to be unique.
 */
final class Contents {
    /** A run of a task, told apart from the task. */
    record Execution(Performance performance, long place) {}

    private static final int MOST_SHARED = 1000;

    @Nullable
    String name;

    /** Whether tasks and executions are told apart (version 1.5), so that tasks refer to each other by id rather than by name. */
    boolean byId;

    final List<TaskDraft> tasks = new ArrayList<>();
    final TaskLinks edges = new TaskLinks();
    final FileDrafts files = new FileDrafts();
    final List<Category> categories = new ArrayList<>();
    /** By the number of the task's id among the words of the edges; null where there is none. */
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
    Execution takeExecution(String id) {
        int number = edges.find(id);
        return number < 0 || number >= executions.size() ? null : executions.set(number, null);
    }

    /** Complains of an execution that no task has taken. */
    void expectNoExecution() {
        for (int number = 0; number < executions.size(); number++) {
            Execution left = executions.get(number);
            if (left != null) {
                throw new InputException(
                        "'execution' tells of task '" + edges.text(number) + "', but 'specification' has no such task",
                        left.place());
            }
        }
    }

    /** An equal text that was read before, if it may be one of a few that stand in many tasks. */
    String shared(String text) {
        if (shared.size() >= MOST_SHARED) {
            return shared.getOrDefault(text, text);
        }
        String before = shared.putIfAbsent(text, text);
        return before == null ? text : before;
    }
}
