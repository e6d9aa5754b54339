package io.sheaf.app.report;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.report.AttemptRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task of a real run used in its last attempt, beside what it requested.
 *
 * @param expectedMillis the expected run time; {@link #UNKNOWN} if there was none
 * @param requestedMillis the time limit or, without one, the expected run time; {@link #UNKNOWN} if there was none
 * @param last the report of the last attempt that ended; null if none did
 */
public record TaskFigures(
        String id,
        String category,
        TaskState state,
        int attempts,
        Resources requested,
        long expectedMillis,
        long requestedMillis,
        Message.@Nullable Ended last) {
    /** A value that was not measured. */
    public static final long UNKNOWN = Usage.UNKNOWN;

    /** The figures of all tasks in order. */
    public static List<TaskFigures> of(RecordedRun run) throws IOException {
        Workflow workflow = run.workflow();
        Message.Ended[] last = new Message.Ended[workflow.size()];
        for (AttemptResult result : run.history().results()) {
            int task = result.message().attempt().task();
            // The first success counts; a later attempt may have been stopped.
            if (task < last.length && (last[task] == null || last[task].outcome() != AttemptOutcome.SUCCEEDED)) {
                last[task] = result.message();
            }
        }
        int[] attempts = new int[workflow.size()];
        Resources[] requested = new Resources[workflow.size()];
        Arrays.setAll(requested, workflow::resources);
        for (AttemptRecord attempt : run.record(run.now()).attempts()) {
            attempts[attempt.task()]++;
            requested[attempt.task()] = attempt.needs();
        }
        List<TaskFigures> all = new ArrayList<>();
        for (int task = 0; task < workflow.size(); task++) {
            all.add(new TaskFigures(
                    workflow.id(task),
                    ExpectedRunTimes.category(workflow, task),
                    run.history().manager().state(task),
                    attempts[task],
                    requested[task],
                    millis(workflow.timeMicros(task, requested[task])),
                    millis(
                            workflow.limitMicros(task) == Workflow.UNKNOWN
                                    ? workflow.timeMicros(task, requested[task])
                                    : workflow.limitMicros(task)),
                    last[task]));
        }
        return all;
    }

    private static long millis(long micros) {
        return micros == Workflow.UNKNOWN ? UNKNOWN : micros / 1000;
    }

    /** The run time in milliseconds. */
    public long runMillis() {
        return last == null ? UNKNOWN : last.usage().runMillis();
    }

    /** The average number of busy cores; negative if unknown. */
    public double busyCores() {
        return last == null || last.usage().cpuMillis() < 0 || last.usage().runMillis() <= 0
                ? UNKNOWN
                : (double) last.usage().cpuMillis() / last.usage().runMillis();
    }

    public long peakMemoryBytes() {
        return last == null ? UNKNOWN : last.usage().peakMemoryBytes();
    }

    public long readBytes() {
        return last == null ? UNKNOWN : last.usage().readBytes();
    }

    public long writtenBytes() {
        return last == null ? UNKNOWN : last.usage().writtenBytes();
    }
}
