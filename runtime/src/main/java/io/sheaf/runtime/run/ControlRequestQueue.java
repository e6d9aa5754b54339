package io.sheaf.runtime.run;

import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.run.Forest.ForestWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts the control requests in a run's {@link ControlFolder} to events, in order.
 *
 * <p>A workflow is added once: if its id is already in the run, an earlier process added it and ended before it
 * removed the file. After a crash, holds, cancellations and drains may be applied a second time, followed by all later
 * requests.
 */
public final class ControlRequestQueue implements ControlRequests {
    /** The maximum number of requests per turn, so that agents' messages are handled in between. */
    private static final int MAX_AT_ONCE = 20;

    /** The interval between checks whether the submitting programs are alive, in milliseconds. */
    private static final long CHECK_MILLIS = 1_000;

    /** Throws unless this process has the lease of the run. */
    @FunctionalInterface
    public interface LeaseCheck {
        void check() throws IOException;
    }

    private final ControlFolder folder;
    private final LeaseCheck lease;
    private final int maxTasks;
    private final Consumer<String> messages;
    /** Names of requests that this process has applied and not removed yet. */
    private final Set<String> applied = new HashSet<>();

    private long checkedAt = Long.MIN_VALUE / 2;

    /**
     * The requests in a folder.
     *
     * @param lease checked after a request is read and before the folder is changed: if the run was removed and
     *     replaced at the same path, the request is for the new run's manager
     * @param maxTasks a run with this many tasks accepts no more; further requests wait in the folder
     */
    public ControlRequestQueue(ControlFolder folder, LeaseCheck lease, int maxTasks, Consumer<String> messages) {
        this.folder = folder;
        this.lease = lease;
        this.maxTasks = maxTasks;
        this.messages = messages;
    }

    @Override
    public void poll(long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to) throws IOException {
        List<String> names = folder.due();
        if (manager.isOpen() && (now - checkedAt >= CHECK_MILLIS || !names.isEmpty())) {
            checkedAt = now;
            boolean awaited = folder.isAwaited();
            List<ExpectedTasks> expected = awaited ? folder.expected() : List.of();
            if (awaited != manager.isAwaited() || !expected.equals(manager.expected())) {
                to.accept(new Event.Awaited(now, awaited, expected), () -> {});
            }
        }
        applied.retainAll(folder.names());
        // Gathered requests are planned together.
        int remaining = folder.isGathering() ? Integer.MAX_VALUE : MAX_AT_ONCE;
        for (String name : names) {
            if (!applied.contains(name) && remaining-- > 0 && !apply(name, now, manager, forest, to)) {
                return;
            }
        }
    }

    /**
     * Removes durably what needs no more action: submissions that are applied, and requests about workflows that have
     * ended. Otherwise a submission could be applied again, or a request be refused, after the forest has dropped its
     * workflow.
     */
    public void settle(Forest forest) throws IOException {
        for (String name : folder.names()) {
            if (isSettled(name, forest)) {
                folder.removeSurely(name);
            }
        }
        folder.sync();
    }

    private boolean isSettled(String name, Forest forest) {
        try {
            ControlRequest request = folder.read(name);
            if (request instanceof ControlRequest.Submit submit) {
                return forest.named(submit.origin().id()) != null;
            } else if (request instanceof ControlRequest.Hold hold) {
                return hasEnded(hold.id(), forest);
            }
            return request instanceof ControlRequest.Drop drop && hasEnded(drop.id(), forest);
        } catch (IOException | InputException e) {
            // An unreadable request was never applied; it is refused in its turn.
            return false;
        }
    }

    /** Whether the workflow of this name, or that of the task of this name, has ended. */
    private static boolean hasEnded(String id, Forest forest) {
        return forest.parts().stream()
                .anyMatch(part -> part.endedAt() >= 0
                        && (part.origin().id().equals(id) || part.tasks().find(id) >= 0));
    }

    @Override
    public boolean areSettled() {
        applied.retainAll(folder.names());
        return applied.isEmpty();
    }

    /** Applies a request; returns whether the requests after it may be applied, too. */
    private boolean apply(String name, long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to)
            throws IOException {
        Event event = null;
        String refused = null;
        try {
            event = event(folder.read(name), now, manager, forest);
        } catch (InputException e) {
            refused = e.getMessage();
        } catch (IOException e) {
            refused = "it cannot be read: " + e.getMessage();
        }
        lease.check();
        if (refused != null) {
            folder.refuse(name, refused);
            messages.accept("a submission is refused: " + refused);
        } else if (event == null) {
            folder.remove(name);
        } else if (event instanceof Event.Grown && manager.workflow().size() >= maxTasks) {
            return false;
        } else {
            applied.add(name);
            to.accept(event, () -> folder.remove(name));
        }
        return true;
    }

    private static @Nullable Event event(ControlRequest request, long now, Manager manager, Forest forest) {
        if (request instanceof ControlRequest.Submit submit) {
            return forest.named(submit.origin().id()) != null ? null : new Event.Grown(now, addition(submit, manager));
        } else if (request instanceof ControlRequest.Hold hold) {
            ForestWorkflow part = part(hold.id(), forest);
            return new Event.Held(now, part.first(), part.tasks().size(), hold.held());
        } else if (request instanceof ControlRequest.Drop drop) {
            // Tasks that were submitted together are cancelled individually.
            int task = forest.named(drop.id()) == null ? manager.workflow().find(drop.id()) : -1;
            if (task >= 0) {
                return new Event.Dropped(now, task, 1);
            }
            ForestWorkflow part = part(drop.id(), forest);
            return new Event.Dropped(now, part.first(), part.tasks().size());
        }
        return new Event.Closed(now);
    }

    private static ForestWorkflow part(String id, Forest forest) {
        ForestWorkflow part = forest.named(id);
        if (part == null) {
            throw new InputException("there is no workflow '" + id + "' in this run, or it has ended and was archived");
        }
        return part;
    }

    /** Refuses tasks that do not fit the run, even if the submitting process has checked them. */
    static Addition addition(ControlRequest.Submit submit, Manager manager) {
        if (!manager.isOpen()) {
            throw new InputException("the run accepts no more workflows: it is being drained");
        }
        Workflow existing = manager.workflow();
        Addition added = Addition.of(submit.origin(), submit.tasks());
        for (ControlRequest.Edge edge : submit.after()) {
            int parent = existing.find(edge.parent());
            if (parent < 0) {
                throw new InputException("there is no task '" + edge.parent() + "' to depend on");
            }
            added = added.after(parent, edge.child());
        }
        added.check(existing);
        manager.limits().check(submit.tasks());
        for (int task = 0; task < submit.tasks().size(); task++) {
            Resources needs = submit.tasks().resources(task);
            String excess = needs.excess(manager.node());
            if (excess != null || needs.nodes() > manager.nodes()) {
                throw new InputException("task '" + submit.tasks().id(task) + "' needs "
                        + (excess != null ? excess : needs.nodes() + " nodes; a job may have " + manager.nodes()));
            }
            if (submit.tasks().command(task) == null) {
                throw new InputException("task '" + submit.tasks().id(task) + "' has no command");
            }
        }
        return added;
    }
}
