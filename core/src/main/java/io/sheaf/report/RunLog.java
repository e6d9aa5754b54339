package io.sheaf.report;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Records the pilot jobs and attempts of a run, live or from a journal. */
public final class RunLog {
    private final Pools pools;
    private final Map<Long, JobRecord> jobs = new LinkedHashMap<>();
    private final Map<Integer, AttemptRecord> running = new TreeMap<>();
    private final List<AttemptRecord> attempts = new ArrayList<>();
    /** Pilot jobs whose walltime stopped a task. */
    private final Set<Long> cutOff = new HashSet<>();

    /**
     * An empty log.
     *
     * @param pools by which requests are numbered
     */
    public RunLog(Pools pools) {
        this.pools = pools;
    }

    public void submitted(long token, Request request, long at) {
        jobs.put(
                token,
                new JobRecord(
                        token,
                        request.units(),
                        request.walltime(),
                        at,
                        JobRecord.NEVER,
                        JobRecord.NEVER,
                        JobRecord.End.OPEN,
                        "",
                        JobRecord.NEVER,
                        pools.name(request.pool())));
    }

    public void refused(long token, long at) {
        jobs.computeIfPresent(token, (t, job) -> job.endedAt(at, JobRecord.End.REFUSED));
    }

    public void shortened(long token, long walltime) {
        jobs.computeIfPresent(token, (t, job) -> job.granted(job.nodes(), walltime));
    }

    public void granted(long token, int nodes, long walltime) {
        jobs.computeIfPresent(
                token, (t, job) -> job.granted(Math.min(nodes, job.nodes()), Math.min(walltime, job.walltime())));
    }

    public void started(long token, long at) {
        jobs.computeIfPresent(token, (t, job) -> job.startedAt(at));
    }

    public void ended(long token, long at, Event.End end) {
        jobs.computeIfPresent(token, (t, job) -> job.endedAt(at, JobRecord.End.of(end, cutOff.contains(token))));
    }

    /** Records the start of an attempt with these resources. */
    public void taskStarted(long token, int[] nodes, int task, long at, Resources needs) {
        List<Integer> nodeList = new ArrayList<>(nodes.length);
        for (int node : nodes) {
            nodeList.add(node);
        }
        running.put(task, new AttemptRecord(token, task, nodeList, at, at, null, needs));
    }

    /** Records the end of an attempt, by itself or with its pilot job. */
    public void taskEnded(int task, long at, Event.Outcome outcome) {
        AttemptRecord attempt = running.remove(task);
        if (attempt != null) {
            JobRecord job = jobs.get(attempt.token());
            if (job != null && job.hasStarted() && JobRecord.isCutOff(outcome, at, job.started() + job.walltime())) {
                cutOff.add(attempt.token());
            }
            attempts.add(attempt.until(at, outcome));
        }
    }

    /** Pilot jobs in order of submission. */
    public List<JobRecord> jobs() {
        return List.copyOf(jobs.values());
    }

    /** Ended attempts, in order of their ends. */
    public List<AttemptRecord> attempts() {
        return List.copyOf(attempts);
    }

    /** Ended attempts, then those that run at an instant. */
    public List<AttemptRecord> attempts(long at) {
        List<AttemptRecord> all = new ArrayList<>(attempts);
        running.values().forEach(attempt -> all.add(attempt.until(Math.max(at, attempt.started()), null)));
        return all;
    }
}
