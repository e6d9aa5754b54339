package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.BatchEngine;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * The cost of a run for background jobs: the mean increase of their queue waits.
 *
 * <h2>Which jobs</h2>
 * A run lasts from s, the instant of its fork, to e, when our last job ended. Counted are jobs of the log that were queued just before s or arrived
 * in [s, e]. Jobs that ran at s are not counted, because their waits cannot change. Jobs that arrive after e are simulated, because they compete with
 * counted ones, but are not counted.
 *
 * <h2>Measure</h2>
 * A job waits from its submission until it starts or is cancelled. Counted jobs that are still queued at e are simulated on, with all arrivals, at
 * most to the <em>horizon</em> h: a given time after e, or the end of the baseline if that is earlier. Both waits are truncated at h. With w the end
 * of a job's wait in the run and b in the baseline, the cost is the mean of min(w, h) − min(b, h) over all counted jobs. It can be negative: a pilot
 * job can keep a wide job from a hole that narrow ones then share. Refused jobs are not counted.
 *
 * <h2>Use</h2>
 * Call {@link #begin} with the fork before its first instant is opened, and forward both background reports of the queue. Call {@link #finish} after
 * the last pass of e, which simulates the queue on. Reusable without further allocation. Not thread-safe; the baseline is shared.
 */
public final class BackgroundCost extends BackgroundReports {
    /** Returns the baseline until an instant, or further. */
    private final LongFunction<Baseline> known;

    private final long patience;
    private int[] job = new int[64];
    private long[] waitEnd = new long[64];
    private int ended;
    private int refused;
    private int waitingAtFirst;
    private int firstArrival;
    /** Jobs from this number on arrived too late to count. */
    private int lastArrival;

    private long sum;
    private int counted;

    /** A measure against a baseline; simulates jobs for at most the given time after the run. */
    public BackgroundCost(Baseline baseline, long patience) {
        this(until -> baseline, patience);
    }

    /** The same with a baseline that is created on demand. */
    public BackgroundCost(LongFunction<Baseline> known, long patience) {
        if (patience < 0) {
            throw new IllegalArgumentException("jobs cannot be simulated for " + patience + " ms; give 0 or more");
        }
        this.known = known;
        this.patience = patience;
    }

    public void begin(SimulatedQueue fork) {
        requireNoOwn(fork);
        ended = 0;
        refused = 0;
        waitingAtFirst = fork.engine().queued();
        firstArrival = fork.arrived();
        lastArrival = Integer.MAX_VALUE;
        sum = 0;
        counted = 0;
    }

    @Override
    public void backgroundStarted(int number, long at) {
        waited(number, at);
    }

    @Override
    public void backgroundLeft(int number, long at, JobOutcome outcome) {
        if (outcome == JobOutcome.CANCELLED) {
            waited(number, at);
        } else if (outcome == JobOutcome.REFUSED && number < lastArrival) {
            refused++;
        }
    }

    /** Ends the run now. Simulates the fork as far as needed and computes the cost. */
    public void finish(SimulatedQueue fork) {
        requireNoOwn(fork);
        lastArrival = fork.arrived();
        int all = waitingAtFirst + lastArrival - firstArrival;
        Baseline baseline = known.apply(later(fork.now(), patience));
        long horizon = Math.min(baseline.until(), later(fork.now(), patience));
        while (ended + refused < all && fork.next() <= horizon) {
            fork.open(fork.next(), this);
            fork.pass(this);
        }
        BatchEngine engine = fork.engine();
        for (int i = 0; i < engine.queued(); i++) {
            waited(fork.backgroundJob(engine.queued(i)), horizon);
        }
        for (int i = 0; i < ended; i++) {
            if (!baseline.isRefused(job[i])) {
                sum += Math.min(waitEnd[i], horizon) - Math.min(baseline.waitEnd(job[i]), horizon);
                counted++;
            }
        }
    }

    public int jobs() {
        return counted;
    }

    /** Both figures together. */
    public BackgroundWait backgroundWait() {
        return new BackgroundWait(counted, meanSeconds());
    }

    /** The mean increase of their waits, in seconds; 0 if there were none. */
    public double meanSeconds() {
        return counted == 0 ? 0 : sum / (1000.0 * counted);
    }

    private void waited(int number, long at) {
        if (number >= lastArrival) {
            return;
        }
        if (ended == job.length) {
            job = Arrays.copyOf(job, 2 * ended);
            waitEnd = Arrays.copyOf(waitEnd, 2 * ended);
        }
        job[ended] = number;
        waitEnd[ended++] = at;
    }

    private static long later(long at, long by) {
        return at >= NEVER - by ? NEVER - 1 : at + by;
    }

    private static void requireNoOwn(SimulatedQueue fork) {
        if (fork.ownJobs() > 0) {
            throw new IllegalStateException(fork.ownJobs() + " own jobs are in the system: the run has not ended");
        }
    }
}
