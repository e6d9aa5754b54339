package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.rerun.CommitBook;
import io.sheaf.runtime.run.EventQueue.AgentMessage;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a run: one thread that owns the manager.
 *
 * <h2>A turn</h2>
 * The manager applies all new events, and the strategy decides. The loop appends both to the journal and commits
 * it. Only then does it carry out the manager's effects and acknowledge results. So a submission is durable before
 * it is made, and a result before its agent may discard it. If the journal cannot be written, the loop waits.
 *
 * <h2>Recovery</h2>
 * The journal restores the manager. The loop repeats effects that have no answer, the cluster reports the state of
 * its pilot jobs, and agents connect. All of these operations are idempotent.
 */
public final class RunLoop {
    private static final int STOP_GRACE_MILLIS = 2_000;

    /**
     * The state of a run that only its loop changes.
     *
     * @param notes records the strategy's considerations; the manager has the same object
     * @param forest the manager's workflows
     * @param journal the durable record of all changes
     */
    public record LoopState(Manager manager, Considerations.Notes notes, Forest forest, RunJournal journal) {}

    /**
     * What connects the loop of a run with its pilot jobs and their agents.
     *
     * @param gate submits pilot jobs to the cluster
     * @param starts the messages that start attempts
     * @param inbox the messages of agents
     */
    public record LoopPorts(
            Cluster cluster,
            SubmissionGate gate,
            Agents agents,
            StartMessages starts,
            EventQueue inbox,
            RunClock clock) {}

    private final Manager manager;
    private final RunJournal journal;
    private final Cluster cluster;
    private final SubmissionGate gate;
    private final Agents link;
    private final EventQueue inbox;
    private final RunClock clock;
    private final RunListener listener;
    private final Considerations.Notes notes;
    private final StartMessages starts;
    private final Assignments assignments;
    private final Forest forest;
    private final DeferredEffects effects;
    private final WriteRetry writing;
    private final RunReports reports;
    private final AttemptReports attempts;
    private boolean happened = true;
    private ControlRequests requests = ControlRequests.NONE;
    private int archiveAfter = Integer.MAX_VALUE;
    private volatile boolean interrupted;
    private volatile boolean cancelled;
    private volatile boolean resumed;

    /** A loop that has not begun. */
    public RunLoop(LoopState state, LoopPorts ports, RunListener listener) {
        manager = state.manager();
        notes = state.notes();
        journal = state.journal();
        forest = state.forest();
        cluster = ports.cluster();
        gate = ports.gate();
        link = ports.agents();
        inbox = ports.inbox();
        clock = ports.clock();
        starts = ports.starts();
        this.listener = listener;
        reports = new RunReports(manager, listener);
        assignments = new Assignments(starts, link, forest::agentId);
        effects = new DeferredEffects(cluster, gate, assignments, link, listener);
        attempts = new AttemptReports(state, clock, effects, reports, this::apply);
        writing = new WriteRetry(listener::message, () -> interrupted);
    }

    /** Sets where the strategy's learned waits are kept; before the first turn. */
    public void learnWith(WaitMemory memory) {
        effects.learner = memory;
    }

    /** Sets where the results of committed tasks are kept; before the first turn. */
    public void recordIn(CommitBook commits) {
        attempts.commitBook = commits;
    }

    /** Sets where run times of tasks are kept; before the first turn. */
    public void timeWith(TimeKeeper timeKeeper) {
        attempts.times = timeKeeper;
    }

    /** Sets the source of control requests; before the first turn. */
    public void requestsFrom(ControlRequests source) {
        requests = source;
    }

    /** Ends the loop when completed workflows have this many tasks, although the run has not ended. */
    public void archiveAfter(int tasks) {
        archiveAfter = tasks;
    }

    private boolean isArchiveDue() {
        return forest.endedTasks() >= archiveAfter
                && manager.isOpen()
                && requests.areSettled()
                && RunCheckpoint.isNeeded(manager, forest, archiveAfter);
    }

    /** Continues from the journal, which the manager has replayed; {@code before} are the recorded results. */
    public void recover(List<AttemptResult> before) throws IOException {
        attempts.recover(before);
        StartMessages.Begun begun = starts.begun();
        if (attempts.complete(begun)) {
            commit();
        }
        Set<Long> believed = new LinkedHashSet<>();
        for (int i = 0; i < manager.pilotJobs(); i++) {
            believed.add(manager.pilotJob(i).token());
        }
        manager.repeat(effects);
        // The answer to a submission reports its state.
        believed.removeAll(effects.submissions());
        effects.carryOut();
        assignments.recovered(begun);
        gate.reconcile(believed);
        cluster.reconcile(believed);
    }

    /** How a loop ends. */
    public enum Ending {
        /** The workflow completed, failed or was cancelled, and no pilot job is left. */
        ENDED,
        /** The run waits for a user and can be resumed. */
        PAUSED,
        /** Enough workflows have completed to archive them before the run continues. */
        ARCHIVING,
        /** {@link #interrupt} was called; running tasks continue, and the run can be resumed. */
        INTERRUPTED,
        /** The run's folder was removed; all jobs were cancelled. */
        REMOVED
    }

    /** Runs turns until the run ends. */
    public Ending run() throws IOException, InterruptedException {
        List<AgentMessage> messages = List.of();
        while (true) {
            long due = turn(messages);
            if (isFinished()) {
                return Ending.ENDED;
            }
            if (interrupted) {
                return Ending.INTERRUPTED;
            }
            if (isArchiveDue()) {
                return Ending.ARCHIVING;
            }
            if (manager.paused() != null && manager.pilotJobs() == 0) {
                return Ending.PAUSED;
            }
            messages = inbox.take(Math.min(due - clock.millis(), WriteRetry.RETRY_MILLIS));
        }
    }

    int ended() {
        return attempts.ended();
    }

    public boolean isFinished() {
        return manager.isFinished() && manager.pilotJobs() == 0;
    }

    /** Wakes the loop; may be called by any thread. */
    public void wake() {
        inbox.wake();
    }

    /** Ends the loop after its turn; may be called by any thread. */
    public void interrupt() {
        interrupted = true;
        inbox.wake();
    }

    /** Cancels the run with all its jobs. May be called by any thread. */
    public void cancel() {
        cancelled = true;
        inbox.wake();
    }

    /** Continues a paused run. May be called by any thread. */
    public void resume() {
        resumed = true;
        inbox.wake();
    }

    /** Runs one turn; returns the latest instant of the next. */
    long turn(List<AgentMessage> messages) throws IOException {
        long now = clock.millis();
        long due = turnCluster(now);
        messages.forEach(this::handle);
        if (cancelled && !manager.isCancelled()) {
            apply(new Event.Cancelled(now));
        }
        if (resumed) {
            resumed = false;
            apply(new Event.Resumed(now));
        }
        writing.run("the folder of control requests", "read", () -> {
            requests.poll(now, manager, forest, this::apply);
            return 0L;
        });
        attempts.retime(now);
        if (effects.isDue(now)) {
            apply(new Event.Woken(now));
        }
        if (happened) {
            happened = false;
            settle(now);
        }
        commit();
        listener.turned(manager);
        return effects.carryOut() ? now : Math.min(due, effects.wakeAt());
    }

    private long turnCluster(long now) throws IOException {
        writing.run("the ledger of pilot jobs", "written", () -> {
            gate.turn(now, this::report);
            return 0L;
        });
        long due = writing.run(
                "the journal",
                "written",
                () -> cluster.turn(now, event -> {
                    gate.happened(event);
                    report(event);
                }));
        return Math.min(due, gate.due());
    }

    /** Applies an event of the cluster; first, results that lost agents left behind. */
    private void report(Event event) {
        if (event instanceof Event.NodeLost lost) {
            handleStored(new AgentId(lost.token(), lost.node()));
        } else if (event instanceof Event.Ended ended) {
            PilotJob p = manager.find(ended.token());
            for (int node = 0; p != null && node < p.request().units(); node++) {
                handleStored(new AgentId(ended.token(), node));
            }
        }
        apply(event);
    }

    /** Applies a control request; runs {@code applied} once it is durable. */
    private void apply(Event event, Runnable applied) {
        apply(event);
        if (event instanceof Event.Grown) {
            attempts.commitBook.grown(manager.workflow());
        }
        effects.later(applied);
    }

    /** Applies an event; called from outside only before the first turn. */
    public void apply(Event event) {
        happened = true;
        journal.event(event);
        manager.on(event, effects);
        forest.apply(event, manager);
        if (event instanceof Event.Ended ended) {
            effects.later(() -> assignments.ended(ended.token()));
        } else if (event instanceof Event.TaskEnded ended) {
            assignments.ended(ended.token(), new AttemptId(ended.task(), ended.attempt()));
        }
        reports.happened(event);
    }

    private void settle(long now) {
        Decision decision = manager.settle(now, effects);
        journal.settled(now, decision);
        if (decision != null) {
            Considerations considered = notes.isEmpty() ? null : notes.considerations(decision);
            if (considered != null) {
                journal.considered(considered);
            }
            reports.add(to -> to.decided(decision, considered, manager));
        }
    }

    /** Makes all changes durable; only then may they take effect. */
    private void commit() throws IOException {
        attempts.commitBook.flush();
        writing.run("the journal", "written", () -> {
            journal.commit();
            return 0L;
        });
        reports.flush();
    }

    // --- agents ---

    private void handle(AgentMessage message) {
        AgentId agent = message.agent();
        if (agent == null || link.holdsBack(agent, message.message(), () -> assignments.open(agent))) {
            return;
        }
        cluster.received(agent, message.message());
        if (message.message() instanceof Message.Hello hello) {
            greet(agent, hello);
        } else if (message.message() instanceof Message.Ended ended) {
            attempts.add(agent, ended);
            effects.later(() -> link.send(agent, new Message.Ack(List.of(ended.attempt()))));
        }
    }

    private void greet(AgentId agent, Message.Hello hello) {
        PilotJob p = manager.find(agent.token());
        if (p == null || p.isEnding()) {
            effects.later(() -> link.send(agent, new Message.Stop(STOP_GRACE_MILLIS, "its pilot job has ended")));
            return;
        }
        if (!hello.stopping()) {
            apply(new Event.NodeUp(clock.millis(), agent.token(), agent.node(), nodeResources(hello, p), hello.host()));
        }
        for (AttemptId attempt : assignments.vanished(agent, hello)) {
            String id = manager.workflow().id(attempt.task());
            reports.message("the journal has lost the result of attempt " + attempt.attempt() + " of task " + id
                    + "; the task gets a new attempt");
            apply(new Event.TaskEnded(
                    clock.millis(), agent.token(), attempt.task(), attempt.attempt(), Event.Outcome.UNKNOWN, 0));
        }
        effects.later(() -> assignments.greeted(agent, hello));
    }

    /** What the node of an agent has; null if the run counts no memory, so that all nodes of the pool are as specified. */
    private @Nullable Resources nodeResources(Message.Hello hello, PilotJob p) {
        Resources expected = manager.node(p.request().pool());
        if (!expected.countsMemory() || hello.memoryBytes() <= 0) {
            return null;
        }
        Map<String, Long> named = expected.named().map();
        if (hello.gpus() < expected.gpus()) {
            // A job that does not have whole nodes has the types that it requested.
            NamedAmounts requested = p.request().node().named();
            named.replaceAll((name, amount) -> name.startsWith(NamedAmounts.GPU) ? requested.amount(name) : amount);
        }
        return Resources.node(hello.cores(), hello.memoryBytes(), hello.gpus()).named(NamedAmounts.of(named));
    }

    private void handleStored(AgentId agent) {
        link.storedResults(agent, assignments.open(agent)).forEach(ended -> attempts.add(agent, ended));
    }
}
