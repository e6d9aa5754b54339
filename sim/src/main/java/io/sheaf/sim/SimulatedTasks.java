package io.sheaf.sim;

import io.sheaf.batch.InstantHeap;
import io.sheaf.manager.Event;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
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
    private final RunLedger ledger;
    private final EventDelivery post;
    private final @Nullable InjectedFaults faults;
    private final @Nullable ExpectedRunTimes times;
    private final InstantHeap ends = new InstantHeap();
    private long sequence;
    /** Whether any was started or stopped since the simulation cleared this. */
    boolean moved;

    SimulatedTasks(
            SimulatedQueue queue,
            Workflow workflow,
            SimulationSetup setup,
            RunLedger ledger,
            EventDelivery post,
            @Nullable InjectedFaults faults) {
        this.queue = queue;
        this.workflow = workflow;
        taskTimes = setup.taskTimes();
        this.ledger = ledger;
        this.post = post;
        this.faults = faults;
        times = setup.times() == null
                ? null
                : new ExpectedRunTimes(new TaskHistory(), setup.times(), ExpectedRunTimes::category);
        if (times != null) {
            times.addTasks(workflow);
        }
    }

    /** The next end; {@link io.sheaf.batch.BatchEngine#NEVER} if there is none. */
    long next() {
        return ends.first();
    }

    /** Starts an attempt with some resources in a running pilot job; ignores late and duplicate commands. */
    void start(long token, int[] nodes, Resources needs, int task, int attempt) {
        if ((faults != null && faults.isLost(token, nodes)) || Math.abs(ledger.attempt(task)) >= attempt) {
            return;
        }
        long tie = sequence++;
        ledger.taskStarted(token, nodes, needs, task, attempt, tie, queue.now());
        long millis = millis(task, attempt, needs);
        if (faults != null) {
            millis = faults.lasts(task, attempt, millis);
            faults.taskStarted(task, nodes);
        }
        ends.add(queue.now() + millis, tie, task);
        moved = true;
    }

    /** The time of an attempt on its cores: all core counts of a task have the same relative error. */
    private long millis(int task, int attempt, Resources needs) {
        return workflow.onChosen(task, needs, taskTimes.millis(workflow, task, attempt));
    }

    /** Continues an attempt that started earlier with its remaining time. */
    void resume(long token, int[] nodes, Resources needs, int task, int attempt, long began) {
        long elapsed = queue.now() - began;
        long remaining = millis(task, attempt, needs) - elapsed;
        long tie = sequence++;
        ledger.taskStarted(token, nodes, needs, task, attempt, tie, began);
        ends.add(queue.now() + (remaining > 0 ? remaining : 1 + elapsed / OVERDUE_PART), tie, task);
    }

    void stop(long token, int task, int attempt) {
        if (ledger.attempt(task) == attempt) {
            ledger.cutOff(task, queue.now(), Event.Outcome.STOPPED);
            moved = true;
            post.send(new Event.TaskEnded(queue.now(), token, task, attempt, Event.Outcome.STOPPED));
        }
    }

    /** Ends the attempts on a lost node of a pilot job. */
    void nodeLost(InjectedFaults faults, long token, int node, long at) {
        faults.lose(token, node);
        for (int task = 0; task < workflow.size(); task++) {
            boolean runs = ledger.attempt(task) > 0 && ledger.token(task) == token;
            if (runs && faults.isOn(task, node)) {
                ledger.cutOff(task, at, Event.Outcome.NODE_LOST);
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
        int attempt = ledger.attempt(task);
        // An end that was scheduled before the attempt was cut off belongs to an earlier attempt.
        if (attempt <= 0 || ledger.sequence(task) != tie) {
            return;
        }
        long token = ledger.token(task);
        long since = ledger.since(task);
        if (faults == null) {
            ledger.taskEnded(task, at);
            post.report(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED));
            learn(task, at, since);
        } else if (faults.fails(task, attempt)) {
            ledger.cutOff(task, at, Event.Outcome.FAILED);
            post.send(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.FAILED));
        } else {
            ledger.taskEnded(task, at);
            learn(task, at, since);
            post.send(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED));
        }
    }

    /** Records the run time of a task, and updates the manager if expected times change. */
    private void learn(int task, long at, long since) {
        ExpectedRunTimes known = times;
        if (known != null) {
            long bytes = ExpectedRunTimes.inputBytes(workflow, task);
            known.learn(new TaskRecord(
                    ExpectedRunTimes.category(workflow, task),
                    workflow.resources(task).cores(),
                    bytes,
                    workflow.onDeclared(task, ledger.needs(task), at - since),
                    TaskRecord.UNKNOWN,
                    false));
            RunTimeUpdate moves = known.moved(workflow, each -> ExpectedRunTimes.inputBytes(workflow, each));
            if (moves != null) {
                post.send(new Event.Retimed(at, moves));
            }
        }
    }
}
