package io.sheaf.runtime;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Attempt;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Request;
import io.sheaf.runtime.Inbox.Said;
import io.sheaf.runtime.journal.SupersededException;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Result;
import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a run: one thread that owns the manager.
 *
 * <h2>A turn</h2>
 * Everything that has happened is told to the manager and the strategy is asked; all of that is appended to the journal and committed; only then is
 * carried out what the manager wants, and are results acknowledged. So an intent is durable before the submission, and a result
 * before its agent may forget it. A journal that cannot be written makes the loop wait, not act.
 *
 * <h2>Recovery</h2>
 * The manager is made again from the journal; what it wants that has not been answered is told again, the back end says what became
 * of its placeholders, and agents greet. All of them know what they have done already.
 */
public final class RunLoop {
    /** Between attempts to write a journal that cannot be written. */
    private static final long RETRY_MILLIS = 1_000;

    private static final int STOP_GRACE_MILLIS = 2_000;

    private final Manager manager;
    private final RunJournal journal;
    private final Backend backend;
    private final Agents link;
    private final Inbox inbox;
    private final RunClock clock;
    private final RunListener listener;
    private final Considerations.Notes notes;
    private final Assignments assignments;
    private final List<Runnable> wanted = new ArrayList<>();
    private final List<Runnable> tidings = new ArrayList<>();
    private final Set<Attempt> ended = new HashSet<>();
    private final List<Result> results = new ArrayList<>();
    private long wakeAt = Decision.NEVER;
    private boolean happened = true;
    private volatile boolean interrupted;
    private volatile boolean cancelled;
    private volatile boolean resumed;

    /**
     * A loop that has not begun.
     *
     * @param notes what the manager was given to take note of considerations
     */
    public RunLoop(
            Manager manager,
            Considerations.Notes notes,
            RunJournal journal,
            Backend backend,
            Agents link,
            Starts starts,
            Inbox inbox,
            RunClock clock,
            RunListener listener) {
        this.manager = manager;
        this.notes = notes;
        this.journal = journal;
        this.backend = backend;
        this.link = link;
        this.inbox = inbox;
        this.clock = clock;
        this.listener = listener;
        assignments = new Assignments(starts, link);
    }

    /** Goes on from what the journal held, which the manager has been told; {@code before} are the results on record. */
    public void recover(List<Result> before) {
        results.addAll(before);
        before.forEach(result -> ended.add(result.said().attempt()));
        Set<Long> submitted = new HashSet<>();
        manager.repeat(new Wants() {
            @Override
            public void submit(long token, Request request) {
                submitted.add(token);
                super.submit(token, request);
            }
        });
        List<Long> believed = new ArrayList<>();
        for (int i = 0; i < manager.placeholders(); i++) {
            long token = manager.placeholder(i).token();
            if (!submitted.contains(token)) {
                believed.add(token);
            }
        }
        act();
        backend.reconcile(believed);
    }

    /** How a loop ends. */
    public enum Ending {
        /** The workflow is done, has failed or was cancelled, and no placeholder is left. */
        OVER,
        /** A person has to look; the run can be resumed. */
        PAUSED,
        /** It was asked to end; what runs goes on, and the run can be resumed. */
        INTERRUPTED
    }

    /** Turns until the run is over. */
    public Ending run() throws IOException, InterruptedException {
        List<Said> said = List.of();
        while (true) {
            long due = turn(said);
            if (isOver()) {
                return Ending.OVER;
            }
            if (interrupted) {
                return Ending.INTERRUPTED;
            }
            if (manager.paused() != null && manager.placeholders() == 0) {
                return Ending.PAUSED;
            }
            said = inbox.take(Math.min(due - clock.millis(), RETRY_MILLIS));
        }
    }

    /** What was said of all attempts that are over, in order. */
    public List<Result> results() {
        return Collections.unmodifiableList(results);
    }

    /** Something that nobody reports but that the manager has to know; before the first turn. */
    public void tell(Event event) {
        take(event);
    }

    public boolean isOver() {
        return manager.isOver() && manager.placeholders() == 0;
    }

    /** Ends the loop after its turn; may be called by any thread. */
    public void interrupt() {
        interrupted = true;
        inbox.wake();
    }

    /** Ends the run: everything is withdrawn. May be called by any thread. */
    public void cancel() {
        cancelled = true;
        inbox.wake();
    }

    /** Goes on with a run that has paused. May be called by any thread. */
    public void resume() {
        resumed = true;
        inbox.wake();
    }

    /** One turn; returns the instant at which the next is due at the latest. */
    long turn(List<Said> said) throws IOException {
        long now = clock.millis();
        long due = backend.turn(now, this::report);
        said.forEach(this::hear);
        if (cancelled && !manager.isCancelled()) {
            take(new Event.Cancelled(now));
        }
        if (resumed) {
            resumed = false;
            take(new Event.Resumed(now));
        }
        if (wakeAt <= now) {
            wakeAt = Decision.NEVER;
            take(new Event.Woken(now));
        }
        if (happened) {
            happened = false;
            settle(now);
        }
        commit();
        listener.turned(manager);
        boolean acted = !wanted.isEmpty();
        act();
        return acted ? now : Math.min(due, wakeAt);
    }

    /** A report of the back end. Of agents that are gone it is heard first what they left. */
    private void report(Event event) {
        if (event instanceof Event.NodeLost lost) {
            hearLeft(new AgentId(lost.token(), lost.node()));
        } else if (event instanceof Event.Ended over) {
            Placeholder p = placeholder(over.token());
            for (int node = 0; p != null && node < p.request().units(); node++) {
                hearLeft(new AgentId(over.token(), node));
            }
        }
        take(event);
    }

    private void take(Event event) {
        happened = true;
        journal.event(event);
        manager.on(event, new Wants());
        if (event instanceof Event.Ended over) {
            wanted.add(() -> assignments.over(over.token()));
        } else if (event instanceof Event.TaskEnded over) {
            assignments.over(over.token(), new Attempt(over.task(), over.attempt()));
        }
        tidings.add(() -> listener.happened(event, manager));
    }

    private void settle(long now) {
        Decision decision = manager.settle(now, new Wants());
        journal.settled(now, decision);
        if (decision != null) {
            Considerations considered = notes.isEmpty() ? null : notes.taken(decision);
            if (considered != null) {
                journal.considered(considered);
            }
            tidings.add(() -> listener.decided(decision, considered, manager));
        }
    }

    /** Makes everything durable, however long that takes; after that it may be acted upon. */
    private void commit() throws IOException {
        boolean told = false;
        while (true) {
            try {
                journal.commit();
                break;
            } catch (SupersededException e) {
                throw e;
            } catch (IOException e) {
                if (interrupted) {
                    throw e;
                }
                if (!told) {
                    listener.message(
                            "the journal cannot be written (" + e.getMessage() + "); nothing is done until it can be");
                    told = true;
                }
                pause();
            }
        }
        if (told) {
            listener.message("the journal can be written again");
        }
        tidings.forEach(Runnable::run);
        tidings.clear();
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void act() {
        List<Runnable> now = new ArrayList<>(wanted);
        wanted.clear();
        now.forEach(Runnable::run);
        link.flush();
    }

    // --- agents ---

    private void hear(Said said) {
        AgentId agent = said.agent();
        if (agent == null) {
            return;
        }
        if (said.message() instanceof Message.Hello hello) {
            greet(agent, hello);
        } else if (said.message() instanceof Message.Ended over) {
            hearEnd(agent, over);
        }
    }

    private void greet(AgentId agent, Message.Hello hello) {
        Placeholder p = placeholder(agent.token());
        if (p == null || p.isEnding()) {
            wanted.add(() -> link.send(agent, new Message.Stop(STOP_GRACE_MILLIS, "its placeholder is over")));
            return;
        }
        if (!hello.stopping()) {
            take(new Event.NodeUp(clock.millis(), agent.token(), agent.node()));
        }
        wanted.add(() -> assignments.greeted(agent, hello.known()));
    }

    private void hearLeft(AgentId agent) {
        link.left(agent).forEach(over -> note(agent, over));
    }

    private void hearEnd(AgentId agent, Message.Ended over) {
        note(agent, over);
        wanted.add(() -> link.send(agent, new Message.Ack(List.of(over.attempt()))));
    }

    /** An attempt is over; the first time that is heard counts. */
    private void note(AgentId agent, Message.Ended over) {
        Attempt attempt = over.attempt();
        boolean sensible =
                attempt.task() >= 0 && attempt.task() < manager.workflow().size();
        if (sensible && ended.add(attempt)) {
            Result result = new Result(agent.token(), agent.node(), over);
            journal.result(result);
            results.add(result);
            tidings.add(() -> listener.ended(result));
            take(new Event.TaskEnded(
                    clock.millis(), agent.token(), attempt.task(), attempt.attempt(), outcome(over.outcome())));
        }
    }

    private static Event.Outcome outcome(io.sheaf.agent.protocol.Outcome said) {
        return switch (said) {
            case SUCCEEDED -> Event.Outcome.SUCCEEDED;
            case FAILED, NOT_RUNNABLE, OUTPUT_ABSENT, TIME_LIMIT -> Event.Outcome.FAILED;
            case OUT_OF_MEMORY -> Event.Outcome.OUT_OF_MEMORY;
            case CUT_OFF -> Event.Outcome.CUT_OFF;
            case KILLED -> Event.Outcome.STOPPED;
        };
    }

    private @Nullable Placeholder placeholder(long token) {
        for (int i = 0; i < manager.placeholders(); i++) {
            if (manager.placeholder(i).token() == token) {
                return manager.placeholder(i);
            }
        }
        return null;
    }

    /** What the manager wants, kept until it is durable. */
    private class Wants implements Effects {
        @Override
        public void submit(long token, Request request) {
            wanted.add(() -> backend.submit(token, request));
        }

        @Override
        public void withdraw(long token) {
            wanted.add(() -> backend.withdraw(token));
        }

        @Override
        public void shorten(long token, long walltime) {
            wanted.add(() -> backend.shorten(token, walltime));
        }

        @Override
        public void release(long token) {
            wanted.add(() -> backend.release(token));
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            int[] on = nodes.clone();
            wanted.add(() -> {
                assignments.start(token, on, task, attempt);
                listener.started(token, on[0], task, attempt);
            });
        }

        @Override
        public void stop(long token, int task, int attempt) {
            wanted.add(() -> assignments.stop(token, new Attempt(task, attempt)));
        }

        @Override
        public void wake(long at) {
            wakeAt = at;
        }
    }
}
