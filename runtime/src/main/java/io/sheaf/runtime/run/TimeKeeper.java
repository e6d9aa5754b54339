package io.sheaf.runtime.run;

import io.sheaf.manager.Event;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the run times of attempts for later runs, and updates the expected run times of this one. */
public final class TimeKeeper {
    /** The maximum number of inputs of a task whose sizes are read. */
    private static final int MAX_INPUTS = 100;

    private static final int MAX_NAMED = 5;
    /** The minimum time between updates of expected run times: each one makes the strategy plan all tasks again. */
    private static final int RETIMING_MILLIS = 1_000;

    private final SharedHistory history;
    private final ExpectedRunTimes times;
    private final Path workFolder;
    private final ExpectedRunTimes.Naming naming;
    private boolean learnt;
    private long retimeAt;

    /**
     * The run times of a run.
     *
     * @param workflow the workflow with the given run times
     * @param workFolder where its files are
     */
    public TimeKeeper(SharedHistory history, ExpectedRunTimes.HistoryRule rule, Workflow workflow, Path workFolder) {
        this.history = history;
        this.workFolder = workFolder;
        TaskHistory known = history.read();
        // An open run has no tasks yet, and programs submit each of its tasks with a script of its own.
        naming = workflow.size() == 0 ? ExpectedRunTimes::category : new CommandKinds(workflow);
        times = new ExpectedRunTimes(known, rule, naming);
        times.addTasks(workflow);
    }

    /**
     * The run times of a run that learns in a state folder.
     *
     * @param messages receives one message if the folder cannot be used
     */
    public static TimeKeeper of(Path state, RunSpec spec, Workflow workflow, Consumer<String> messages) {
        Path place = SharedHistory.folder(state.resolve("history"), spec.where().system(), workflow.name());
        return new TimeKeeper(
                new SharedHistory(place, System::currentTimeMillis, messages),
                spec.times(),
                workflow,
                Path.of(spec.workFolder()));
    }

    /** The workflow with the run times that a run would have at its start; a message names those of earlier runs. */
    public static Workflow planned(Path state, RunSpec spec, Workflow workflow, Consumer<String> messages) {
        TimeKeeper keeper = of(state, spec, workflow, messages);
        RunTimeUpdate known = keeper.moved(workflow);
        if (known == null) {
            return workflow;
        }
        messages.accept("run times from earlier runs: " + keeper.sources());
        return known.of(workflow);
    }

    /** Where the expected run times of this run come from; empty if none comes from earlier runs. */
    public String sources() {
        List<String> kinds = new ArrayList<>();
        times.sources()
                .forEach((kind, expected) ->
                        kinds.add(kind.replaceFirst("@[0-9a-f]+$", "") + " " + Rounded.time(expected.median()) + " ("
                                + expected.attempts() + (expected.attempts() == 1 ? " attempt)" : " attempts)")));
        int more = kinds.size() - MAX_NAMED;
        return String.join(", ", kinds.subList(0, Math.min(MAX_NAMED, kinds.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** Continues a run that is planned with these run times. */
    public void resume(Workflow planned) {
        times.resume(planned);
    }

    /** The update for the manager; null if expected run times have not changed much. */
    public @Nullable RunTimeUpdate moved(Workflow workflow) {
        return times.moved(workflow, task -> inputBytes(workflow, task, workFolder));
    }

    /** The update of expected run times from new results; null if there is none now. */
    @Nullable
    RunTimeUpdate due(Workflow workflow, long now) {
        if (!learnt || now < retimeAt) {
            return null;
        }
        learnt = false;
        RunTimeUpdate moved = moved(workflow);
        retimeAt = moved == null ? retimeAt : now + RETIMING_MILLIS;
        return moved;
    }

    /** The record of an ended attempt with these resources, with its time on the declared cores; null if it has no information. */
    @Nullable
    TaskRecord ended(AttemptResult result, Resources needs, Workflow workflow) {
        boolean failed = result.outcome().isFailure();
        if (!failed && result.outcome() != Event.Outcome.SUCCEEDED) {
            return null;
        }
        int task = result.message().attempt().task();
        TaskRecord record = new TaskRecord(
                naming.of(workflow, task),
                workflow.resources(task).cores(),
                inputBytes(workflow, task, workFolder),
                workflow.onDeclared(task, needs, result.message().usage().runMillis()),
                result.message().usage().peakMemoryBytes(),
                failed);
        times.learn(record);
        learnt = true;
        return record;
    }

    /** Keeps a record for later runs, once it is durable in this one. */
    void store(TaskRecord record) {
        history.add(record);
    }

    /** The input size from the workflow or, if it has none, of the existing files. */
    public static long inputBytes(Workflow workflow, int task, Path workFolder) {
        long sum = 0;
        int inputs = workflow.inputs(task);
        for (int i = 0; i < inputs; i++) {
            int file = workflow.input(task, i);
            long size = workflow.fileSize(file);
            if (size == Workflow.UNKNOWN && inputs <= MAX_INPUTS) {
                size = onDisk(workflow.fileName(file), workFolder);
            }
            if (size == Workflow.UNKNOWN) {
                return TaskRecord.UNKNOWN;
            }
            sum += size;
        }
        return sum == 0 ? TaskRecord.UNKNOWN : sum;
    }

    private static long onDisk(String name, Path workFolder) {
        try {
            Path file = workFolder.resolve(name);
            return Files.isRegularFile(file) ? Files.size(file) : Workflow.UNKNOWN;
        } catch (IOException | IllegalArgumentException e) {
            return Workflow.UNKNOWN;
        }
    }
}
