package io.sheaf.runtime.run;

import io.sheaf.manager.Manager;
import io.sheaf.manager.Strategy;
import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Makes a run's manager again from its journal, for the process that has taken charge; where much of it is over, the journal begins anew without that. */
public final class Takeover {
    /** What the process goes on with. */
    public record Taken(Manager manager, Forest forest, Recovery recovery) {}

    /** Makes managers that know nothing yet. */
    public interface Maker {
        Manager made() throws IOException;
    }

    private final String run;
    private final RunJournal journal;
    private final Maker maker;
    private final Strategy strategy;
    private final Volumes volumes;

    /**
     * For the process that has just taken charge of a folder's run.
     *
     * @param run the run's id
     */
    public Takeover(Path folder, String run, RunJournal journal, Maker maker, Strategy strategy) {
        this.run = run;
        this.journal = journal;
        this.maker = maker;
        this.strategy = strategy;
        volumes = new Volumes(folder);
    }

    /** Takes over; puts workflows aside that are over once these have so many tasks. */
    public Taken take(int volume, ControlRequestQueue wishes, Consumer<String> messages) throws IOException {
        Manager manager = maker.made();
        Forest forest = new Forest(manager.workflow());
        Taken found = new Taken(manager, forest, Recovery.of(journal, manager, forest, strategy));
        if (volume == Integer.MAX_VALUE) {
            return found;
        }
        sweep(found);
        if (!RunCheckpoint.isWorthWhile(manager, forest, volume)) {
            return found;
        }
        wishes.settle(forest);
        return anew(found, messages);
    }

    private Taken anew(Taken before, Consumer<String> messages) throws IOException {
        long begunAt = before.recovery.begunAt();
        RunCheckpoint snapshot = RunCheckpoint.of(before.manager, before.forest, before.recovery.results(), begunAt);
        Path volume = volumes.begin(journal, run, begunAt, snapshot);
        new UntilWritten(messages, () -> false).done(() -> {
            journal.commit();
            return 0;
        });
        Manager manager = maker.made();
        Forest forest = new Forest(manager.workflow());
        Taken after = new Taken(manager, forest, Recovery.of(snapshot, begunAt, manager, forest));
        sweep(after);
        messages.accept("what is done is put aside in " + volume);
        return after;
    }

    private void sweep(Taken found) throws IOException {
        Set<Long> open = new HashSet<>();
        for (int i = 0; i < found.manager.pilotJobs(); i++) {
            open.add(found.manager.pilotJob(i).token());
        }
        volumes.sweep(journal, found.forest, open);
    }
}
