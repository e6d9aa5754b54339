package io.sheaf.runtime.queue;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A listener that writes the state of each task of a queue once it is durable, and detects when the queue is idle.
 * It forwards all calls to another listener.
 */
public final class TaskStates implements RunListener {
    private final TaskQueue queue;
    private final RunListener next;
    private final long idleMillis;
    private final Runnable whenIdle;
    private final Map<Integer, TaskPhase> written = new HashMap<>();
    private final Map<Integer, String> reasons = new HashMap<>();
    private final ControlFolder inbox;
    private @Nullable Workflow workflow;
    private int refusals;
    private long idleSince = -1;
    private boolean idleReported;

    /** Ids of tasks whose end is not announced yet. */
    private final List<String> ends = new ArrayList<>();

    /**
     * Creates a listener.
     *
     * @param idleMillis the maximum idle time of the queue, in milliseconds
     * @param whenIdle called once after that time
     */
    public TaskStates(TaskQueue queue, RunListener next, long idleMillis, Runnable whenIdle) {
        this.queue = queue;
        this.next = next;
        this.idleMillis = idleMillis;
        this.whenIdle = whenIdle;
        inbox = new ControlFolder(queue.run());
    }

    @Override
    public void begins(Manager manager) {
        workflow = manager.workflow();
        writeFrom(0, manager);
        try {
            queue.begun(manager.nodes(), manager.coresPerNode());
        } catch (IOException e) {
            message("cannot write that this process manages the queue: " + e.getMessage());
        }
        next.begins(manager);
    }

    @Override
    public void happened(Event event, Manager manager) {
        workflow = manager.workflow();
        if (event instanceof Event.TaskEnded ended) {
            if (manager.state(ended.task()) == TaskState.FAILED) {
                // Its successors are skipped.
                writeFrom(0, manager);
            } else {
                write(ended.task(), manager);
            }
        } else if (event instanceof Event.Grown grown) {
            writeFrom(workflow.size() - grown.added().tasks().size(), manager);
        } else if (event instanceof Event.Dropped || event instanceof Event.Cancelled) {
            writeFrom(0, manager);
        }
        next.happened(event, manager);
    }

    private void writeFrom(int first, Manager manager) {
        for (int task = first; task < manager.workflow().size(); task++) {
            write(task, manager);
        }
    }

    private void write(int task, Manager manager) {
        TaskState state = manager.state(task);
        TaskPhase phase =
                switch (state) {
                    case DONE -> TaskPhase.SUCCESS;
                    case FAILED, SKIPPED -> TaskPhase.FAILED;
                    case RUNNING -> TaskPhase.RUNNING;
                    default -> TaskPhase.WAITING;
                };
        String why = state == TaskState.SKIPPED ? "it was cancelled, or a task that it depends on failed" : "";
        write(task, phase, state == TaskState.FAILED ? reasons.getOrDefault(task, "") : why);
    }

    private void write(int task, TaskPhase phase, String why) {
        Workflow known = workflow;
        if (known == null || written.get(task) == phase) {
            return;
        }
        try {
            if (phase.isFinished()) {
                queue.noteEnd(known.id(task));
                ends.add(known.id(task));
            }
            queue.write(known.id(task), phase, why);
            written.put(task, phase);
        } catch (IOException e) {
            // The next change of the task writes it again, as does the next manager.
            message("the state of a task cannot be written: " + e.getMessage());
        }
    }

    @Override
    public void started(long token, int node, int task, int attempt) {
        write(task, TaskPhase.RUNNING, "");
        next.started(token, node, task, attempt);
    }

    @Override
    public void ended(AttemptResult result) {
        if (result.message().outcome() != AttemptOutcome.SUCCEEDED) {
            reasons.put(result.message().attempt().task(), result.message().reason());
        }
        next.ended(result);
    }

    @Override
    public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
        next.decided(decision, considered, manager);
    }

    @Override
    public void turned(Manager manager) {
        writeRefused();
        announceEnds(manager);
        boolean idle = manager.pilotJobs() == 0 && manager.isDone() && inbox.isEmpty();
        long now = System.nanoTime() / 1_000_000;
        if (!idle) {
            idleSince = -1;
        } else if (idleSince < 0) {
            idleSince = now;
        } else if (now - idleSince >= idleMillis && !idleReported) {
            idleReported = true;
            whenIdle.run();
        }
        next.turned(manager);
    }

    /** Announces ends of tasks once no task is ready, since the tool may submit more tasks after them. */
    private void announceEnds(Manager manager) {
        if (ends.isEmpty() || manager.nextReady(0) >= 0) {
            return;
        }
        try {
            queue.announceEnds(ends);
            ends.clear();
        } catch (IOException e) {
            message("the end of a task cannot be announced: " + e.getMessage());
        }
    }

    /** Marks refused tasks as failed. */
    private void writeRefused() {
        try {
            int all = inbox.refused().size();
            Map<String, String> refused = all == refusals ? Map.of() : inbox.refusedIds(refusals);
            refusals = all;
            for (Map.Entry<String, String> each : refused.entrySet()) {
                queue.noteEnd(each.getKey());
                queue.write(each.getKey(), TaskPhase.FAILED, each.getValue());
                ends.add(each.getKey());
            }
        } catch (IOException e) {
            message("the list of refused tasks cannot be read: " + e.getMessage());
        }
    }

    @Override
    public void message(String text) {
        next.message(text);
    }
}
