package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/** The waits of the jobs of a log without own jobs: the instant at which each starts or is cancelled. Immutable after recording. */
public final class Baseline {
    private static final long REFUSED = Long.MIN_VALUE;

    private final long[] waitEnd;
    private long until = Long.MIN_VALUE;

    private Baseline(int jobs) {
        waitEnd = new long[jobs];
        Arrays.fill(waitEnd, NEVER);
    }

    /** The end of the simulated background; later waits are unknown. */
    public long until() {
        return until;
    }

    /** Start or cancellation of a job; {@link io.sheaf.batch.BatchEngine#NEVER} if it was not before {@link #until}. */
    public long waitEnd(int job) {
        return waitEnd[job];
    }

    public boolean isRefused(int job) {
        return waitEnd[job] == REFUSED;
    }

    /** Records the reports of a simulated background. */
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
            } else if (outcome == JobOutcome.CANCELLED) {
                baseline.waitEnd[job] = at;
            }
        }

        Baseline playedUntil(long at) {
            baseline.until = at;
            return baseline;
        }
    }
}
