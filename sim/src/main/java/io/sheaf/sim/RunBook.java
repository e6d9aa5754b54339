package io.sheaf.sim;

import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps the accounts of a simulated run: who waited, held and used how much. */
final class RunBook {
    private static final class Entry {
        final Request request;
        final long submitted;
        long started = -1;
        long ended = -1;

        Entry(Request request, long submitted) {
            this.request = request;
            this.submitted = submitted;
        }
    }

    private final Workflow workflow;
    private final long start;
    private final int coresPerNode;
    private final boolean recording;
    private final Map<Long, Entry> entries = new LinkedHashMap<>();
    private final List<SimulatedRun.Attempt> attempts = new ArrayList<>();
    private final int[] attempt;
    private final long[] sequence;
    private final long[] token;
    private final int[] node;
    private final long[] since;
    private int running;
    private long idleSince;
    private long perceivedWait;
    private long waits;
    private long held;
    /** In core-milliseconds, to be divided once. */
    private long used;

    private long lastEnd;
    private long lastLevelEnd;
    private int submitted;
    private int expired;

    RunBook(Workflow workflow, long start, int coresPerNode, boolean recording) {
        this.workflow = workflow;
        this.start = start;
        this.coresPerNode = coresPerNode;
        this.recording = recording;
        attempt = new int[workflow.size()];
        sequence = new long[workflow.size()];
        token = new long[workflow.size()];
        node = new int[workflow.size()];
        since = new long[workflow.size()];
        idleSince = start;
        lastEnd = start;
        lastLevelEnd = start;
    }

    void submitted(long job, Request request, long at) {
        entries.put(job, new Entry(request, at));
        submitted++;
    }

    void started(long job, long at) {
        Entry entry = entry(job);
        entry.started = at;
        waits += at - entry.submitted;
        if (running++ == 0) {
            perceivedWait += at - idleSince;
        }
    }

    void ended(long job, long at, boolean byItsWalltime) {
        Entry entry = entry(job);
        entry.ended = at;
        if (entry.started >= 0) {
            held += (at - entry.started) * entry.request.units();
            expired += byItsWalltime ? 1 : 0;
            if (--running == 0) {
                idleSince = at;
            }
        }
        cutOff(job, at);
    }

    /** Attempts that a placeholder took with it. */
    private void cutOff(long job, long at) {
        for (int task = 0; task < attempt.length; task++) {
            if (attempt[task] > 0 && token[task] == job) {
                cutOff(task, at);
            }
        }
    }

    /** The running attempt of a task ends without success. */
    void cutOff(int task, long at) {
        note(task, at, false);
        attempt[task] = -attempt[task];
    }

    boolean knows(long job) {
        return entries.containsKey(job);
    }

    void taskStarted(long job, int onNode, int task, int number, long order, long at) {
        attempt[task] = number;
        sequence[task] = order;
        token[task] = job;
        node[task] = onNode;
        since[task] = at;
    }

    void taskEnded(int task, long at) {
        Resources needed = workflow.resources(task);
        used += (at - since[task]) * needed.cores() * needed.nodes();
        lastEnd = Math.max(lastEnd, at);
        if (workflow.level(task) == workflow.levels() - 1) {
            lastLevelEnd = Math.max(lastLevelEnd, at);
        }
        note(task, at, true);
        attempt[task] = -attempt[task];
    }

    private void note(int task, long at, boolean done) {
        if (recording) {
            attempts.add(new SimulatedRun.Attempt(token[task], task, node[task], since[task], at, done));
        }
    }

    /** The attempt of a task that runs; 0 or less if none does. */
    int attempt(int task) {
        return attempt[task];
    }

    long sequence(int task) {
        return sequence[task];
    }

    long token(int task) {
        return token[task];
    }

    SimulatedRun close(Manager manager) {
        List<SimulatedRun.Job> jobs = new ArrayList<>();
        if (recording) {
            entries.forEach((job, entry) -> jobs.add(new SimulatedRun.Job(
                    job,
                    entry.request.units(),
                    entry.request.walltime(),
                    entry.submitted,
                    entry.started,
                    entry.ended)));
        }
        return new SimulatedRun(
                manager.isOver() && !manager.isFailed(),
                start,
                lastEnd,
                lastLevelEnd,
                waits,
                perceivedWait,
                used / coresPerNode,
                held,
                submitted,
                expired,
                manager.reruns(),
                jobs,
                attempts);
    }

    private Entry entry(long job) {
        Entry entry = entries.get(job);
        if (entry == null) {
            throw new IllegalStateException("no placeholder " + job);
        }
        return entry;
    }
}
