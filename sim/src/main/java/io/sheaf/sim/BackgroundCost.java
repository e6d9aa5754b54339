package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.batch.BatchEngine;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * What a run of ours cost the others: how much longer the jobs of the background waited on average because we were there.
 *
 * <h2>Which jobs</h2>
 * A run lasts from s, the instant of its fork, to e, when the last of our jobs left. Counted are the jobs of the log that were
 * queued just before s or arrived in [s, e]. Jobs that ran at s have their wait behind them: nothing we do can change it, and
 * counting them would make the figure depend on how many they happen to be. Jobs that arrive after e may still feel what we
 * did, ever more faintly; they are not counted, but they are played, since they compete with those that are.
 *
 * <h2>How long</h2>
 * A job waits from its submission until it starts or is cancelled. Counted jobs that are still queued at e are played on, with
 * everybody's arrivals, until none of them waits, but at most to the <em>horizon</em> h: a chosen time after e, or the end of
 * what is known of the baseline if that comes first. Both waits are cut off at h. With w the end of a job's wait in the run and
 * b in the baseline, the cost is the mean of min(w, h) − min(b, h) over all counted jobs: just the difference of the time that
 * they spent waiting until h. It is negative where they did better with us than without, which happens: a job of ours can keep
 * a wide one from a hole that narrow ones then share. Jobs that are refused, with us or without, wait for nothing and are left out.
 *
 * <h2>Use</h2>
 * {@link #begin} with the fork before its first instant is opened; then both background reports of the queue are passed on
 * to here; {@link #finish} when the last pass of e is made, which plays the queue on. It can then begin again: nothing is
 * allocated once it has grown. One thread at a time may use it; the baseline is shared.
 */
public final class BackgroundCost extends BackgroundReports {
    /** Tells the baseline until an instant, or further. */
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

    /** A measure against a baseline; no job is played on for longer than the given time after the run. */
    public BackgroundCost(Baseline baseline, long patience) {
        this(until -> baseline, patience);
    }

    /** The same where the baseline is made when it is known until when it is needed. */
    public BackgroundCost(LongFunction<Baseline> known, long patience) {
        if (patience < 0) {
            throw new IllegalArgumentException("jobs cannot be played on for " + patience + " ms; give 0 or more");
        }
        this.known = known;
        this.patience = patience;
    }

    /** A run begins in a fork of the background. */
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
        if (outcome == JobOutcome.WITHDRAWN) {
            waited(number, at);
        } else if (outcome == JobOutcome.REFUSED && number < lastArrival) {
            refused++;
        }
    }

    /** The run ended now. Plays the fork on as far as needed and sums up. */
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

    /** How many jobs were counted. */
    public int jobs() {
        return counted;
    }

    /** The same two figures together. */
    public OthersWait others() {
        return new OthersWait(counted, meanSeconds());
    }

    /** By how many seconds they waited longer, in the mean; 0 if there were none. */
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
            throw new IllegalStateException(fork.ownJobs() + " own jobs are in the system: the run is not over");
        }
    }
}
