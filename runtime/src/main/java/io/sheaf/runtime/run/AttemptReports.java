package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.TaskRecord;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.rerun.CommitBook;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reports of agents about ended attempts. Agents repeat a report until it is acknowledged; only the first one of an attempt that was started
 * counts. It becomes an event of the manager, a record in the journal and, if the task is done, a commit; its run time is learned.
 */
final class AttemptReports {
    private final RunLoop.LoopState state;
    private final RunClock clock;
    private final DeferredEffects effects;
    private final RunReports reports;
    private final Consumer<Event> apply;
    /** Tasks whose first attempt has ended; of most tasks it is the only one. */
    private final BitSet firstEnded = new BitSet();

    /** Later attempts that have ended. */
    private final Set<AttemptId> laterEnded = new HashSet<>();

    /** The book of committed tasks. */
    CommitBook commitBook = CommitBook.NONE;

    /** Keeps run times of tasks; null if none are kept. */
    @Nullable
    TimeKeeper times;

    AttemptReports(
            RunLoop.LoopState state,
            RunClock clock,
            DeferredEffects effects,
            RunReports reports,
            Consumer<Event> apply) {
        this.state = state;
        this.clock = clock;
        this.effects = effects;
        this.reports = reports;
        this.apply = apply;
    }

    /** The number of ended attempts. */
    int ended() {
        return firstEnded.cardinality() + laterEnded.size();
    }

    /** Restores the results of the journal, which the manager has replayed. */
    void recover(List<AttemptResult> before) throws IOException {
        for (AttemptResult result : before) {
            AttemptId attempt = result.message().attempt();
            var unused = isFirst(attempt);
            if (state.manager().committed(attempt.task()) == attempt.attempt()) {
                commitBook.committed(result);
            }
        }
    }

    /**
     * Adds what the journal has lost and other files know: commits, and the numbers of attempts that have begun. So a
     * committed task is not run again, and no attempt number is used twice. Returns whether anything was missing.
     */
    boolean complete(StartMessages.Begun begun) throws IOException {
        Manager manager = state.manager();
        List<AttemptResult> missing = commitBook.missing(manager::committed);
        for (AttemptResult result : missing) {
            AttemptId attempt = result.message().attempt();
            apply.accept(new Event.Attempted(clock.millis(), attempt.task(), attempt.attempt()));
            add(new AgentId(result.token(), result.node()), result.message());
        }
        int unknown = 0;
        for (int task = 0; task < manager.workflow().size(); task++) {
            int known = manager.attempts(task);
            int last = known;
            while (manager.state(task) != TaskState.DONE && begun.has(task, last + 1)) {
                last++;
            }
            if (last > known) {
                unknown++;
                apply.accept(new Event.Attempted(clock.millis(), task, last));
            }
        }
        if (missing.size() + unknown == 0) {
            return false;
        }
        reports.message("the journal lacks its newest entries: " + missing.size()
                + " completed tasks were restored from task records, and " + unknown
                + " tasks have attempts that are not in it");
        return true;
    }

    /** Records the end of an attempt; only the first report counts, and only of an attempt that was started. */
    void add(AgentId agent, Message.Ended ended) {
        Manager manager = state.manager();
        AttemptId attempt = state.forest().localAttempt(ended.attempt());
        if (attempt == null || !wasStarted(attempt) || !isFirst(attempt)) {
            return;
        }
        int task = attempt.task();
        Resources needs = manager.needs(task);
        AttemptResult result = new AttemptResult(agent.token(), agent.node(), ended)
                .of(attempt)
                .on(needs, manager.workflow().resources(task));
        state.journal().result(result);
        reports.add(to -> to.ended(result));
        boolean wasDone = manager.state(task) == TaskState.DONE;
        apply.accept(new Event.TaskEnded(
                clock.millis(),
                agent.token(),
                task,
                attempt.attempt(),
                result.outcome(),
                ended.usage().runMillis()));
        if (!wasDone && manager.state(task) == TaskState.DONE) {
            commitBook.committed(result);
        }
        reports.grown(task, needs.memory());
        learn(result, needs);
    }

    /** Records the end of an attempt in memory. Returns whether it was not known. */
    private boolean isFirst(AttemptId attempt) {
        if (attempt.attempt() > 1) {
            return laterEnded.add(attempt);
        }
        boolean known = firstEnded.get(attempt.task());
        firstEnded.set(attempt.task());
        return !known;
    }

    private boolean wasStarted(AttemptId attempt) {
        return attempt.attempt() > 0 && attempt.attempt() <= state.manager().attempts(attempt.task());
    }

    /** Learns from a result, and keeps it for later runs once it is durable here. */
    private void learn(AttemptResult result, Resources needs) {
        TimeKeeper keeper = times;
        TaskRecord record = keeper == null
                ? null
                : keeper.ended(result, needs, state.manager().workflow());
        if (keeper != null && record != null) {
            effects.afterAll(() -> keeper.store(record));
        }
    }

    /** Updates expected run times from new results. */
    void retime(long now) {
        RunTimeUpdate moved = times == null ? null : times.due(state.manager().workflow(), now);
        if (moved != null) {
            apply.accept(new Event.Retimed(now, moved));
        }
    }
}
