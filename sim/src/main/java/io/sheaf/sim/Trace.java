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
}
