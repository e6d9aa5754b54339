package io.sheaf.runtime.run;

import io.sheaf.manager.Manager;
import io.sheaf.manager.Strategy;
import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Restores a run's manager from its journal for the process that has taken the lease. If many workflows have
 * completed, a new journal starts without them.
 *
 * @param volumes where completed workflows are archived
 * @param run the run's id
 * @param factory creates new managers
 */
public record Takeover(
        Volumes volumes, String run, RunJournal journal, Takeover.ManagerFactory factory, Strategy strategy) {
    /** The restored state. */
    public record Restored(Manager manager, Forest forest, Recovery recovery) {}

    /** Creates new managers. */
    public interface ManagerFactory {
        Manager create() throws IOException;
    }

    /** Restores the state; archives completed workflows once they have {@code volume} tasks. */
    public Restored restore(int volume, ControlRequestQueue requests, Consumer<String> messages) throws IOException {
        Manager manager = factory.create();
        Forest forest = new Forest(manager.workflow());
        Restored found = new Restored(manager, forest, Recovery.of(journal, manager, forest, strategy));
        if (volume == Integer.MAX_VALUE) {
            return found;
        }
        sweep(found);
        if (!RunCheckpoint.isNeeded(manager, forest, volume)) {
            return found;
        }
        requests.settle(forest);
        return withNewJournal(found, messages);
    }

    private Restored withNewJournal(Restored before, Consumer<String> messages) throws IOException {
        long begunAt = before.recovery.begunAt();
        RunCheckpoint snapshot = RunCheckpoint.of(before.manager, before.forest, before.recovery.results(), begunAt);
        Path volume = volumes.begin(journal, run, begunAt, snapshot);
        new WriteRetry(messages, () -> false).run("the journal", "written", () -> {
            journal.commit();
            return 0;
        });
        Manager manager = factory.create();
        Forest forest = new Forest(manager.workflow());
        Restored after = new Restored(manager, forest, Recovery.of(snapshot, begunAt, manager, forest));
        sweep(after);
        messages.accept("completed workflows are archived in " + volume);
        return after;
    }

    private void sweep(Restored found) throws IOException {
        Set<Long> open = IntStream.range(0, found.manager.pilotJobs())
                .mapToObj(i -> found.manager.pilotJob(i).token())
                .collect(Collectors.toSet());
        volumes.sweep(journal, found.forest, open);
    }
}
