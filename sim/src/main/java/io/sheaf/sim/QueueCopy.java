package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/** Creates a simulated queue from a scheduler's state at an instant: its jobs become a log, followed by the expected arrivals. */
final class QueueCopy {
    private static final int OTHER_USER = 0;

    private QueueCopy() {}

    /**
     * The queue.
     *
     * @param arrivals from this instant on
     * @param runs by handle: how long it runs in all, in milliseconds; longer than it has run
     * @param own handles of our own jobs by the tokens that they were submitted under
     */
    static SimulatedQueue of(
            BatchEngine engine, long now, JobLog arrivals, IntToLongFunction runs, Map<Long, Integer> own) {
        JobLog.Builder log = JobLog.builder();
        JobsByHandle jobs = new JobsByHandle();
        for (int handle : engine.present()) {
            log.add(handle, now, runs.applyAsLong(handle), engine.walltime(handle), engine.units(handle), OTHER_USER);
            jobs.enter(handle, log.size() - 1);
        }
        int present = log.size();
        boolean owned = engine.ownUser() >= 0;
        for (int job = 0; job < arrivals.size(); job++) {
            log.add(
                            present + job,
                            arrivals.submit(job),
                            arrivals.run(job),
                            arrivals.requested(job),
                            arrivals.nodes(job),
                            owned ? arrivals.user(job) : OTHER_USER)
                    .memory(arrivals.memory(job))
                    .account(arrivals.account(job));
        }
        int user = owned ? engine.ownUser() : OTHER_USER + 1;
        SimulatedQueue queue = new SimulatedQueue(log.build(), engine.fork(), user, jobs, present, now);
        queue.assumePriority();
        for (int handle = 0; handle < engine.handles(); handle++) {
            if (engine.isRunning(handle) && !own.containsValue(handle)) {
                long end = engine.start(handle) + runs.applyAsLong(handle);
                queue.expectEnd(handle, Math.max(now, Math.min(engine.limit(handle), end)));
            }
        }
        new TreeMap<>(own).forEach(queue::own);
        return queue;
    }
}
