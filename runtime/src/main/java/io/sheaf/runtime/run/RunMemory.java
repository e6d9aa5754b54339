package io.sheaf.runtime.run;

import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.learnt.SharedRuns;
import io.sheaf.runtime.learnt.SharedWaits;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a run learns from earlier runs and keeps for later ones.
 *
 * @param state the folder shared by all runs; null if each run learns separately
 */
record RunMemory(@Nullable Path state, RunSpec spec, Consumer<String> messages) {
    /** Learned queue waits of runs on similar clusters. */
    WaitMemory waits() {
        if (state == null) {
            return new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        }
        String cluster =
                spec.where().system() + "-" + spec.nodes() + "x" + spec.node().cores();
        String partition = String.join("_", spec.where().options()) + spec.background();
        Path place = SharedWaits.folder(state.resolve("waits"), cluster, partition);
        return new SharedWaits(place, LearnedWaits.LearnerSettings.PAPER, System::currentTimeMillis, messages);
    }

    /** The store of task run times; null if there is none. */
    @Nullable
    TimeKeeper timeKeeper(Workflow workflow) {
        return state == null ? null : TimeKeeper.of(state, spec, workflow, messages);
    }

    /** Records that this folder has a run. */
    void addRun(Path folder) {
        if (state != null) {
            new SharedRuns(state, messages).add(folder);
        }
    }
}
