package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import org.jspecify.annotations.Nullable;

/** A job of the plain engine. */
final class PlainJob {
    final int handle;
    final long sequence;
    final int units;
    final int user;
    final long submitted;
    final long notBefore;
    final boolean reserving;
    long eligible;
    long walltime;
    long priority;
    boolean running;

    @Nullable
    PlainJob after;
    /** Planned or actual start. */
    long start = NEVER;
    /** Latest end of a running job. */
    long end = NEVER;

    PlainJob(int handle, long sequence, long at, Submission s, @Nullable PlainJob after) {
        this.handle = handle;
        this.sequence = sequence;
        this.after = after;
        units = s.units;
        user = s.user;
        submitted = s.submitted == Long.MIN_VALUE ? at : s.submitted;
        notBefore = s.notBefore;
        eligible = submitted;
        reserving = s.reserving;
        walltime = s.walltime;
        priority = s.priority;
    }

    boolean isPlanned() {
        return !running && start != NEVER;
    }

    long plannedEnd() {
        if (running) {
            return end;
        }
        return start == NEVER ? NEVER : start + walltime;
    }
}
