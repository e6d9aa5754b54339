package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Checkpoint;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.workflow.BinarySearch;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The workflows of a run: the initial one and those added later. The run's events determine its state. */
public final class Forest {
    /** One of the workflows. */
    public static final class ForestWorkflow {
        private final Origin origin;
        private final Workflow tasks;
        private final int first;
        private final long arrivedAt;
        private int number;
        private int endedTasks;
        private boolean held;
        private boolean dropped;
        private long endedAt = -1;

        private ForestWorkflow(Origin origin, Workflow tasks, int first, int number, long arrivedAt) {
            this.number = number;
            this.origin = origin;
            this.tasks = tasks;
            this.first = first;
            this.arrivedAt = arrivedAt;
        }

        public Origin origin() {
            return origin;
        }

        public Workflow tasks() {
            return tasks;
        }

        /** The index of its first task in the run; the others follow. */
        public int first() {
            return first;
        }

        /**
         * The number that agents use for its first task; the others follow. It does not change when earlier
         * workflows are archived.
         */
        public int number() {
            return number;
        }

        /** When it was added. */
        public long arrivedAt() {
            return arrivedAt;
        }

        /** When its last task ended; −1 if some have not. */
        public long endedAt() {
            return endedAt;
        }

        /** Whether the whole workflow is held. */
        public boolean isHeld() {
            return held;
        }

        /** Whether it was cancelled. */
        public boolean isDropped() {
            return dropped;
        }

        private boolean isAllOf(int from, int count) {
            return from <= first && first + tasks.size() <= (long) from + count;
        }
    }

    private final List<ForestWorkflow> parts = new ArrayList<>();
    private final Map<String, ForestWorkflow> byId = new HashMap<>();
    private int nextNumber;
    private int endedTasks;

    /** A run that begins with a workflow, which may have no tasks. */
    public Forest(Workflow first) {
        if (first.size() > 0) {
            add(new ForestWorkflow(new Origin("", "", 0, ""), first, 0, 0, 0));
        }
    }

    private void add(ForestWorkflow part) {
        nextNumber = Math.addExact(nextNumber, part.tasks.size());
        parts.add(part);
        byId.put(part.origin.id(), part);
    }

    /** Applies an event that the manager has already applied. */
    public void apply(Event event, Manager manager) {
        if (event instanceof Event.Grown grown) {
            Workflow tasks = grown.added().tasks();
            int first = manager.workflow().size() - tasks.size();
            add(new ForestWorkflow(grown.added().origin(), tasks, first, nextNumber, event.at()));
            update(parts.get(parts.size() - 1), manager, event.at());
        } else if (event instanceof Event.Held held) {
            parts.stream()
                    .filter(part -> part.isAllOf(held.first(), held.count()))
                    .forEach(part -> part.held = held.held());
        } else if (event instanceof Event.Dropped dropped) {
            for (ForestWorkflow part : parts) {
                part.dropped |= part.endedAt < 0 && part.isAllOf(dropped.first(), dropped.count());
                update(part, manager, event.at());
            }
        } else if (event instanceof Event.Restored restored) {
            restore(restored.as(), manager);
        } else if (event instanceof Event.TaskEnded ended
                && ended.task() < manager.workflow().size()) {
            // A failure may also end the tasks that depend on it.
            parts.stream().filter(part -> part.endedAt < 0).forEach(part -> update(part, manager, event.at()));
        }
    }

    /** Advances past tasks that have ended; the last one ends the workflow. */
    private void update(ForestWorkflow part, Manager manager, long at) {
        int size = part.tasks.size();
        while (part.endedTasks < size && manager.isFinal(part.first + part.endedTasks)) {
            part.endedTasks++;
        }
        if (part.endedTasks == size && part.endedAt < 0) {
            part.endedAt = at;
            endedTasks += at >= 0 ? size : 0;
        }
    }

    private void restore(Checkpoint as, Manager manager) {
        nextNumber = as.counts().nextNumber();
        for (int i = 0; i < parts.size(); i++) {
            ForestWorkflow part = parts.get(i);
            Checkpoint.WorkflowState saved = as.workflows().get(i);
            part.number = saved.number();
            part.held = saved.held();
            part.dropped = saved.dropped();
            update(part, manager, saved.endedAt());
        }
    }

    /** Whether the task with this agents' number belongs to the run, or to a workflow that may still be added. */
    public boolean mayContain(long number) {
        return number >= nextNumber || localAttempt(new AttemptId((int) number, 1)) != null;
    }

    /** The number of tasks in completed workflows. */
    public int endedTasks() {
        return endedTasks;
    }

    /** The number that agents will use for the first task of the next workflow. */
    int nextNumber() {
        return nextNumber;
    }

    /** The id that agents use for an attempt. */
    public AttemptId agentId(AttemptId attempt) {
        ForestWorkflow part = of(attempt.task());
        return new AttemptId(attempt.task() - part.first + part.number, attempt.attempt());
    }

    /** The attempt with this agents' id; null if its workflow is not in the run, or no longer. */
    public @Nullable AttemptId localAttempt(AttemptId attempt) {
        ForestWorkflow part =
                parts.isEmpty() ? null : BinarySearch.holding(parts, ForestWorkflow::number, attempt.task());
        int task = part == null ? -1 : attempt.task() - part.number;
        return part == null || task < 0 || task >= part.tasks.size()
                ? null
                : new AttemptId(part.first + task, attempt.attempt());
    }

    /** All workflows, in order of arrival. */
    public List<ForestWorkflow> parts() {
        return Collections.unmodifiableList(parts);
    }

    /** The workflow of this id, or null. */
    public @Nullable ForestWorkflow named(String id) {
        return byId.get(id);
    }

    /** The workflow that a task belongs to. */
    public ForestWorkflow of(int task) {
        return BinarySearch.holding(parts, ForestWorkflow::first, task);
    }
}
