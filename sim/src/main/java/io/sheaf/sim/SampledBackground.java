package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Sampled futures of background jobs: run times of present jobs, by the {@linkplain RequestCorrection correction} of their requests, and arrivals
 * from {@linkplain PastArrivals past arrivals}.
 *
 * <p>A future is sampled once and kept. At later instants it has the same arrivals, and each job keeps its quantile as far as observations allow. So
 * an earlier decision does not change by chance.
 */
final class SampledBackground {
    private static final long DAY = 86_400_000;

    /** The maximum number of recent jobs to learn from. */
    private static final int LESSONS = 5_000;

    /** The share of jobs that use their user's common sample, because jobs of one user are similar. */
    private static final double TOGETHER = 0.75;

    /** The share of jobs that end at a uniform time, because learnt fractions may not hold. */
    private static final double DOUBT = 0.1;

    private static final double[] NOTHING = {};

    private final RandomStream random;
    private final long horizon;
    private final RequestCorrection correction = new RequestCorrection();
    private final BitSet learnt = new BitSet();
    private final Map<Integer, JobLog> arrivals = new HashMap<>();
    private final Map<Integer, Long> drawnAt = new HashMap<>();

    /** Futures that depend on the stream only; arrivals are sampled up to the horizon. */
    SampledBackground(RandomStream random, long horizon) {
        this.random = random;
        this.horizon = Math.max(DAY, horizon);
    }

    /** A queue in one of its futures, from now on. */
    SimulatedQueue queue(KnownQueue queue, int future) {
        learn(queue);
        RandomStream stream = random.split(future);
        BatchEngine engine = queue.engine();
        long[] runs = new long[engine.handles()];
        for (int handle = 0; handle < runs.length; handle++) {
            if (engine.isRunning(handle)) {
                runs[handle] = run(queue, handle, queue.now() - engine.start(handle), stream);
            }
        }
        for (int i = 0; i < engine.queued(); i++) {
            runs[engine.queued(i)] = run(queue, engine.queued(i), 0, stream);
        }
        return SimulatedQueue.of(engine, queue.now(), coming(queue, future, stream), h -> runs[h], queue.own());
    }

    /** Records the completed jobs. */
    private void learn(KnownQueue queue) {
        BitSet present = new BitSet();
        BatchEngine engine = queue.engine();
        for (int handle = 0; handle < engine.handles(); handle++) {
            if (engine.isRunning(handle)) {
                present.set(1 + Math.max(-1, queue.jobOf().applyAsInt(handle)));
            }
        }
        for (int i = 0; i < engine.queued(); i++) {
            present.set(1 + Math.max(-1, queue.jobOf().applyAsInt(engine.queued(i))));
        }
        JobLog past = queue.past();
        for (int job = learnt.nextClearBit(Math.max(0, queue.known() - LESSONS));
                job < queue.known();
                job = learnt.nextClearBit(job + 1)) {
            if (!present.get(1 + job)) {
                learnt.set(job);
                correction.learn(past.user(job), past.nodes(job), past.requested(job), past.run(job));
            }
        }
    }

    private long run(KnownQueue queue, int handle, long elapsed, RandomStream stream) {
        int job = queue.jobOf().applyAsInt(handle);
        int user = job < 0 ? 0 : queue.past().user(job);
        long requested = queue.engine().walltime(handle);
        double[] parts = correction.parts(user, queue.engine().units(handle), requested, elapsed);
        RandomStream own = job < 0
                ? stream.split("handles").split(handle)
                : stream.split("jobs").split(job);
        return run(parts, user, requested, elapsed, stream, own);
    }

    private static long run(
            double[] parts, int user, long requested, long elapsed, RandomStream stream, RandomStream own) {
        double where = own.nextDouble();
        if (own.chance(TOGETHER)) {
            where = stream.split("users").split(user).nextDouble();
        }
        // If all jobs use the same fraction of their requests, no uniform ends are sampled.
        boolean constant = parts.length > 0 && parts[0] == parts[parts.length - 1];
        boolean doubt = !constant && own.chance(DOUBT);
        return RequestCorrection.run(doubt ? NOTHING : parts, requested, elapsed, where);
    }

    /** The arrivals of a future from now on. */
    private JobLog coming(KnownQueue queue, int future, RandomStream stream) {
        long now = queue.now();
        Long since = drawnAt.get(future);
        if (since == null || now - since > horizon / 2) {
            drawnAt.put(future, now);
            arrivals.put(future, drawn(queue, stream.split("arrivals").split(now)));
        }
        JobLog drawn = Objects.requireNonNull(arrivals.get(future));
        JobLog.Builder later = JobLog.builder();
        for (int job = 0; job < drawn.size(); job++) {
            if (drawn.submit(job) > now) {
                later.addLike(drawn, job, drawn.submit(job), drawn.run(job));
            }
        }
        return later.build();
    }

    private JobLog drawn(KnownQueue queue, RandomStream stream) {
        JobLog past = queue.past();
        JobLog.Builder coming = JobLog.builder();
        new PastArrivals(past, queue.known(), queue.now(), DAY).draw(horizon, stream.split("days"), (job, at) -> {
            long requested = past.requested(job);
            double[] parts = correction.parts(past.user(job), past.nodes(job), requested, 0);
            RandomStream own = stream.split("jobs").split(coming.size());
            coming.addLike(past, job, at, run(parts, past.user(job), requested, 0, stream, own));
        });
        return coming.build();
    }
}
