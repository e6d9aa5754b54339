package io.sheaf.sim;

import io.sheaf.batch.InstantHeap;
import io.sheaf.manager.Event;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.predict.TimesInUse;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** The running attempts of a simulated run: their ends, outcomes, and observed times. */
final class SimulatedTasks {
    /** A task that exceeds its expected time is expected to need this fraction (1/n) of it more. */
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
        times = setup.times() == null ? null : new TimesInUse(new TaskHistory(), setup.times(), TimesInUse::category);
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

    /** The next end; {@link io.sheaf.batch.BatchEngine#NEVER} if there is none. */
    long next() {
        return ends.first();
    }

    /** Starts an attempt with some resources in a running pilot job; ignores late and duplicate commands. */
    void start(long token, int[] nodes, Resources needs, int task, int attempt) {
        if ((mishaps != null && mishaps.isLost(token, nodes)) || Math.abs(book.attempt(task)) >= attempt) {
            return;
        }
        long tie = sequence++;
        book.taskStarted(token, nodes, needs, task, attempt, tie, queue.now());
        long millis = millis(task, attempt, needs);
        if (mishaps != null) {
            millis = mishaps.lasts(task, attempt, millis);
            mishaps.taskStarted(task, nodes);
        }
        ends.add(queue.now() + millis, tie, task);
        moved = true;
    }

    /** The time of an attempt on its cores: all core counts of a task have the same relative error. */
    private long millis(int task, int attempt, Resources needs) {
        return workflow.onChosen(task, needs, taskTimes.millis(workflow, task, attempt));
    }

    /** Continues an attempt that started earlier with its remaining time. */
    void goOn(long token, int[] nodes, Resources needs, int task, int attempt, long began) {
        long elapsed = queue.now() - began;
        long left = millis(task, attempt, needs) - elapsed;
        long tie = sequence++;
        book.taskStarted(token, nodes, needs, task, attempt, tie, began);
        ends.add(queue.now() + (left > 0 ? left : 1 + elapsed / OVERDUE_PART), tie, task);
    }

    void stop(long token, int task, int attempt) {
        if (book.attempt(task) == attempt) {
            book.cutOff(task, queue.now(), Event.Outcome.STOPPED);
            moved = true;
            post.send(new Event.TaskEnded(queue.now(), token, task, attempt, Event.Outcome.STOPPED));
        }
    }

    /** Ends the attempts on a lost node of a pilot job. */
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

    /** Ends the attempts that are due at an instant. */
    void ends(long at) {
        while (ends.first() == at) {
            ended(at, ends.firstTie(), ends.remove());
        }
    }

    private void ended(long at, long tie, int task) {
        int attempt = book.attempt(task);
        // An end that was scheduled before the attempt was cut off belongs to an earlier attempt.
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

    /** Records the run time of a task, and updates the manager if expected times change. */
    private void learn(int task, long at, long since) {
        TimesInUse known = times;
        if (known != null) {
            long bytes = TimesInUse.inputBytes(workflow, task);
            known.learn(new TaskRecord(
                    TimesInUse.category(workflow, task),
                    workflow.resources(task).cores(),
                    bytes,
                    workflow.onDeclared(task, book.needs(task), at - since),
                    TaskRecord.UNKNOWN,
                    false));
            Retiming moves = known.moved(workflow, each -> TimesInUse.inputBytes(workflow, each));
            if (moves != null) {
                post.send(new Event.Retimed(at, moves));
            }
        }
    }
}
