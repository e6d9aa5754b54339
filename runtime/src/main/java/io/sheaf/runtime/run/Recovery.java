package io.sheaf.runtime.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Strategy;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Restores a manager from a journal by replaying its events and decisions, without carrying out effects. */
public final class Recovery implements RunJournal.Listener {
    /** Discards all effects. */
    public static final Effects NO_EFFECTS = new NoEffects();

    private final Manager manager;
    private final Forest forest;
    private final List<AttemptResult> results = new ArrayList<>();
    private boolean fresh = true;
    private long begunAt;
    private boolean paused;

    public Recovery(Manager manager, Forest forest) {
        this.manager = manager;
        this.forest = forest;
    }

    /** Replays a journal to a new manager and a new forest. */
    public static Recovery of(RunJournal journal, Manager manager, Forest forest, Strategy strategy)
            throws IOException {
        Recovery recovery = new Recovery(manager, forest);
        journal.replay(strategy::memo, recovery);
        recovery.paused = manager.paused() != null;
        return recovery;
    }

    /** Replays a checkpoint at the start of a journal to a new manager and a new forest. */
    public static Recovery of(RunCheckpoint snapshot, long begunAt, Manager manager, Forest forest) {
        Recovery recovery = new Recovery(manager, forest);
        recovery.begun("", begunAt);
        snapshot.to(recovery);
        recovery.paused = manager.paused() != null;
        return recovery;
    }

    /** Whether the run has never begun. */
    public boolean isFresh() {
        return fresh;
    }

    public boolean wasPaused() {
        return paused;
    }

    /** When the run began. */
    public long begunAt() {
        return begunAt;
    }

    /** The results of ended attempts, in order. */
    public List<AttemptResult> results() {
        return results;
    }

    @Override
    public void begun(String run, long at) {
        fresh = false;
        begunAt = at;
    }

    @Override
    public void event(Event event) {
        manager.on(event, NO_EFFECTS);
        forest.apply(event, manager);
    }

    @Override
    public void settled(long at, @Nullable Decision decision) {
        manager.replay(at, decision, NO_EFFECTS);
    }

    @Override
    public void result(AttemptResult result) {
        results.add(result);
    }
}
