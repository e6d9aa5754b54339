package io.sheaf.runtime.rerun;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowSubset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The incremental rerun plan of a workflow: which tasks must run again, and why.
 *
 * <p>A task is kept if its command, inputs and outputs are unchanged since its last commit and none of its ancestors
 * runs again. Its requests may change.
 */
public final class Rerun {
    /** The greatest number of parents that are named as reasons. */
    private static final int MAX_NAMED = 3;

    private final Workflow workflow;
    private final Map<String, CommittedTask> records;
    private final FileMarks marks;
    private final Map<String, FileMark> lastWritten = new HashMap<>();
    private final Set<String> writtenByMany = new HashSet<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final BitSet toRun = new BitSet();
    private final List<List<String>> reasons;

    private Rerun(Workflow workflow, Map<String, CommittedTask> records, FileMarks marks) {
        this.workflow = workflow;
        this.records = records;
        this.marks = marks;
        records.keySet().forEach(task -> places.put(task, places.size()));
        reasons = new ArrayList<>(Collections.nCopies(workflow.size(), List.of()));
    }

    /**
     * Compares a workflow with its records.
     *
     * @param folder the folder in which its tasks run
     */
    public static Rerun of(Workflow workflow, Path folder, RerunSelection selection, FileCheck check)
            throws IOException {
        Rerun rerun =
                new Rerun(workflow, new TaskRecords(folder, workflow.name()).latest(), new FileMarks(folder, check));
        rerun.noteWriters();
        rerun.decide(selection);
        return rerun;
    }

    /** Maps each file to its last writer. Several tasks may write a file in turn; the last one's output is checked. */
    private void noteWriters() {
        Map<String, Long> when = new HashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            CommittedTask record = records.get(workflow.id(task));
            for (String name : workflow.outputNames(task)) {
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

    private void decide(RerunSelection selection) {
        BitSet selected = selection.toRun(workflow);
        BitSet kept = selection.toKeep(workflow);
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            if (kept.get(task) && !selected.get(task)) {
                checkOutputs(task);
                continue;
            }
            List<String> why = selected.get(task) ? List.of("it was requested") : reasonsFor(task);
            reasons.set(task, why);
            toRun.set(task, !why.isEmpty());
        }
    }

    private void checkOutputs(int task) {
        for (String name : workflow.outputNames(task)) {
            if (marks.of(name) == null) {
                throw new InputException("task '" + workflow.id(task) + "' cannot be used as it is: '" + name
                        + "' does not exist. Start from it instead");
            }
        }
    }

    private List<String> reasonsFor(int task) {
        CommittedTask record = records.get(workflow.id(task));
        if (record == null) {
            return List.of("it has not completed yet");
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

    /** Adds parents that run again to the reasons, and returns the files that they will rewrite. */
    private Set<String> parents(int task, List<String> why) {
        Set<String> coming = new HashSet<>();
        List<String> again = new ArrayList<>();
        for (int i = 0; i < workflow.parents(task); i++) {
            int parent = workflow.parent(task, i);
            if (toRun.get(parent)) {
                again.add("'" + workflow.id(parent) + "'");
                coming.addAll(workflow.outputNames(parent));
            } else if (isLater(parent, task) && !readsFrom(task, parent)) {
                why.add("'" + workflow.id(parent) + "' has run again since");
            }
        }
        boolean many = again.size() > MAX_NAMED;
        again.subList(0, many ? 1 : again.size())
                .forEach(name -> why.add(
                        name + (many ? " and " + (again.size() - 1) + " other tasks run again" : " runs again")));
        return coming;
    }

    /** Whether a parent was committed after the task. */
    private boolean isLater(int parent, int task) {
        return places.getOrDefault(workflow.id(parent), -1) > places.getOrDefault(workflow.id(task), -1);
    }

    /** Whether the task reads a file that the parent writes, so that a rerun of the parent shows in it. */
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
        Set<String> own = Set.copyOf(workflow.outputNames(task));
        Set<String> read = new HashSet<>();
        for (String name : workflow.inputNames(task)) {
            // A file that the task itself changes is compared as its output.
            if (read.add(name) && !own.contains(name) && !coming.contains(name)) {
                FileMark before = record.inputs().get(name);
                add("input", name, before == null ? "is new" : difference(name, before), why);
            }
        }
        record.inputs().keySet().stream()
                .filter(name -> !read.contains(name))
                .forEach(name -> why.add("it does not read '" + name + "' any more"));
    }

    private void compareOutputs(int task, CommittedTask record, List<String> why) {
        for (String name : workflow.outputNames(task)) {
            FileMark before = record.outputs().get(name);
            add("output", name, before == null ? "is new" : difference(name, before), why);
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

    /** Whether no task has a record. */
    public boolean isFirst() {
        return IntStream.range(0, workflow.size()).noneMatch(task -> records.containsKey(workflow.id(task)));
    }

    public boolean runs(int task) {
        return toRun.get(task);
    }

    /** Why a task runs; empty if it is kept. */
    public List<String> reasons(int task) {
        return reasons.get(task);
    }

    public int kept() {
        return workflow.size() - toRun.cardinality();
    }

    /** The tasks that must run: the workflow itself if all, null if none. */
    public @Nullable Workflow part() {
        return toRun.isEmpty() ? null : kept() == 0 ? workflow : WorkflowSubset.of(workflow, toRun);
    }
}
