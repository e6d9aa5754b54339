package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** The files that a WfFormat file mentions, and which task reads and writes which. */
    static final class FileDrafts {
        final TaskLinks uses = new TaskLinks();
        private long[] bytes = new long[0];
        /** Names before they were rewritten to suit the schema, by number. */
        private final Map<Integer, String> trueNames = new HashMap<>();
        /** Numbers in the order of the list of all files, so that a file that is read and written again is the same. */
        private final Set<Integer> listed = new LinkedHashSet<>();

        /** The size of a file; the first one in the document is used. */
        void firstSize(String id, long size) {
            int file = number(id);
            if (bytes[file] == Workflow.UNKNOWN) {
                bytes[file] = size;
            }
        }

        /** The size of a file in the one list of all files, where there can be no two of it. */
        void listedSize(String id, long size, long place) {
            int file = number(id);
            listed.add(file);
            if (bytes[file] != Workflow.UNKNOWN && bytes[file] != size) {
                throw new InputException(
                        "file '" + id + "' is listed with two sizes, " + bytes[file] + " and " + size + "; keep one",
                        place);
            }
            bytes[file] = size;
        }

        void trueName(String id, String name) {
            trueNames.put(number(id), name);
        }

        private int number(String id) {
            int file = uses.number(id);
            if (file >= bytes.length) {
                int before = bytes.length;
                bytes = Arrays.copyOf(bytes, file + (file >> 1) + 16);
                Arrays.fill(bytes, before, bytes.length, Workflow.UNKNOWN);
            }
            return file;
        }

        /** Hands everything over to a builder whose tasks have the numbers that they have here. */
        void apply(WorkflowBuilder builder) {
            for (int file = 0; file < uses.words(); file++) {
                listed.add(file);
            }
            int[] built = new int[uses.words()];
            for (int file : listed) {
                String id = uses.text(file);
                number(id);
                built[file] = builder.file(trueNames.getOrDefault(file, id), bytes[file]);
            }
            for (int i = 0; i < uses.size(); i++) {
                int file = built[uses.word(i)];
                if (uses.isIncoming(i)) {
                    builder.input(uses.task(i), file);
                } else {
                    builder.output(uses.task(i), file);
                }
            }
        }
    }

    /** A task as its file describes it, before it is known what it will be called. */
    static final class TaskDraft {
        final int number;
        final long place;

        /** The file's id and name; either may be absent. */
        @Nullable
        String id;

        @Nullable
        String name;

        @Nullable
        String category;

        /** The task's id before it was rewritten to suit the schema. */
        @Nullable
        String trueId;

        @Nullable
        Performance performance;

        TaskDraft(int number, long place) {
            this.number = number;
            this.place = place;
        }

        /** Its run time, resources and command, created on first use. */
        Performance performance() {
            if (performance == null) {
                performance = new Performance();
            }
            return performance;
        }
    }
}
