package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Checkpoint;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Stretches;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The workflows that a run is made of: the one it began with, and those that were added. All of it comes from the run's events. */
public final class Forest {
    /** One of the workflows. */
    public static final class Part {
        private final Origin origin;
        private final Workflow tasks;
        private final int first;
        private final long arrivedAt;
        private int number;
        private int over;
        private boolean held;
        private boolean dropped;
        private long endedAt = -1;

        private Part(Origin origin, Workflow tasks, int first, int number, long arrivedAt) {
            this.number = number;
            this.origin = origin;
            this.tasks = tasks;
            this.first = first;
            this.arrivedAt = arrivedAt;
        }

        public Origin origin() {
            return origin;
        }

        /** Its tasks as a workflow of their own. */
        public Workflow tasks() {
            return tasks;
        }

        /** The number of its first task in the run; the others follow. */
        public int first() {
            return first;
        }

        /** What agents call its first task; the others follow. It stays when those that came before are put aside. */
        public int number() {
            return number;
        }

        /** When it was added. */
        public long arrivedAt() {
            return arrivedAt;
        }

        /** When its last task was over; −1 if it is not. */
        public long endedAt() {
            return endedAt;
        }

        /** Whether all of it is held back. */
        public boolean isHeld() {
            return held;
        }

        /** Whether it was dropped. */
        public boolean isDropped() {
            return dropped;
        }

        /** Passes over tasks that are over, which they stay; the last one ends it. */
        private void look(Manager manager, long at) {
            while (over < tasks.size() && manager.isFinal(first + over)) {
                over++;
            }
            if (over == tasks.size() && endedAt < 0) {
                endedAt = at;
            }
        }

        private boolean isAllOf(int from, int count) {
            return from <= first && first + tasks.size() <= (long) from + count;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final Map<String, Part> byId = new HashMap<>();
    private int nextNumber;
    private int over;

    /** A run that begins with a workflow, which may have no tasks. */
    public Forest(Workflow first) {
        if (first.size() > 0) {
            add(new Part(new Origin("", "", 0, ""), first, 0, 0, 0));
        }
    }

    private void add(Part part) {
        nextNumber = Math.addExact(nextNumber, part.tasks.size());
        parts.add(part);
        byId.put(part.origin.id(), part);
    }

    /** Something happened, which the manager has been told already. */
    public void heard(Event event, Manager manager) {
        if (event instanceof Event.Grown grown) {
            Workflow tasks = grown.added().tasks();
            int first = manager.workflow().size() - tasks.size();
            add(new Part(grown.added().origin(), tasks, first, nextNumber, event.at()));
            look(parts.get(parts.size() - 1), manager, event.at());
        } else if (event instanceof Event.Held held) {
            parts.stream()
                    .filter(part -> part.isAllOf(held.first(), held.count()))
                    .forEach(part -> part.held = held.held());
        } else if (event instanceof Event.Dropped dropped) {
            for (Part part : parts) {
                part.dropped |= part.endedAt < 0 && part.isAllOf(dropped.first(), dropped.count());
                look(part, manager, event.at());
            }
        } else if (event instanceof Event.Restored restored) {
            restore(restored.as(), manager);
        } else if (event instanceof Event.TaskEnded ended
                && ended.task() < manager.workflow().size()) {
            // What fails may end others by the way: those that come after it.
            parts.stream().filter(part -> part.endedAt < 0).forEach(part -> look(part, manager, event.at()));
        }
    }

    private void look(Part part, Manager manager, long at) {
        boolean was = part.endedAt >= 0;
        part.look(manager, at);
        over += !was && part.endedAt >= 0 ? part.tasks.size() : 0;
    }

    private void restore(Checkpoint as, Manager manager) {
        nextNumber = as.counts().nextNumber();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            Checkpoint.Part was = as.workflows().get(i);
            part.number = was.number();
            part.held = was.held();
            part.dropped = was.dropped();
            look(part, manager, was.endedAt());
        }
    }

    /** Whether a task that agents call so is one of these, or may come. */
    public boolean knows(long number) {
        return number >= nextNumber || here(new AttemptId((int) number, 1)) != null;
    }

    /** How many tasks belong to workflows that are over. */
    public int over() {
        return over;
    }

    /** What agents will call the first task of the workflow that comes next. */
    int nextNumber() {
        return nextNumber;
    }

    /** What agents call an attempt. */
    public AttemptId abroad(AttemptId attempt) {
        Part part = of(attempt.task());
        return new AttemptId(attempt.task() - part.first + part.number, attempt.attempt());
    }

    /** The attempt that agents call so; null if its workflow is not here, or not any more. */
    public @Nullable AttemptId here(AttemptId attempt) {
        Part part = parts.isEmpty() ? null : Stretches.holding(parts, Part::number, attempt.task());
        int task = part == null ? -1 : attempt.task() - part.number;
        return part == null || task < 0 || task >= part.tasks.size()
                ? null
                : new AttemptId(part.first + task, attempt.attempt());
    }

    /** All of them, in the order in which they came. */
    public List<Part> parts() {
        return Collections.unmodifiableList(parts);
    }

    /** The workflow of this id, or null. */
    public @Nullable Part named(String id) {
        return byId.get(id);
    }

    /** The workflow that a task belongs to. */
    public Part of(int task) {
        return Stretches.holding(parts, Part::first, task);
    }
}
