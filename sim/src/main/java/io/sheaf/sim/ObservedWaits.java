package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.predict.Geometry;
import io.sheaf.predict.LearnedWaits;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** Waits of the jobs of a log that started before an instant, as prior of a learner. */
public final class ObservedWaits {
    /** The number of latest jobs of each class. */
    private static final int KEPT = 200;

    private ObservedWaits() {}

    /** Initializes a learner with the waits of each class in the replay of a log before an instant. */
    public static void report(LearnedWaits learner, JobLog log, Policy policy, int nodes, long before) {
        Map<Geometry, ArrayDeque<Long>> seen =
                new TreeMap<>(Comparator.comparingInt(Geometry::nodes).thenComparingLong(Geometry::walltime));
        new SimulatedQueue(log, policy, nodes).advanceTo(before, new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long at) {
                ArrayDeque<Long> kept = seen.computeIfAbsent(
                        Geometry.of(log.nodes(job), log.requested(job)), kind -> new ArrayDeque<>());
                kept.addLast(at - log.submit(job));
                if (kept.size() > KEPT) {
                    kept.removeFirst();
                }
            }
        });
        seen.forEach((kind, waits) ->
                learner.setPrior(kind, waits.stream().mapToLong(Long::longValue).toArray()));
    }
}
