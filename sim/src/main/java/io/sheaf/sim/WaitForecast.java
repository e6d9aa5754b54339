package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;

/**
 * How long a job would wait: what the scheduler says, in milliseconds, and a median with intervals that hold half and nine tenths of what may happen.
 */
public record WaitForecast(long scheduler, Quantiles waits) {
    /**
     * For a job that is submitted at an instant of a log, behind all who came until then. What is learnt comes from before.
     *
     * @param draws how many futures to draw
     */
    public static WaitForecast at(
            JobLog log, Policy policy, int clusterNodes, long at, int nodes, long requested, int draws, long seed) {
        RequestCorrection correction = new RequestCorrection();
        SimulatedQueue queue = new SimulatedQueue(log, policy, clusterNodes);
        long[] startOf = new long[log.size()];
        queue.advanceTo(at, new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long instant) {
                startOf[job] = instant;
            }

            @Override
            public void backgroundLeft(int job, long instant, Outcome outcome) {
                if (outcome == Outcome.COMPLETED || outcome == Outcome.KILLED) {
                    correction.learn(log.user(job), log.nodes(job), log.requested(job), instant - startOf[job]);
                }
            }
        });
        long start = queue.engine().estimate(at, Submission.of(nodes, requested));
        long[] waits = new WaitForecaster(log, correction, draws)
                .waits(queue, queue.arrived(), nodes, requested, start - at, new RandomStream(seed));
        return new WaitForecast(start - at, Quantiles.of(waits));
    }
}
