package io.sheaf.runtime.run;

import io.sheaf.manager.Event;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.predict.TimesInUse;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.record.Result;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Keeps what the attempts of a run take for later runs, and says when this one is to be planned with other times. */
public final class TimeKeeper {
    /** The inputs of a task that has more are not looked at. */
    private static final int MOST_INPUTS = 100;

    private final SharedHistory history;
    private final TimesInUse times;
    private final Path workFolder;

    /**
     * For a run.
     *
     * @param given the workflow with the times that were given
     * @param workFolder where its files are
     */
    public TimeKeeper(SharedHistory history, TimesInUse.Rule rule, Workflow given, Path workFolder) {
        this.history = history;
        this.workFolder = workFolder;
        TaskHistory known = history.read();
        times = new TimesInUse(known, rule);
        times.note(given);
    }

    /** Whether there are tasks whose times are not given. */
    public boolean isNeeded() {
        return times.isNeeded();
    }

    /** Goes on with a run that is planned with these times. */
    public void resume(Workflow planned) {
        times.resume(planned);
    }

    /** What the manager is to be told by now; null if nothing has changed much. */
    public @Nullable Retiming moved(Workflow workflow) {
        return times.moved(workflow, task -> inputBytes(workflow, task));
    }

    /** An attempt is over; what it tells, or null if that is nothing. */
    @Nullable
    TaskRecord ended(Result result, Workflow workflow) {
        boolean failed = result.outcome().isFailure();
        if (!failed && result.outcome() != Event.Outcome.SUCCEEDED) {
            return null;
        }
        int task = result.said().attempt().task();
        TaskRecord one = new TaskRecord(
                TimesInUse.category(workflow, task),
                workflow.resources(task).cores(),
                inputBytes(workflow, task),
                result.said().usage().runMillis(),
                result.said().usage().peakMemoryBytes(),
                failed);
        times.learn(one);
        return one;
    }

    /** Keeps for later runs what is durable in this one. */
    void keep(TaskRecord one) {
        history.add(one);
    }

    /** As the workflow has it, or as large as the files are that are there. */
    private long inputBytes(Workflow workflow, int task) {
        long sum = 0;
        int inputs = workflow.inputs(task);
        for (int i = 0; i < inputs; i++) {
            int file = workflow.input(task, i);
            long size = workflow.fileSize(file);
            if (size == Workflow.UNKNOWN && inputs <= MOST_INPUTS) {
                size = onDisk(workflow.fileName(file));
            }
            if (size == Workflow.UNKNOWN) {
                return TaskRecord.UNKNOWN;
            }
            sum += size;
        }
        return sum == 0 ? TaskRecord.UNKNOWN : sum;
    }

    private long onDisk(String name) {
        try {
            Path file = workFolder.resolve(name);
            return Files.isRegularFile(file) ? Files.size(file) : Workflow.UNKNOWN;
        } catch (IOException | IllegalArgumentException e) {
            return Workflow.UNKNOWN;
        }
    }
}
