package io.sheaf.workflow;

/** Extends a workflow by copying columns, without new lookups or sorting. */
final class Growth {
    private final Workflow base;
    private final Workflow newTasks;
    private final Addition added;
    private final int first;
    private final int size;

    Growth(Workflow base, Addition added) {
        this.base = base;
        this.added = added;
        newTasks = added.tasks();
        first = base.size();
        size = Math.addExact(first, newTasks.size());
    }

    Workflow larger() {
        added.check(base);
        FileTable files = new FileTable(base.files);
        int[] file = new int[newTasks.files()];
        for (int i = 0; i < file.length; i++) {
            file[i] = files.number(newTasks.fileName(i), newTasks.fileSize(i));
        }
        Adjacency parents = parents();
        return new Workflow(
                base.name(),
                ids(),
                tasks(),
                new FileTable(files),
                parents,
                parents.reversed(size),
                base.inputs.followedBy(newTasks.inputs, file),
                base.outputs.followedBy(newTasks.outputs, file),
                Levels.of(levels(parents)),
                false);
    }

    private Names ids() {
        Names ids = new Names(base.ids);
        for (int task = 0; task < newTasks.size(); task++) {
            ids.number(newTasks.id(task));
        }
        return ids;
    }

    private TaskTable tasks() {
        TaskTable tasks = new TaskTable(base.tasks);
        tasks.reserve(size);
        for (Category category : newTasks.categories()) {
            tasks.describeIfNew(category);
        }
        for (int from = 0; from < newTasks.size(); from++) {
            tasks.copy(tasks.add(), newTasks, from);
        }
        return tasks;
    }

    private Adjacency parents() {
        IntPairs pairs = new IntPairs();
        for (int i = 0; i < added.edges(); i++) {
            pairs.add(added.child(i), added.parent(i));
        }
        for (int task = 0; task < newTasks.size(); task++) {
            for (int i = 0; i < newTasks.parents(task); i++) {
                pairs.add(task, first + newTasks.parent(task, i));
            }
        }
        return base.parents.followedBy(Adjacency.sorted(newTasks.size(), pairs));
    }

    private int[] levels(Adjacency parents) {
        int[] level = new int[size];
        for (int task = 0; task < first; task++) {
            level[task] = base.level(task);
        }
        for (int i = 0; i < newTasks.size(); i++) {
            int task = first + newTasks.inOrder(i);
            for (int p = parents.start[task]; p < parents.start[task + 1]; p++) {
                level[task] = Math.max(level[task], level[parents.values[p]] + 1);
            }
        }
        return level;
    }
}
