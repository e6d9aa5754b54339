package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import java.util.Arrays;

/**
 * How long the jobs of a log wait when they are among themselves: for each the instant at which its wait is over, because it
 * starts or because it is cancelled. Recorded once, then only read.
 */
public final class Baseline {
    private static final long REFUSED = Long.MIN_VALUE;

    private final long[] waitEnd;
    private long until = Long.MIN_VALUE;

    private Baseline(int jobs) {
        waitEnd = new long[jobs];
        Arrays.fill(waitEnd, NEVER);
    }

    /** Until when the background was played; what waits longer is not known. */
    public long until() {
        return until;
    }

    /** Start or cancellation of a job; {@link io.sheaf.batch.BatchScheduler#NEVER} if it was not before {@link #until}. */
    public long waitEnd(int job) {
        return waitEnd[job];
    }

    /** Whether the job was not even accepted. */
    public boolean isRefused(int job) {
        return waitEnd[job] == REFUSED;
    }

    /** Is told what happens while the background is played. */
    static final class Recorder extends BackgroundReports {
        private final Baseline baseline;

        Recorder(JobLog log) {
            baseline = new Baseline(log.size());
        }

        @Override
        public void backgroundStarted(int job, long at) {
            baseline.waitEnd[job] = at;
        }

        @Override
        public void backgroundLeft(int job, long at, JobOutcome outcome) {
            if (outcome == JobOutcome.REFUSED) {
                baseline.waitEnd[job] = REFUSED;
            } else if (outcome == JobOutcome.WITHDRAWN) {
                baseline.waitEnd[job] = at;
            }
        }

        Baseline playedUntil(long at) {
            baseline.until = at;
            return baseline;
        }
    }
}
