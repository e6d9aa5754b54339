package io.sheaf.runtime;

import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.workflow.Origin;
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
        private int over;
        private boolean held;
        private boolean dropped;
        private long endedAt = -1;

        private Part(Origin origin, Workflow tasks, int first, long arrivedAt) {
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

    /** A run that begins with a workflow, which may have no tasks. */
    public Forest(Workflow first) {
        if (first.size() > 0) {
            add(new Part(new Origin("", "", 0, ""), first, 0, 0));
        }
    }

    private void add(Part part) {
        parts.add(part);
        byId.put(part.origin.id(), part);
    }

    /** Something happened, which the manager has been told already. */
    public void heard(Event event, Manager manager) {
        if (event instanceof Event.Grown grown) {
            Workflow tasks = grown.added().tasks();
            add(new Part(grown.added().origin(), tasks, manager.workflow().size() - tasks.size(), event.at()));
            parts.get(parts.size() - 1).look(manager, event.at());
        } else if (event instanceof Event.Held held) {
            parts.stream()
                    .filter(part -> part.isAllOf(held.first(), held.count()))
                    .forEach(part -> part.held = held.held());
        } else if (event instanceof Event.Dropped dropped) {
            for (Part part : parts) {
                part.dropped |= part.endedAt < 0 && part.isAllOf(dropped.first(), dropped.count());
                part.look(manager, event.at());
            }
        } else if (event instanceof Event.TaskEnded ended
                && ended.task() < manager.workflow().size()) {
            // What fails may end others by the way: those that come after it.
            parts.stream().filter(part -> part.endedAt < 0).forEach(part -> part.look(manager, event.at()));
        }
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
        int low = 0;
        int high = parts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (parts.get(middle).first <= task) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return parts.get(low);
    }
}
