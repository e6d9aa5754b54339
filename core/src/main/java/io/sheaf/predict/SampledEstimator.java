package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks some copies of the queue in which jobs end when they may end, not when their limits are over, and answers with the median.
 *
 * <p>In each copy every job of others gets a length that is {@linkplain DrawnRuns drawn} from what such jobs {@linkplain RequestCorrection have used} of their requests; our own keep theirs. The
 * scheduler then plans with those lengths: when jobs end early it moves up what waits, which comes to much the same. Nobody else comes: whoever comes later stands behind us, and where he may go
 * ahead by backfilling, these answers are too early.
 *
 * <p>The copies of an instant are kept until the queue changes, so that many questions at once cost little more than one.
 */
public final class SampledEstimator implements StartEstimator {
    /** What is known of the jobs in the queue. */
    public interface Requests {
        /** The parts of its request that a job may use; null for a job of ours, which is taken at its word. */
        double @Nullable [] parts(int handle, long elapsed);

        /** Whose it is. */
        int user(int handle);
    }

    private final BatchEngine engine;
    private final LongToIntFunction handles;
    private final Requests requests;
    private final RandomStream random;
    private final BatchEngine[] copies;
    private final long[][] answers;
    private int[] asked = new int[0];
    private long drawnFor = Long.MIN_VALUE;

    /**
     * An estimator over the queue of an engine.
     *
     * @param handles the engine's handles for our tokens; −1 for one that it does not know
     * @param draws how many copies; odd, so that there is one in the middle
     */
    public SampledEstimator(
            BatchEngine engine, LongToIntFunction handles, Requests requests, int draws, RandomStream random) {
        this.engine = engine;
        this.handles = handles;
        this.requests = requests;
        this.random = random;
        copies = new BatchEngine[draws];
        Arrays.setAll(copies, i -> new BatchEngine(engine.policy(), engine.size()));
        answers = new long[draws][0];
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        draw(query.now());
        long[] out = answer.begin(query, basis());
        // A queue that a submission changes is drawn again, so no more than one job in order is answered.
        int jobs = query.isInOrder() ? Math.min(1, query.jobs()) : query.jobs();
        answer.answered(jobs);
        for (int i = 0; i < copies.length; i++) {
            if (query.isWithQueued()) {
                withQueued(i, query);
            } else {
                copies[i].estimate(query.now(), query.units(), query.walltimes(), jobs, room(i, jobs));
            }
        }
        medians(query.queued() + jobs, out);
    }

    private void withQueued(int copy, StartQuery query) {
        int count = query.queued();
        if (asked.length < count) {
            asked = new int[count];
        }
        for (int k = 0; k < count; k++) {
            // A job that is queued may have been started in the copy.
            int handle = handles.applyAsInt(query.token(k));
            asked[k] = handle >= 0 && copies[copy].isRunning(handle) ? -1 : handle;
        }
        int cancelled = query.cancelled() == StartQuery.NONE ? -1 : handles.applyAsInt(query.cancelled());
        long[] out = room(copy, count + query.jobs());
        copies[copy].expect(query.now(), cancelled, asked, count, query.units(), query.walltimes(), query.jobs(), out);
        for (int k = 0; k < count; k++) {
            int handle = handles.applyAsInt(query.token(k));
            out[k] = handle >= 0 && asked[k] < 0 ? query.now() : out[k];
        }
    }

    private long[] room(int copy, int count) {
        if (answers[copy].length < count) {
            answers[copy] = new long[count];
        }
        return answers[copy];
    }

    private void medians(int count, long[] out) {
        long[] some = new long[copies.length];
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < copies.length; i++) {
                some[i] = answers[i][k];
            }
            Arrays.sort(some);
            out[k] = some[copies.length / 2];
        }
    }

    /** Makes the copies for an instant, unless they are there. */
    private void draw(long now) {
        long state = state(now);
        if (state == drawnFor) {
            return;
        }
        drawnFor = state;
        int top = engine.handles();
        double[][] parts = new double[top][];
        boolean[] queued = queued(top);
        for (int job = 0; job < top; job++) {
            parts[job] = queued[job] || engine.isRunning(job) ? requests.parts(job, elapsed(job, now)) : null;
        }
        for (int i = 0; i < copies.length; i++) {
            engine.forkInto(copies[i]);
            // The same draws at every instant, so that what is asked twice does not differ by chance alone.
            DrawnRuns runs = new DrawnRuns(random.split(i));
            for (int job = 0; job < top; job++) {
                double[] some = parts[job];
                if (some != null) {
                    long run = runs.of(job).run(requests.user(job), some, engine.walltime(job), elapsed(job, now));
                    shorten(copies[i], job, run, now);
                }
            }
            copies[i].pass(now, new int[copies[i].queued()]);
        }
    }

    private void shorten(BatchEngine copy, int job, long run, long now) {
        if (run >= engine.walltime(job)) {
            return;
        }
        if (engine.isRunning(job)) {
            long end = Math.max(now + 1, engine.start(job) + run);
            // One whose limit is over is about to end anyway.
            if (end < engine.limit(job)) {
                copy.foresee(job, end, now);
            }
        } else {
            copy.shorten(job, run, now);
        }
    }

    private long elapsed(int job, long now) {
        return engine.isRunning(job) ? now - engine.start(job) : 0;
    }

    private boolean[] queued(int top) {
        boolean[] queued = new boolean[top];
        for (int i = 0; i < engine.queued(); i++) {
            queued[engine.queued(i)] = true;
        }
        return queued;
    }

    /** Tells queues apart: the instant, who waits and for how long, and how much is free. */
    private long state(long now) {
        long state = now * 31 + engine.idle();
        for (int i = 0; i < engine.queued(); i++) {
            int job = engine.queued(i);
            state = (state * 1_000_003 + job) * 1_000_003 + engine.walltime(job);
        }
        return state == Long.MIN_VALUE ? 0 : state;
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
