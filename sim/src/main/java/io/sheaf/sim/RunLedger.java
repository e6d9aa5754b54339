package io.sheaf.sim;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.report.RunLog;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Accounts for waits, allocated and used node time of a simulated run. */
final class RunLedger {
    private static final String STUCK = "it has no queued or running job, and its strategy submits none";

    private static final class LedgerEntry {
        final Request request;
        final long submitted;
        /** As it was requested or shortened. */
        long walltime;

        long started = -1;
        /** The number of tasks that run in it. */
        int tasks;

        LedgerEntry(Request request, long submitted) {
            this.request = request;
            this.submitted = submitted;
            walltime = request.walltime();
        }
    }

    private final Workflow workflow;
    private final long start;
    private final int coresPerNode;
    /** Null unless requested, because it costs time. */
    private final @Nullable RunLog log;

    private final Map<Long, LedgerEntry> entries = new HashMap<>();
    private final int[] attempt;
    private final long[] sequence;
    private final long[] token;
    private final long[] since;
    private final @Nullable Resources[] needs;
    private int running;
    private long idleSince;
    private long perceivedWait;
    private long waits;
    private long held;
    /** In core-milliseconds, to be divided once. */
    private long used;
    /** The same of tasks that shared cores, in thousandths of a core. */
    private long usedShares;

    private long lastEnd;
    private long lastLevelEnd;
    private int submitted;
    private int expired;
    private int cancelledQueued;
    private long givenBack;

    RunLedger(Workflow workflow, long start, int coresPerNode, Pools pools, boolean recording) {
        this.workflow = workflow;
        this.start = start;
        this.coresPerNode = coresPerNode;
        log = recording ? new RunLog(pools) : null;
        attempt = new int[workflow.size()];
        sequence = new long[workflow.size()];
        token = new long[workflow.size()];
        since = new long[workflow.size()];
        needs = new Resources[workflow.size()];
        idleSince = start;
        lastEnd = start;
        lastLevelEnd = start;
    }

    void submitted(long job, Request request, long at) {
        entries.put(job, new LedgerEntry(request, at));
        submitted++;
        if (log != null) {
            log.submitted(job, request, at);
        }
    }

    void refused(long job, Request request, long at) {
        if (log != null) {
            log.submitted(job, request, at);
            log.refused(job, at);
        }
    }

    void shortened(long job, long walltime) {
        entry(job).walltime = walltime;
        if (log != null) {
            log.shortened(job, walltime);
        }
    }

    void started(long job, long at) {
        LedgerEntry entry = entry(job);
        entry.started = at;
        waits += at - entry.submitted;
        if (running++ == 0) {
            perceivedWait += at - idleSince;
        }
        if (log != null) {
            log.started(job, at);
        }
    }

    void ended(long job, long at, Event.End end) {
        LedgerEntry entry = entry(job);
        if (entry.started >= 0) {
            held += (at - entry.started) * entry.request.units();
            givenBack += Math.max(0, entry.walltime - (at - entry.started)) * entry.request.units();
            expired += end == Event.End.EXPIRED ? 1 : 0;
            if (--running == 0) {
                idleSince = at;
            }
        } else {
            cancelledQueued++;
        }
        if (entry.tasks > 0) {
            cutOff(job, at);
        }
        if (log != null) {
            log.ended(job, at, end);
        }
    }

    /** Ends the attempts of an ended pilot job. */
    private void cutOff(long job, long at) {
        for (int task = 0; task < attempt.length; task++) {
            if (attempt[task] > 0 && token[task] == job) {
                cutOff(task, at, Event.Outcome.CUT_OFF);
            }
        }
    }

    /** The running attempt of a task ends without success. */
    void cutOff(int task, long at, Event.Outcome outcome) {
        entry(token[task]).tasks--;
        note(task, at, outcome);
        attempt[task] = -attempt[task];
    }

    boolean contains(long job) {
        return entries.containsKey(job);
    }

    void taskStarted(long job, int[] nodes, Resources needed, int task, int number, long order, long at) {
        entry(job).tasks++;
        attempt[task] = number;
        sequence[task] = order;
        token[task] = job;
        since[task] = at;
        needs[task] = needed;
        if (log != null) {
            log.taskStarted(job, nodes, task, at, needed);
        }
    }

    void taskEnded(int task, long at) {
        entry(token[task]).tasks--;
        Resources needed = needs(task);
        used += needed.isShare() ? 0 : (at - since[task]) * needed.cores() * needed.nodes();
        usedShares += (at - since[task]) * needed.share();
        lastEnd = Math.max(lastEnd, at);
        if (workflow.level(task) == workflow.levels() - 1) {
            lastLevelEnd = Math.max(lastLevelEnd, at);
        }
        note(task, at, Event.Outcome.SUCCEEDED);
        attempt[task] = -attempt[task];
    }

    private void note(int task, long at, Event.Outcome outcome) {
        if (log != null) {
            log.taskEnded(task, at, outcome);
        }
    }

    /** The running attempt of a task; 0 or less if there is none. */
    int attempt(int task) {
        return attempt[task];
    }

    long sequence(int task) {
        return sequence[task];
    }

    long token(int task) {
        return token[task];
    }

    /** The start of the running attempt of a task, or of the last one. */
    long since(int task) {
        return since[task];
    }

    /** What the running or last attempt of a task was allocated. */
    Resources needs(int task) {
        return Objects.requireNonNullElseGet(needs[task], () -> workflow.resources(task));
    }

    SimulatedRun close(Manager manager) {
        boolean completed = manager.isFinished() && !manager.isFailed();
        return new SimulatedRun(
                completed,
                completed ? "" : manager.isFailed() ? "a task failed" : STUCK,
                start,
                lastEnd,
                lastLevelEnd,
                waits,
                perceivedWait,
                (used + usedShares / Resources.CORE) / coresPerNode,
                held,
                submitted,
                expired,
                manager.reruns(),
                cancelledQueued,
                givenBack,
                log == null ? List.of() : log.jobs(),
                log == null ? List.of() : log.attempts(),
                BackgroundWait.UNKNOWN);
    }

    private LedgerEntry entry(long job) {
        LedgerEntry entry = entries.get(job);
        if (entry == null) {
            throw new IllegalStateException("no pilot job " + job);
        }
        return entry;
    }
}
