package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.predict.SampledEnds;
import io.sheaf.predict.SampledEstimator;
import io.sheaf.predict.WaitFactors;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The scheduler's start estimate for each job of a log at its submission, and its actual wait. */
public final class EstimateHistory {
    private final JobLog log;
    private final long[] estimate;
    private final long[] start;

    /** Replays a log up to an instant and estimates each arriving job. */
    public EstimateHistory(JobLog log, Policy policy, int nodes, long until) {
        this.log = log;
        estimate = new long[log.size()];
        start = new long[log.size()];
        Arrays.fill(start, -1);
        SimulatedQueue queue = new SimulatedQueue(log, policy, nodes);
        BackgroundReports starts = BackgroundReports.startsTo(start);
        for (int job = 0; job < log.size() && log.submit(job) < until; job++) {
            long now = log.submit(job);
            queue.advanceTo(Math.max(queue.now(), now - 1), starts);
            SimulatedQueue fork = queue.fork();
            fork.openBefore(now, job);
            long estimatedStart = fork.engine().estimate(now, fork.request(job, new Submission()));
            estimate[job] = estimatedStart == Long.MAX_VALUE ? 0 : estimatedStart - now;
        }
        queue.advanceTo(Math.max(queue.now(), until), starts);
    }

    /** The factors learnt from the jobs that had started by an instant. */
    public WaitFactors factors(long at) {
        WaitFactors factors = new WaitFactors();
        for (int job = 0; job < log.size() && log.submit(job) < at; job++) {
            if (start[job] >= 0 && start[job] < at) {
                factors.learn(log.nodes(job), estimate[job], start[job] - log.submit(job));
            }
        }
        return factors;
    }

    /** The used fractions of requests of the jobs completed by an instant. */
    public RequestCorrection correction(long at) {
        RequestCorrection correction = new RequestCorrection();
        for (int job = 0; job < log.size() && log.submit(job) < at; job++) {
            long run = Math.min(log.run(job), log.requested(job));
            if (start[job] >= 0 && start[job] + run < at) {
                correction.learn(log.user(job), log.nodes(job), log.requested(job), run);
            }
        }
        return correction;
    }

    /** Estimates from copies of a queue of this log in which jobs end like the ones completed before an instant. */
    public SimulationSetup.Estimates sampled(long at, int draws, long seed) {
        RequestCorrection correction = correction(at);
        return (estimator, queue) -> new SampledEstimator(new SampledEnds(
                queue.engine(),
                queue::handle,
                true,
                new SampledEnds.UsedFractions() {
                    @Override
                    public double @Nullable [] parts(int handle, long elapsed) {
                        int job = queue.backgroundJob(handle);
                        return job < 0
                                ? null
                                : correction.parts(log.user(job), log.nodes(job), log.requested(job), elapsed);
                    }

                    @Override
                    public int user(int handle) {
                        return log.user(queue.backgroundJob(handle));
                    }
                },
                draws,
                new RandomStream(seed).split("ends")));
    }
}
