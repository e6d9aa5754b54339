package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.Job;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Records the background jobs that run during a run, and forwards the reports. */
public final class Neighbours implements SimulatedQueue.Reports {
    private final SimulatedQueue.Reports next;
    private final JobLog log;
    /** By job of the log. */
    private final Map<Integer, BackgroundJob> jobs = new TreeMap<>();

    /** Observes a fork without own jobs; includes the jobs that already run there. */
    public Neighbours(SimulatedQueue fork, SimulatedQueue.Reports next) {
        this.next = next;
        log = fork.background();
        BatchEngine engine = fork.engine();
        for (int handle = 0; handle < engine.handles(); handle++) {
            int job = fork.backgroundJob(handle);
            if (job >= 0 && engine.isRunning(handle)) {
                put(job, engine.start(handle), Job.NEVER);
            }
        }
    }

    private void put(int job, long started, long ended) {
        jobs.put(job, new BackgroundJob(log.id(job), log.nodes(job), log.submit(job), started, ended));
    }

    @Override
    public void started(int handle) {
        next.started(handle);
    }

    @Override
    public void expired(int handle) {
        next.expired(handle);
    }

    @Override
    public void backgroundStarted(int job, long at) {
        put(job, at, Job.NEVER);
        next.backgroundStarted(job, at);
    }

    @Override
    public void backgroundLeft(int job, long at, JobOutcome outcome) {
        BackgroundJob ran = jobs.get(job);
        if (ran != null) {
            put(job, ran.started(), at);
        }
        next.backgroundLeft(job, at, outcome);
    }

    /** All that ran, in order of submission. */
    public List<BackgroundJob> jobs() {
        return List.copyOf(jobs.values());
    }
}
