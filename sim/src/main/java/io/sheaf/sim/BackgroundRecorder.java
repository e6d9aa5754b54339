package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records the background during a run, its load and the jobs that run, and forwards the reports.
 *
 * <p>Arrivals are not reported; they are those of the log up to the present instant.
 */
public final class BackgroundRecorder extends BackgroundReports {
    private final SimulatedQueue.JobListener next;
    private final JobLog log;
    private final List<BackgroundLoad.Point> points = new ArrayList<>();
    /** By job of the log. */
    private final Map<Integer, BackgroundJob> jobs = new TreeMap<>();

    private int arrived;
    private int busy;
    private int queued;
    private long at;

    /** Starts at a run's start, in a fork without own jobs; includes the jobs that already run there. */
    public BackgroundRecorder(SimulatedQueue fork, long start, SimulatedQueue.JobListener next) {
        this.next = next;
        log = fork.background();
        BatchEngine engine = fork.engine();
        arrived = fork.arrived();
        busy = engine.size() - engine.idle();
        queued = engine.queued();
        at = start;
        for (int handle = 0; handle < engine.handles(); handle++) {
            int job = fork.backgroundJob(handle);
            if (job >= 0 && engine.isRunning(handle)) {
                put(job, engine.start(handle), JobRecord.NEVER);
            }
        }
    }

    private void put(int job, long started, long ended) {
        jobs.put(job, new BackgroundJob(log.id(job), log.nodes(job), log.submit(job), started, ended));
    }

    @Override
    public void backgroundStarted(int job, long now) {
        moveTo(now);
        queued--;
        busy += log.nodes(job);
        put(job, now, JobRecord.NEVER);
        next.backgroundStarted(job, now);
    }

    @Override
    public void backgroundLeft(int job, long now, JobOutcome outcome) {
        moveTo(now);
        if (outcome == JobOutcome.COMPLETED || outcome == JobOutcome.KILLED) {
            busy -= log.nodes(job);
        } else {
            queued--;
        }
        BackgroundJob ran = jobs.get(job);
        if (ran != null) {
            put(job, ran.started(), now);
        }
        next.backgroundLeft(job, now, outcome);
    }

    /** Records the load until now, including arrivals at this instant. */
    private void moveTo(long now) {
        while (arrived < log.size() && log.submit(arrived) <= now) {
            long submitted = log.submit(arrived++);
            note(submitted);
            queued++;
        }
        note(now);
    }

    private void note(long now) {
        if (now > at) {
            points.add(new BackgroundLoad.Point(at, busy, queued));
            at = now;
        }
    }

    /** The load up to an instant, the run's end. */
    public BackgroundLoad until(long end) {
        moveTo(end);
        points.add(new BackgroundLoad.Point(at, busy, queued));
        return new BackgroundLoad(points);
    }

    /** All jobs that ran, in order of submission. */
    public List<BackgroundJob> jobs() {
        return List.copyOf(jobs.values());
    }
}
