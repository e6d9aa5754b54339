package io.sheaf.workflow;

/** Extends a workflow by copying columns, without new lookups or sorting. */
final class Growth {
    private final Workflow base;
    private final Workflow more;
    private final Addition added;
    private final int first;
    private final int size;

    Growth(Workflow base, Addition added) {
        this.base = base;
        this.added = added;
        more = added.tasks();
        first = base.size();
        size = Math.addExact(first, more.size());
    }

    Workflow larger() {
        added.check(base);
        FileTable files = new FileTable(base.fileTable());
        int[] file = new int[more.files()];
        for (int i = 0; i < file.length; i++) {
            file[i] = files.number(more.fileName(i), more.fileSize(i));
        }
        Adjacency parents = parents();
        return new Workflow(
                base.name(),
                ids(),
                tasks(),
                new FileTable(files),
                parents,
                parents.reversed(size),
                base.inputs().followedBy(more.inputs(), file),
                base.outputs().followedBy(more.outputs(), file),
                Levels.of(levels(parents)),
                false);
    }

    private Names ids() {
        Names ids = new Names(base.ids());
        for (int task = 0; task < more.size(); task++) {
            ids.number(more.id(task));
        }
        return ids;
    }

    private TaskTable tasks() {
        TaskTable tasks = new TaskTable(base.tasks());
        tasks.reserve(size);
        for (Category category : more.categories()) {
            tasks.describeIfNew(category);
        }
        for (int from = 0; from < more.size(); from++) {
            int task = tasks.add();
            tasks.category[task] = tasks.categoryNumber(more.category(from).name());
            tasks.time[task] = more.timeMicros(from);
            tasks.resources[task] = tasks.resourceNumber(more.resources(from));
            copyRare(tasks, task, from);
        }
        return tasks;
    }

    private void copyRare(TaskTable tasks, int task, int from) {
        if (more.limitMicros(from) != Workflow.UNKNOWN) {
            tasks.setLimit(task, more.limitMicros(from));
        }
        if (!more.retry(from).equals(Retry.DEFAULT)) {
            tasks.setRetry(task, more.retry(from));
        }
        if (more.retries(from) != 0) {
            tasks.setRetries(task, more.retries(from));
        }
        if (more.priority(from) != 0) {
            tasks.setPriority(task, more.priority(from));
        }
        Command command = more.command(from);
        if (command != null) {
            tasks.setCommand(task, command);
        }
        Scaling scaling = more.scaling(from);
        if (scaling != null) {
            tasks.setScaling(task, scaling);
        }
    }

    private Adjacency parents() {
        IntPairs pairs = new IntPairs();
        for (int i = 0; i < added.edges(); i++) {
            pairs.add(added.child(i), added.parent(i));
        }
        for (int task = 0; task < more.size(); task++) {
            for (int i = 0; i < more.parents(task); i++) {
                pairs.add(task, first + more.parent(task, i));
            }
        }
        return base.parents().followedBy(Adjacency.sorted(more.size(), pairs));
    }

    private int[] levels(Adjacency parents) {
        int[] level = new int[size];
        for (int task = 0; task < first; task++) {
            level[task] = base.level(task);
        }
        for (int i = 0; i < more.size(); i++) {
            int task = first + more.inOrder(i);
            for (int p = parents.start[task]; p < parents.start[task + 1]; p++) {
                level[task] = Math.max(level[task], level[parents.values[p]] + 1);
            }
        }
        return level;
    }
}
