package io.sheaf.predict;

import java.util.List;

/** Estimates the mean of our own latest waits: of jobs of similar size if there are enough, otherwise of all. */
public final class LearnedEstimator implements StartEstimator {
    private static final int LATEST = 10;
    private static final int ENOUGH = 3;

    /** A batch system needs this long, in milliseconds, to start a job on free nodes: such a wait is none. */
    private static final long AT_ONCE = 5_000;

    /** The queue wait of one of our jobs, in milliseconds. */
    public record Wait(int units, long millis) {}

    private List<Wait> waits = List.of();

    /** Replaces the recorded waits, in the order of job starts. */
    public void learn(List<Wait> observed) {
        waits = List.copyOf(observed);
    }

    /** Estimates each new job. The waits do not depend on other queued jobs, so queued jobs are unknown. */
    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        answer.begin(query, basis());
        answer.fill(StartTimes.UNKNOWN);
        for (int i = 0; i < query.jobs() && !query.isWithQueued(); i++) {
            long wait = mean(query.units(i));
            answer.job(i, wait == StartTimes.UNKNOWN ? wait : query.now() + wait);
        }
    }

    private long mean(int units) {
        List<Wait> similar = waits.stream()
                .filter(wait -> wait.units <= 2L * units && units <= 2L * wait.units)
                .toList();
        List<Wait> used = similar.size() >= ENOUGH ? similar : waits;
        if (used.size() < ENOUGH) {
            return StartTimes.UNKNOWN;
        }
        double mean = used.subList(Math.max(0, used.size() - LATEST), used.size()).stream()
                .mapToLong(Wait::millis)
                .average()
                .orElse(0);
        return mean < AT_ONCE ? 0 : (long) mean;
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
