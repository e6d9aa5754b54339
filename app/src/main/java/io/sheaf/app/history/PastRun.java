package io.sheaf.app.history;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.app.history.CategoryFigures.End;
import io.sheaf.app.report.TaskFigures;
import io.sheaf.manager.Event;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of a recorded run.
 *
 * @param folder its folder
 * @param system the batch system that it ran on
 * @param predictions the start-time errors of each estimator
 */
public record PastRun(
        String folder,
        String system,
        RunState state,
        RunRecord record,
        List<StartFigures> predictions,
        List<CategoryFigures.AttemptFigures> attempts,
        List<TaskFigures> tasks,
        Regret regret) {
    /** The start-time estimates that strategies used. */
    public static final String USED = "used";

    /**
     * Reads a run and simulates it with some strategies.
     *
     * @param predicted recorded predictions of other estimators
     */
    public static PastRun of(RecordedRun run, List<StartFigures> predicted, List<String> strategies)
            throws IOException {
        RunRecord record = run.record(run.now());
        List<StartFigures> predictions = new ArrayList<>();
        List<Long> errors = new ArrayList<>();
        for (JobRecord job : record.jobs()) {
            if (job.hasStarted() && job.wasExpected()) {
                errors.add(job.started() - job.expectedStart());
            }
        }
        predictions.add(StartFigures.of(USED, errors));
        predictions.addAll(predicted);
        return new PastRun(
                run.folder().toString(),
                run.spec().where().system(),
                run.status(run.now()).state(),
                record,
                predictions,
                attempts(record, run.history().results()),
                TaskFigures.of(run),
                Regret.of(run, strategies));
    }

    private static List<CategoryFigures.AttemptFigures> attempts(RunRecord record, List<AttemptResult> results) {
        Map<Integer, AttemptResult> succeeded = new HashMap<>();
        for (AttemptResult each : results) {
            if (each.message().outcome() == AttemptOutcome.SUCCEEDED) {
                succeeded.put(each.message().attempt().task(), each);
            }
        }
        List<CategoryFigures.AttemptFigures> attempts = new ArrayList<>();
        for (AttemptRecord each : record.attempts()) {
            Event.Outcome outcome = each.outcome();
            if (outcome == null) {
                continue;
            }
            End end = each.done() ? End.DONE : outcome.isFailure() ? End.FAILED : End.LOST;
            AttemptResult result = each.done() ? succeeded.get(each.task()) : null;
            attempts.add(new CategoryFigures.AttemptFigures(
                    record.workflow().name(),
                    ExpectedRunTimes.category(record.workflow(), each.task()),
                    end,
                    result == null
                            ? each.ended() - each.started()
                            : result.message().usage().runMillis(),
                    result == null
                            ? CategoryFigures.UNKNOWN
                            : result.message().usage().peakMemoryBytes(),
                    record.workflow().resources(each.task()).memory()));
        }
        return attempts;
    }

    /** The number of completed tasks. */
    public int done() {
        return (int) record.attempts().stream().filter(AttemptRecord::done).count();
    }

    /** The number of failed attempts. */
    public int failures() {
        return (int) attempts.stream().filter(each -> each.end() == End.FAILED).count();
    }

    /** Allocated node time that no successful attempt used. */
    public long wasted() {
        return Math.max(0, record.allocatedNodeMillis() - record.usedNodeMillis());
    }

    /** The last part of the folder's name. */
    public String name() {
        return folder.substring(folder.lastIndexOf('/') + 1);
    }

    /**
     * The errors of predicted job starts, in milliseconds.
     *
     * @param source the estimator
     * @param jobs the number of started jobs with a prediction
     * @param median the median absolute error
     * @param mean the mean error; positive if jobs started later than predicted
     * @param worst the largest error
     */
    public record StartFigures(String source, int jobs, long median, long mean, long worst) {
        /** Computes the figures from errors: actual minus predicted. */
        public static StartFigures of(String source, List<Long> errors) {
            long[] distances = errors.stream().mapToLong(Math::abs).sorted().toArray();
            return new StartFigures(
                    source,
                    distances.length,
                    distances.length == 0 ? 0 : distances[(distances.length - 1) / 2],
                    Math.round(
                            errors.stream().mapToLong(Long::longValue).average().orElse(0)),
                    distances.length == 0 ? 0 : distances[distances.length - 1]);
        }

        /** The mean error for display: {@code 4.2 s later}, {@code 0.0 s}. */
        String meanText() {
            return Rounded.sign(mean) == 0 ? Rounded.time(Math.abs(mean)) : Rounded.later(mean);
        }
    }
}
