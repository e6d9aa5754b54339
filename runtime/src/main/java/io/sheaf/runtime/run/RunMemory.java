package io.sheaf.runtime.run;

import io.sheaf.predict.LearntWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.learnt.SharedRuns;
import io.sheaf.runtime.learnt.SharedWaits;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a run remembers of earlier ones and leaves to later ones.
 *
 * @param state where that is kept for all runs; null if each learns for itself
 */
record RunMemory(@Nullable Path state, RunSpec spec, Consumer<String> messages) {
    /** What runs on clusters like this one have learnt about waits. */
    WaitMemory waits() {
        if (state == null) {
            return new LearntWaits(LearntWaits.Settings.PAPER);
        }
        String cluster = spec.where().system() + "-" + spec.nodes() + "x" + spec.coresPerNode();
        String partition = String.join("_", spec.where().options()) + spec.background();
        Path place = SharedWaits.folder(state.resolve("waits"), cluster, partition);
        return new SharedWaits(place, LearntWaits.Settings.PAPER, System::currentTimeMillis, messages);
    }

    /** Who keeps what the tasks of a workflow take; null where nothing is kept. */
    @Nullable
    TimeKeeper keeper(Workflow workflow) {
        if (state == null) {
            return null;
        }
        Path place = SharedHistory.folder(state.resolve("history"), spec.where().system(), workflow.name());
        return new TimeKeeper(
                new SharedHistory(place, System::currentTimeMillis, messages),
                spec.times(),
                workflow,
                Path.of(spec.workFolder()));
    }

    /** There is a run in this folder. */
    void begun(Path folder) {
        if (state != null) {
            new SharedRuns(state, messages).add(folder);
        }
    }
}
