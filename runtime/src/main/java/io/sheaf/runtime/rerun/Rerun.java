package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowSubset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks of a workflow have to run, given what is on record, and why; the others are kept as they are.
 *
 * <p>A task is kept if its command, the files that it reads and those that it writes are as they were when it was last committed, and nothing that it
 * depends on runs again. What it asks for may change.
 */
public final class Rerun {
    private final Workflow workflow;
    private final Map<String, CommittedTask> records;
    private final FileMarks marks;
    private final Map<String, FileMark> lastWritten = new HashMap<>();
    private final Set<String> writtenByMany = new HashSet<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final BitSet toRun = new BitSet();
    private final List<List<String>> reasons = new ArrayList<>();

    private Rerun(Workflow workflow, Map<String, CommittedTask> records, FileMarks marks) {
        this.workflow = workflow;
        this.records = records;
        this.marks = marks;
        records.keySet().forEach(task -> places.put(task, places.size()));
        for (int task = 0; task < workflow.size(); task++) {
            reasons.add(List.of());
        }
    }

    /**
     * Compares a workflow with what is on record of it.
     *
     * @param folder where its tasks run
     */
    public static Rerun of(Workflow workflow, Path folder, AskedFor wishes, FileCheck check) throws IOException {
        Rerun rerun =
                new Rerun(workflow, new TaskRecords(folder, workflow.name()).latest(), new FileMarks(folder, check));
        rerun.noteWriters();
        rerun.decide(wishes);
        return rerun;
    }

    /** Several tasks may write a file, one after the other; what the last one left is what must be there. */
    private void noteWriters() {
        Map<String, Long> when = new HashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            CommittedTask record = records.get(workflow.id(task));
            for (int i = 0; i < workflow.outputs(task); i++) {
                String name = workflow.fileName(workflow.output(task, i));
                if (when.containsKey(name)) {
                    writtenByMany.add(name);
                }
                FileMark mark = record == null ? null : record.outputs().get(name);
                if (record != null && mark != null && record.at() >= when.getOrDefault(name, -1L)) {
                    lastWritten.put(name, mark);
                }
                when.merge(name, record == null ? -1L : record.at(), Math::max);
            }
        }
    }

    private void decide(AskedFor wishes) {
        BitSet wanted = wishes.toRun(workflow);
        BitSet taken = wishes.toKeep(workflow);
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            if (taken.get(task) && !wanted.get(task)) {
                checkThere(task);
                continue;
            }
            List<String> why = wanted.get(task) ? List.of("it was asked for") : reasonsFor(task);
            reasons.set(task, why);
            toRun.set(task, !why.isEmpty());
        }
    }

    private void checkThere(int task) {
        for (int i = 0; i < workflow.outputs(task); i++) {
            String name = workflow.fileName(workflow.output(task, i));
            if (marks.of(name) == null) {
                throw new InputException("task '" + workflow.id(task) + "' cannot be taken as it is: '" + name
                        + "' is not there. Begin with it instead");
            }
        }
    }

    private List<String> reasonsFor(int task) {
        CommittedTask record = records.get(workflow.id(task));
        if (record == null) {
            return List.of("it has not run yet");
        }
        List<String> why = new ArrayList<>();
        if (!record.command().equals(CommandDigest.of(workflow, task))) {
            why.add("its command has changed");
        }
        Set<String> coming = parents(task, why);
        compareInputs(task, record, coming, why);
        compareOutputs(task, record, why);
        return why;
    }

    /** Tells of parents that run again; what they write anew need not be compared. */
    private Set<String> parents(int task, List<String> why) {
        Set<String> coming = new HashSet<>();
        for (int i = 0; i < workflow.parents(task); i++) {
            int parent = workflow.parent(task, i);
            if (toRun.get(parent)) {
                why.add("'" + workflow.id(parent) + "' runs again");
                for (int j = 0; j < workflow.outputs(parent); j++) {
                    coming.add(workflow.fileName(workflow.output(parent, j)));
                }
            } else if (isLater(parent, task) && !readsFrom(task, parent)) {
                why.add("'" + workflow.id(parent) + "' has run again since");
            }
        }
        return coming;
    }

    /** Whether a parent was committed after the task was. */
    private boolean isLater(int parent, int task) {
        return places.getOrDefault(workflow.id(parent), -1) > places.getOrDefault(workflow.id(task), -1);
    }

    /** Whether it is seen by a file that a parent has run again. */
    private boolean readsFrom(int task, int parent) {
        for (int i = 0; i < workflow.inputs(task); i++) {
            for (int j = 0; j < workflow.outputs(parent); j++) {
                if (workflow.input(task, i) == workflow.output(parent, j)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void compareInputs(int task, CommittedTask record, Set<String> coming, List<String> why) {
        Set<String> own = new HashSet<>();
        for (int i = 0; i < workflow.outputs(task); i++) {
            own.add(workflow.fileName(workflow.output(task, i)));
        }
        Set<String> read = new HashSet<>();
        for (int i = 0; i < workflow.inputs(task); i++) {
            String name = workflow.fileName(workflow.input(task, i));
            // A file that the task itself changes is compared as its output.
            if (read.add(name) && !own.contains(name) && !coming.contains(name)) {
                FileMark before = record.inputs().get(name);
                add("input", name, before == null ? "is new to it" : difference(name, before), why);
            }
        }
        record.inputs().keySet().stream()
                .filter(name -> !read.contains(name))
                .forEach(name -> why.add("it does not read '" + name + "' any more"));
    }

    private void compareOutputs(int task, CommittedTask record, List<String> why) {
        for (int i = 0; i < workflow.outputs(task); i++) {
            String name = workflow.fileName(workflow.output(task, i));
            FileMark before = record.outputs().get(name);
            add("output", name, before == null ? "is new to it" : difference(name, before), why);
        }
    }

    private static void add(String kind, String name, String difference, List<String> why) {
        if (!difference.isEmpty()) {
            why.add(kind + " '" + name + "' " + difference);
        }
    }

    private String difference(String name, FileMark before) {
        FileMark now = marks.of(name);
        if (now == null) {
            return "is not there";
        }
        FileMark last = writtenByMany.contains(name) ? lastWritten.get(name) : null;
        return (last == null ? before : last).difference(now);
    }

    /** Whether nothing is on record of any of its tasks. */
    public boolean isFirst() {
        for (int task = 0; task < workflow.size(); task++) {
            if (records.containsKey(workflow.id(task))) {
                return false;
            }
        }
        return true;
    }

    public boolean runs(int task) {
        return toRun.get(task);
    }

    /** Why a task runs; nothing if it is kept. */
    public List<String> reasons(int task) {
        return reasons.get(task);
    }

    /** How many tasks are kept. */
    public int kept() {
        return workflow.size() - toRun.cardinality();
    }

    /** What has to run: the workflow itself if that is all of it, null if it is nothing. */
    public @Nullable Workflow part() {
        return toRun.isEmpty() ? null : kept() == 0 ? workflow : WorkflowSubset.of(workflow, toRun);
    }
}
