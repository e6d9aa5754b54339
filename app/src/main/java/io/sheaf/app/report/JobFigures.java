package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.report.JobRecord;
import io.sheaf.text.Rounded;

/** The figures of a pilot job: request, estimated and actual start, run time and end. */
public final class JobFigures {
    private JobFigures() {}

    /** The figures with instants relative to the start of the run. */
    public static Fields<JobRecord> of(long start) {
        return new Fields<JobRecord>()
                .right("job", job -> Long.toString(job.token()))
                .count("job", JobRecord::token)
                .text("tasks", "tasks", JobRecord::claim)
                .right("nodes", job -> Rounded.count(job.nodes()) + (job.pool().isEmpty() ? "" : " in " + job.pool()))
                .count("nodes", JobRecord::nodes)
                .field((out, job) -> out.optional("pool", job.pool()))
                .time("walltime", "walltimeSeconds", JobRecord::walltime)
                .right("submitted", job -> Rounded.time(job.submitted() - start))
                .right(
                        "estimated start",
                        job -> job.wasExpected() ? Rounded.time(job.expectedStart() - start) : "unknown")
                .right("start", job -> job.hasStarted() ? Rounded.time(job.started() - start) : "not started")
                .right(
                        "difference",
                        job -> job.hasStarted() && job.wasExpected()
                                ? Rounded.later(job.started() - job.expectedStart())
                                : "")
                .right(
                        "run time",
                        job -> job.hasStarted() && job.hasEnded() ? Rounded.time(job.ended() - job.started()) : "")
                .field((out, job) -> {
                    instant(out, "submittedSeconds", job.submitted(), start);
                    instant(out, "expectedStartSeconds", job.expectedStart(), start);
                    instant(out, "startSeconds", job.started(), start);
                    instant(out, "endSeconds", job.ended(), start);
                })
                .text("end", "ended", job -> job.end().word());
    }

    /** Writes an instant relative to the start of the run; omits an unknown one. */
    static void instant(JsonOut out, String name, long at, long start) {
        if (at != JobRecord.NEVER) {
            out.seconds(name, (at - start) * 1000);
        }
    }
}
