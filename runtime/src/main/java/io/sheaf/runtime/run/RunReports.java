package io.sheaf.runtime.run;

import io.sheaf.manager.AvoidedNode;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.text.SizeText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Reports to a run's listener, delayed until the turn is durable, so that nothing is reported that a restart would undo. */
final class RunReports {
    private final Manager manager;
    private final RunListener listener;
    private final List<Consumer<RunListener>> pending = new ArrayList<>();
    /** The hosts of excluded nodes that the user has a message about. */
    private final Set<String> avoided = new HashSet<>();

    RunReports(Manager manager, RunListener listener) {
        this.manager = manager;
        this.listener = listener;
    }

    void add(Consumer<RunListener> report) {
        pending.add(report);
    }

    void message(String text) {
        add(to -> to.message(text));
    }

    /** Delivers all pending reports. */
    void flush() {
        pending.forEach(report -> report.accept(listener));
        pending.clear();
    }

    /** Reports an event that the manager has applied, with messages about newly excluded nodes and tasks that are not retried. */
    void happened(Event event) {
        add(to -> to.happened(event, manager));
        reportAvoided();
        if (event instanceof Event.TaskEnded ended
                && ended.outcome() == Event.Outcome.CUT_OFF
                && manager.state(ended.task()) == TaskState.FAILED) {
            message(
                    "task " + manager.workflow().id(ended.task()) + " failed: walltimes cut it off "
                            + ended.attempt()
                            + " times, each longer than the one before. It may hang, or its time in the workflow is far too low");
        }
    }

    private void reportAvoided() {
        List<AvoidedNode> now = manager.avoided();
        for (AvoidedNode node : now) {
            if (avoided.add(node.host())) {
                message("node " + node.host() + " is excluded for a day: " + node.reason());
            }
        }
        if (avoided.size() > now.size()) {
            avoided.retainAll(now.stream().map(AvoidedNode::host).toList());
        }
    }

    /** Reports that the next attempt of a task requests more memory than the last one had, if so. */
    void grown(int task, long before) {
        long after = manager.needs(task).memory();
        if (after > before && manager.state(task) != TaskState.FAILED) {
            message("task '" + manager.workflow().id(task) + "' exceeded " + SizeText.rounded(before)
                    + " of memory; its next attempt requests " + SizeText.rounded(after));
        }
    }
}
