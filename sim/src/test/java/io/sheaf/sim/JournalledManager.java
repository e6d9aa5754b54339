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

/** A manager that writes a journal, is killed once and made again from the journal. */
class JournalledManager implements RunController {
    /** What a journal keeps: an event, or an instant that was settled and what was decided. */
    record Kept(@Nullable Event event, long at, @Nullable Decision decision) {
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
    final List<Kept> journal = new ArrayList<>();
    /** The state after each record, if it is not killed. */
    final List<String> states = new ArrayList<>();

    Manager manager;

    /** @param crashAfter the last record before it is killed; it is not killed if below 0 */
    JournalledManager(Strategy strategy, Function<Strategy, Manager> maker, int crashAfter) {
        this.strategy = strategy;
        this.maker = maker;
        this.crashAfter = crashAfter;
        manager = maker.apply(strategy);
    }

    @Override
    public void on(Event event, Effects out) {
        manager.on(event, out);
        keep(new Kept(event, event.at(), null), out);
    }

    @Override
    public @Nullable Decision settle(long at, Effects out) {
        Decision decision = manager.settle(at, out);
        keep(new Kept(null, at, decision == null ? null : written(decision)), out);
        return decision;
    }

    /** As it would be read again: the memo by its text. */
    private Decision written(Decision decision) {
        return new Decision(
                decision.orders(),
                decision.wakeAt(),
                strategy.memo(decision.memo().text()));
    }

    private void keep(Kept kept, Effects out) {
        journal.add(kept);
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
    void checkReplay(Manager again, String label) {
        for (int i = 0; i < journal.size(); i++) {
            journal.get(i).replay(again);
            assertThat(ManagerState.of(again)).as(label + " record " + i).isEqualTo(states.get(i));
        }
    }

    /** Checks that one that was killed has the same journal and ends in the same state. */
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
