package io.sheaf.predict;

import io.sheaf.batch.BatchEngine;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Copies of an engine's queue in which background jobs end at sampled times instead of at their walltimes.
 *
 * <p>In each copy every background job gets a run time {@linkplain DrawnRuns sampled} from the {@linkplain RequestCorrection used fractions} of
 * similar requests; our own jobs keep theirs. The scheduler plans with those run times, which approximates replanning when a job ends early. No job
 * arrives. If a later job can be backfilled before ours, the estimates are too early.
 *
 * <p>The copies are cached until the queue changes, so that many queries at one instant are cheap.
 */
public final class SampledEnds implements LongFunction<List<EngineEstimator>> {
    /** Information on the jobs in the queue. */
    public interface UsedFractions {
        /** The possible used fractions of a job's request; null for our jobs, which use all of it. */
        double @Nullable [] parts(int handle, long elapsed);

        /** The number of its owner. */
        int user(int handle);
    }

    private final BatchEngine engine;
    private final UsedFractions requests;
    private final RandomStream random;
    private final List<BatchEngine> copies = new ArrayList<>();
    private final List<EngineEstimator> estimators = new ArrayList<>();
    private long drawnFor = Long.MIN_VALUE;

    /**
     * Samples the queue of an engine.
     *
     * @param handles the engine's handles for our tokens; −1 for an unknown token
     * @param seesSubmissions whether submitted jobs are in its queue at once
     * @param count the number of copies; odd
     */
    public SampledEnds(
            BatchEngine engine,
            LongToIntFunction handles,
            boolean seesSubmissions,
            UsedFractions requests,
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
    public List<EngineEstimator> apply(long now) {
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
        for (int job : engine.present()) {
            parts[job] = requests.parts(job, elapsed(job, now));
        }
        for (int i = 0; i < copies.size(); i++) {
            BatchEngine copy = copies.get(i);
            engine.forkInto(copy);
            // Use the same samples at every instant, so that repeated queries do not differ by chance.
            DrawnRuns runs = new DrawnRuns(random.split(i));
            for (int job = 0; job < top; job++) {
                double[] drawn = parts[job];
                if (drawn != null) {
                    long run = runs.of(job).run(requests.user(job), drawn, engine.walltime(job), elapsed(job, now));
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
            // A job past its limit is about to end anyway.
            if (end < engine.limit(job)) {
                copy.expectEnd(job, end, now);
            }
        } else {
            copy.shorten(job, run, now);
        }
    }

    private long elapsed(int job, long now) {
        return engine.isRunning(job) ? now - engine.start(job) : 0;
    }

    /** A hash of the instant, the queued jobs with their walltimes, and the free units. */
    private long state(long now) {
        long state = now * 31 + engine.idle();
        for (int i = 0; i < engine.queued(); i++) {
            int job = engine.queued(i);
            state = (state * 1_000_003 + job) * 1_000_003 + engine.walltime(job);
        }
        return state == Long.MIN_VALUE ? 0 : state;
    }
}
