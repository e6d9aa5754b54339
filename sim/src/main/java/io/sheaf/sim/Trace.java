package io.sheaf.sim;

import java.util.Map;

/**
 * A job log made ready for replay.
 *
 * @param jobs the jobs, in order of submission
 * @param counts how often each rule was applied, in the order of {@link TraceRule}; rules never applied are absent
 * @param origin milliseconds to add to a time of {@code jobs} to get the log's own
 * @param measureFrom jobs submitted earlier warm the cluster up and are left out of the figures
 */
public record Trace(JobLog jobs, Map<TraceRule, Long> counts, long origin, long measureFrom) {
    /** A time of the replay in the log's own milliseconds. */
    public long logTime(long time) {
        return time + origin;
    }

    public long count(TraceRule rule) {
        return counts.getOrDefault(rule, 0L);
    }

    /** Jobs of the log that are not replayed. */
    public long skipped() {
        return counts.entrySet().stream()
                .filter(e -> e.getKey().skips())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Offered load: node time of the jobs over that of a cluster of this size, from first to last submission; NaN for one instant. */
    public double offeredLoad(int nodes) {
        return load(nodes, false);
    }

    /** The same with requested walltimes. */
    public double requestedLoad(int nodes) {
        return load(nodes, true);
    }

    private double load(int nodes, boolean requested) {
        double work = 0;
        for (int i = 0; i < jobs.size(); i++) {
            work += (double) jobs.nodes(i) * (requested ? jobs.requested(i) : Math.min(jobs.run(i), jobs.requested(i)));
        }
        long span = jobs.size() == 0 ? 0 : jobs.submit(jobs.size() - 1) - jobs.submit(0);
        return span == 0 ? Double.NaN : work / ((double) span * nodes);
    }
}
