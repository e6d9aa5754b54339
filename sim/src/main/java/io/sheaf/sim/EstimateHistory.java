package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.WaitFactors;
import java.util.Arrays;

/** What the scheduler would have told each job of a log when it came, and how long each waited. */
public final class EstimateHistory {
    private final JobLog log;
    private final long[] estimate;
    private final long[] start;

    /** Plays a log up to an instant, and asks for each job that comes. */
    public EstimateHistory(JobLog log, Policy policy, int nodes, long until) {
        this.log = log;
        estimate = new long[log.size()];
        start = new long[log.size()];
        Arrays.fill(start, -1);
        SimulatedQueue queue = new SimulatedQueue(log, policy, nodes);
        BackgroundReports starts = new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long at) {
                start[job] = at;
            }
        };
        for (int job = 0; job < log.size() && log.submit(job) < until; job++) {
            long now = log.submit(job);
            queue.advanceTo(Math.max(queue.now(), now - 1), starts);
            SimulatedQueue here = queue.fork();
            here.openBefore(now, job, BackgroundReports.UNHEARD);
            long told = here.engine().estimate(now, Submission.of(log.nodes(job), log.requested(job)));
            estimate[job] = told == Long.MAX_VALUE ? 0 : told - now;
        }
        queue.advanceTo(Math.max(queue.now(), until), starts);
    }

    /** What could be learnt by an instant, from the jobs that had started. */
    public WaitFactors factors(long at) {
        WaitFactors factors = new WaitFactors();
        for (int job = 0; job < log.size() && log.submit(job) < at; job++) {
            if (start[job] >= 0 && start[job] < at) {
                factors.learn(log.nodes(job), estimate[job], start[job] - log.submit(job));
            }
        }
        return factors;
    }
}
