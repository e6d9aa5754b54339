package io.sheaf.formats.wfformat;

import io.sheaf.formats.wfformat.Contents.TaskDraft;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a workflow of what was read: decides what each task is called and which tasks the references mean.
 *
 * <p>In version 1.5 tasks refer to each other by id, and the id is what a task is called. Before, they refer to each other by name
 * although there may be an id as well, and the name is what later versions took for the id. So the name is what a task is called,
 * unless two have the same; then it is the id. A reference that does not fit in the version's own way is taken the other way, if
 * that fits one task only.
 */
record Assembly(Contents contents, WorkflowBuilder builder) {
    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    static Workflow assemble(Contents contents, String nameOtherwise, boolean fileEdges) {
        String name = contents.name == null ? nameOtherwise : contents.name;
        Assembly assembly = new Assembly(contents, new WorkflowBuilder(name).fileEdges(fileEdges));
        assembly.tasks();
        contents.files.apply(assembly.builder);
        assembly.edges();
        return assembly.builder.build();
    }

    private void tasks() {
        for (Category category : contents.categories) {
            builder.describe(category);
        }
        boolean callById = contents.byId || (!unique(draft -> draft.name) && unique(draft -> draft.id));
        for (TaskDraft draft : contents.tasks) {
            String id = callById ? either(draft.id, draft.name) : either(draft.name, draft.id);
            task(draft, draft.trueId != null ? draft.trueId : id);
        }
        contents.expectNoExecution();
    }

    private void task(TaskDraft draft, String id) {
        int task = builder.task(id, draft.place);
        Performance performance = performance(draft);
        String category =
                draft.category != null ? draft.category : Categories.derive(id, either(draft.name, ""), performance);
        builder.category(task, category);
        performance.apply(builder, task, category);
    }

    private Performance performance(TaskDraft draft) {
        Contents.Execution execution = draft.id == null ? null : contents.removeExecution(draft.id);
        Performance own = draft.performance;
        // Not needed any more, and there are many of them.
        draft.performance = null;
        if (execution == null || own == null) {
            return own != null ? own : execution != null ? execution.performance() : new Performance();
        }
        own.fillFrom(execution.performance());
        return own;
    }

    private boolean unique(Function<TaskDraft, @Nullable String> word) {
        Set<String> seen = new HashSet<>();
        for (TaskDraft draft : contents.tasks) {
            String text = word.apply(draft);
            if (text == null || !seen.add(text)) {
                return false;
            }
        }
        return true;
    }

    private static String either(@Nullable String one, @Nullable String other) {
        return one != null ? one : other != null ? other : "";
    }

    private void edges() {
        TaskLinks edges = contents.edges;
        int[] byId = meanings(draft -> draft.id);
        int[] byName = meanings(draft -> draft.name);
        for (int i = 0; i < edges.size(); i++) {
            int word = edges.word(i);
            int other = contents.byId ? meaning(byId[word], byName[word]) : meaning(byName[word], byId[word]);
            int task = edges.task(i);
            if (other == SEVERAL) {
                throw new InputException(
                        "'" + edges.text(word) + "' is the name of several tasks; refer to one by its id",
                        edges.place(i));
            }
            if (other == NONE) {
                // The builder reports it with the nearest existing name.
                unknown(edges.text(word), builder.id(task), edges.isIncoming(i), edges.place(i));
            } else if (edges.isIncoming(i)) {
                builder.edge(other, task);
            } else {
                builder.edge(task, other);
            }
        }
    }

    private void unknown(String other, String task, boolean incoming, long place) {
        builder.edge(incoming ? other : task, incoming ? task : other, place);
    }

    private static int meaning(int first, int second) {
        return first >= 0 || second == NONE ? first : second;
    }

    /** The task that each word means if words are taken this way. */
    private int[] meanings(Function<TaskDraft, @Nullable String> way) {
        int[] meaning = new int[contents.edges.words()];
        Arrays.fill(meaning, NONE);
        for (TaskDraft draft : contents.tasks) {
            String text = way.apply(draft);
            int word = text == null ? -1 : contents.edges.find(text);
            if (word >= 0) {
                meaning[word] = meaning[word] == NONE ? draft.number : SEVERAL;
            }
        }
        return meaning;
    }
}
