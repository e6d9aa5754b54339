package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.RunController;
import io.sheaf.manager.Strategy;
import io.sheaf.testing.ManagerState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A manager that writes a journal, is killed at most once, and is restored from the journal. */
class JournalledManager implements RunController {
    /** An entry of the journal: an event, or an instant that was settled, with the decision. */
    record JournalEntry(
            @Nullable Event event, long at, @Nullable Decision decision) {
        void replay(Manager manager) {
            if (event != null) {
                manager.on(event, new NoEffects());
            } else {
                manager.replay(at, decision, new NoEffects());
            }
        }
    }

    private final Strategy strategy;
    private final Function<Strategy, Manager> maker;
    private final int crashAfter;
    final List<JournalEntry> journal = new ArrayList<>();
    /** The state after each record, if it is not killed. */
    final List<String> states = new ArrayList<>();

    Manager manager;

    /** @param crashAfter the index of the last record before the manager is killed; below 0: it is not killed */
    JournalledManager(Strategy strategy, Function<Strategy, Manager> maker, int crashAfter) {
        this.strategy = strategy;
        this.maker = maker;
        this.crashAfter = crashAfter;
        manager = maker.apply(strategy);
    }

    @Override
    public void on(Event event, Effects out) {
        manager.on(event, out);
        append(new JournalEntry(event, event.at(), null), out);
    }

    @Override
    public @Nullable Decision settle(long at, Effects out) {
        Decision decision = manager.settle(at, out);
        append(new JournalEntry(null, at, decision == null ? null : asRead(decision)), out);
        return decision;
    }

    /** The decision as it is read from a journal: with a memo that is read from its text. */
    private Decision asRead(Decision decision) {
        return new Decision(
                decision.orders(),
                decision.wakeAt(),
                strategy.memo(decision.memo().text()));
    }

    private void append(JournalEntry entry, Effects out) {
        journal.add(entry);
        if (crashAfter < 0) {
            states.add(ManagerState.of(manager));
        } else if (journal.size() == crashAfter + 1) {
            manager = maker.apply(strategy);
            journal.forEach(one -> one.replay(manager));
            // Deliveries are uncertain: everything without an answer is sent again.
            manager.repeat(out);
        }
    }

    /** Checks that another manager, which replays the journal, reaches each state on the way. */
    void checkReplay(Manager restored, String label) {
        for (int i = 0; i < journal.size(); i++) {
            journal.get(i).replay(restored);
            assertThat(ManagerState.of(restored)).as(label + " record " + i).isEqualTo(states.get(i));
        }
    }

    /** Checks that a manager that was killed has the same journal and the same final state. */
    void checkSame(JournalledManager killed, String label) {
        assertThat(killed.journal).as(label).isEqualTo(journal);
        assertThat(ManagerState.of(killed.manager)).isEqualTo(ManagerState.of(manager));
    }

    @Override
    public boolean isFinished() {
        return manager.isFinished();
    }

    @Override
    public @Nullable String paused() {
        return manager.paused();
    }
}
