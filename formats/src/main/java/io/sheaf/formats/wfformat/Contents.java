package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    @Nullable
    String name;

    /** Whether tasks and executions are told apart (version 1.5), so that tasks refer to each other by id rather than by name. */
    boolean byId;

    final List<Draft> tasks = new ArrayList<>();
    final Links edges = new Links();
    final FileDrafts files = new FileDrafts();
    final Map<String, Execution> executions = new LinkedHashMap<>();
    final List<Category> categories = new ArrayList<>();

    Draft newTask(long place) {
        Draft draft = new Draft(tasks.size(), place);
        tasks.add(draft);
        return draft;
    }

    void execution(String id, Execution execution) {
        if (executions.putIfAbsent(id, execution) != null) {
            throw new InputException(
                    "task '" + id + "' has two entries in 'execution'; keep one of them", execution.place());
        }
    }
}
