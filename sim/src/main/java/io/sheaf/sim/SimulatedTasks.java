package io.sheaf.sim;

import io.sheaf.batch.InstantHeap;
import io.sheaf.manager.Event;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.predict.TimesInUse;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** The attempts of tasks that run in a simulated run's pilot jobs: when each ends, how, and what is learnt from it. */
final class SimulatedTasks {
    /** A task that has had all its time is taken to need this part of it once more. */
    private static final int OVERDUE_PART = 4;

    private final SimulatedQueue queue;
    private final Workflow workflow;
    private final TaskTimes taskTimes;
    private final RunLedger book;
    private final EventDelivery post;
    private final @Nullable Mishaps mishaps;
    private final @Nullable TimesInUse times;
    private final InstantHeap ends = new InstantHeap();
    private long sequence;
    private boolean moved;

    SimulatedTasks(
            SimulatedQueue queue,
            Workflow workflow,
            SimulationSetup setup,
            RunLedger book,
            EventDelivery post,
            @Nullable Mishaps mishaps) {
        this.queue = queue;
        this.workflow = workflow;
        taskTimes = setup.taskTimes();
        this.book = book;
        this.post = post;
        this.mishaps = mishaps;
        times = setup.times() == null ? null : new TimesInUse(new TaskHistory(), setup.times());
        if (times != null) {
            times.note(workflow);
        }
    }

    /** Whether any was started or stopped since {@link #rest}. */
    boolean hasMoved() {
        return moved;
    }

    void rest() {
        moved = false;
    }

    /** When the next one ends; {@link io.sheaf.batch.BatchScheduler#NEVER} if none does. */
    long next() {
        return ends.first();
    }

    /** Starts an attempt in a pilot job that is there; a command that comes late or twice does nothing. */
    void start(long token, int[] nodes, int task, int attempt) {
        if ((mishaps != null && mishaps.isLost(token, nodes)) || Math.abs(book.attempt(task)) >= attempt) {
            return;
        }
        long tie = sequence++;
        book.taskStarted(token, nodes, task, attempt, tie, queue.now());
        long millis = taskTimes.millis(workflow, task, attempt);
        if (mishaps != null) {
            millis = mishaps.lasts(task, attempt, millis);
            mishaps.taskStarted(task, nodes);
        }
        ends.add(queue.now() + millis, tie, task);
        moved = true;
    }

    /** Goes on with an attempt that began earlier; it has what is left of its time. */
    void goOn(long token, int[] nodes, int task, int attempt, long began) {
        long elapsed = queue.now() - began;
        long left = taskTimes.millis(workflow, task, attempt) - elapsed;
        long tie = sequence++;
        book.taskStarted(token, nodes, task, attempt, tie, began);
        ends.add(queue.now() + (left > 0 ? left : 1 + elapsed / OVERDUE_PART), tie, task);
    }

    void stop(long token, int task, int attempt) {
        if (book.attempt(task) == attempt) {
            book.cutOff(task, queue.now(), Event.Outcome.STOPPED);
            moved = true;
            post.send(new Event.TaskEnded(queue.now(), token, task, attempt, Event.Outcome.STOPPED));
        }
    }

    /** A node of a pilot job is lost, and with it the attempts that have it. */
    void nodeLost(Mishaps happening, long token, int node, long at) {
        happening.lose(token, node);
        for (int task = 0; task < workflow.size(); task++) {
            boolean runs = book.attempt(task) > 0 && book.token(task) == token;
            if (runs && happening.isOn(task, node)) {
                book.cutOff(task, at, Event.Outcome.NODE_LOST);
            }
        }
        post.send(new Event.NodeLost(at, token, node));
    }

    /** Ends what ends at an instant. */
    void ends(long at) {
        while (ends.first() == at) {
            ended(at, ends.firstTie(), ends.remove());
        }
    }

    private void ended(long at, long tie, int task) {
        int attempt = book.attempt(task);
        // An end that was foreseen before the attempt was cut off, and another one made, is not this attempt's.
        if (attempt <= 0 || book.sequence(task) != tie) {
            return;
        }
        long token = book.token(task);
        long since = book.since(task);
        if (mishaps == null) {
            book.taskEnded(task, at);
            post.tell(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED));
            learn(task, at, since);
        } else if (mishaps.fails(task, attempt)) {
            book.cutOff(task, at, Event.Outcome.FAILED);
            post.send(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.FAILED));
        } else {
            book.taskEnded(task, at);
            learn(task, at, since);
            post.send(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED));
        }
    }

    /** A task has taken so long; if that changes what is expected of others, the manager is told. */
    private void learn(int task, long at, long since) {
        TimesInUse known = times;
        if (known != null) {
            long bytes = TimesInUse.inputBytes(workflow, task);
            known.learn(new TaskRecord(
                    TimesInUse.category(workflow, task),
                    workflow.resources(task).cores(),
                    bytes,
                    at - since,
                    TaskRecord.UNKNOWN,
                    false));
            Retiming moves = known.moved(workflow, each -> TimesInUse.inputBytes(workflow, each));
            if (moves != null) {
                post.send(new Event.Retimed(at, moves));
            }
        }
    }
}
