package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Copies of an engine's queue in which background jobs end when they may end, not at their limits.
 *
 * <p>In each copy every background job gets a run time that is {@linkplain DrawnRuns drawn} from what such jobs {@linkplain RequestCorrection have used} of their requests; our own jobs keep theirs. The
 * scheduler then plans with those run times, which has nearly the effect of planning again whenever a job ends early. No job arrives. A later one is behind ours; where it may start
 * first by backfilling, these estimates are too early.
 *
 * <p>The copies of an instant are kept until the queue changes, so that many questions at once cost little more than one.
 */
public final class DrawnEnds implements SampledEstimator.Draws {
    /** What is known of the jobs in the queue. */
    public interface Requests {
        /** The parts of its request that a job may use; null for a job of ours, which uses all of it. */
        double @Nullable [] parts(int handle, long elapsed);

        /** The number of its owner. */
        int user(int handle);
    }

    private final BatchEngine engine;
    private final Requests requests;
    private final RandomStream random;
    private final List<BatchEngine> copies = new ArrayList<>();
    private final List<EngineEstimator> estimators = new ArrayList<>();
    private long drawnFor = Long.MIN_VALUE;

    /**
     * Draws over the queue of an engine.
     *
     * @param handles the engine's handles for our tokens; −1 for one that it does not know
     * @param seesSubmissions whether what we submit is in its queue at once
     * @param count how many copies; odd
     */
    public DrawnEnds(
            BatchEngine engine,
            LongToIntFunction handles,
            boolean seesSubmissions,
            Requests requests,
            int count,
            RandomStream random) {
        this.engine = engine;
        this.requests = requests;
        this.random = random;
        for (int i = 0; i < count; i++) {
            copies.add(new BatchEngine(engine.policy(), engine.size()));
            estimators.add(new EngineEstimator(copies.get(i), handles, seesSubmissions));
        }
    }

    @Override
    public List<EngineEstimator> at(long now) {
        long state = state(now);
        if (state != drawnFor) {
            drawnFor = state;
            draw(now);
        }
        return estimators;
    }

    private void draw(long now) {
        int top = engine.handles();
        double[][] parts = new double[top][];
        boolean[] queued = queued(top);
        for (int job = 0; job < top; job++) {
            parts[job] = queued[job] || engine.isRunning(job) ? requests.parts(job, elapsed(job, now)) : null;
        }
        for (int i = 0; i < copies.size(); i++) {
            BatchEngine copy = copies.get(i);
            engine.forkInto(copy);
            // The same draws at every instant, so that what is asked twice does not differ by chance alone.
            DrawnRuns runs = new DrawnRuns(random.split(i));
            for (int job = 0; job < top; job++) {
                double[] some = parts[job];
                if (some != null) {
                    long run = runs.of(job).run(requests.user(job), some, engine.walltime(job), elapsed(job, now));
                    shorten(copy, job, run, now);
                }
            }
            copy.pass(now, new int[copy.queued()]);
        }
    }

    private void shorten(BatchEngine copy, int job, long run, long now) {
        if (run >= engine.walltime(job)) {
            return;
        }
        if (engine.isRunning(job)) {
            long end = Math.max(now + 1, engine.start(job) + run);
            // One whose limit has passed is about to end anyway.
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

    /** A number that differs with the instant, the queued jobs with their walltimes, and the free units. */
    private long state(long now) {
        long state = now * 31 + engine.idle();
        for (int i = 0; i < engine.queued(); i++) {
            int job = engine.queued(i);
            state = (state * 1_000_003 + job) * 1_000_003 + engine.walltime(job);
        }
        return state == Long.MIN_VALUE ? 0 : state;
    }
}
