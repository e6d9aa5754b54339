package io.sheaf.strategy;

import io.sheaf.batch.InstantHeap;
import io.sheaf.manager.Molding;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the unfinished tasks of a run forward over a {@link Plan}. Pure from outside: equal plans have equal results.
 *
 * <h2>Model</h2>
 * Jobs start when the plan says. As in the manager, a free core starts the ready task that is first in rank and expected to end before the walltime; jobs take tasks
 * in order of submission, or while run times are uncertain the one with the most time left first. Tasks run as long as expected. An overdue task needs as long again as it is late; if the walltime would end before that, it is repeated with twice the
 * time. Cores and other resources are counted, not packed onto nodes. A job's nodes are allocated from its start until its last task ends; a job that gets no task counts for nothing.
 *
 * <p>Moldable tasks run on cores that are chosen by the manager's rule ({@link Molding}) when they start.
 *
 * <p>Tasks that the plan leaves go to its {@linkplain Plan.Fallback fallback jobs}. Made for the instant of one decision; for one thread. Times are in milliseconds.
 */
final class Rollout {
    /** The start of a job that never starts. */
    static final long NEVER = Long.MAX_VALUE / 4;

    /**
     * The result of a simulation.
     *
     * @param end when the last task ends
     * @param nodeMillis node-milliseconds that are allocated from now on, times the prices of their pools
     * @param isComplete whether the jobs of the plan run all tasks, without the fallback
     * @param kindsLeft the number of different needs of the tasks that the plan leaves to its fallback, where no node has all that tasks need; else 0
     * @param lastEnds when the last task of each job of the plan ends; the job's start if it gets none
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Result(long end, long nodeMillis, boolean isComplete, int kindsLeft, long... lastEnds) {
        long lastEnd(int i) {
            return lastEnds[i];
        }
    }

    private final PlannedTasks tasks;
    /** Null if no task is moldable. */
    private final @Nullable MoldedTasks molded;

    /** The cores and nodes of tasks, on all nodes together; chosen ones if they are moldable. */
    private final long[] cores;

    private final int[] widths;

    private final long now;
    /** Whether the job with the most time left takes tasks first. */
    private final boolean uncertain;

    /** The greatest remaining walltime that a task may need. */
    private final long mostRoom;

    private final int[] missingAtFirst;
    private final long[] readyAtFirst;
    private final int unfinished;
    /** Tasks that run: position, pilot job's token, expected end. */
    private final int[] runningTask;

    private final long[] runningIn;
    private final long[] runningEnd;
    private final int runs;

    /** Expected run times. */
    private final long[] millis;

    /** The remaining walltime that a task needs to be started; the minimum for each 64 ranks. */
    private final long[] room;

    private final long[] leastRoom;

    private final int[] missing;
    private final long[] ready;
    private final int[] placeOf;
    private final InstantHeap events = new InstantHeap();
    private final RolloutJobs jobs;

    /** Results of {@link #alone} for earlier node counts. */
    private int knownAlone;

    private int[] aloneNodes = new int[16];
    private long[] aloneTaken = new long[16];

    private long end;

    /** The kinds of ready tasks that fallback jobs run, counted where no pool has nodes for all tasks. */
    private final boolean @Nullable [] leftKind;

    private int kindsLeft;
    /** The number of jobs of the plan; later ones are fallback jobs. */
    private int planned;

    Rollout(PlannedTasks tasks, View view) {
        this.tasks = tasks;
        jobs = new RolloutJobs(tasks, view);
        leftKind = view.pools().areEachTooSmall(view.node()) ? new boolean[tasks.kindCores.length] : null;
        now = view.now();
        uncertain = view.hasUncertainTimes();
        mostRoom = view.longestRoom();
        missing = new int[tasks.size];
        missingAtFirst = new int[tasks.size];
        placeOf = new int[tasks.size];
        ready = new long[(tasks.size >> 6) + 1];
        readyAtFirst = new long[ready.length];
        int[] running = new int[16];
        int found = 0;
        int left = 0;
        millis = tasks.millis.clone();
        molded = tasks.molding == null ? null : new MoldedTasks(tasks.molding, tasks);
        cores = molded == null ? tasks.cores : tasks.cores.clone();
        widths = molded == null ? tasks.nodes : tasks.nodes.clone();
        room = new long[tasks.size];
        Arrays.fill(room, Long.MAX_VALUE);
        for (int at = 0; at < tasks.size; at++) {
            int task = tasks.taskAt[at];
            if (view.isDone(task)) {
                continue;
            }
            left++;
            // Tasks whose observed times are below the user's limits are simulated with the observed times.
            room[at] = view.room(task);
            millis[at] = Math.max(Math.min(millis[at], room[at]), view.atLeast(task));
            room[at] = molded == null ? room[at] : molded.left(at, millis[at], room[at], view);
            if (view.isRunning(task)) {
                running = found == running.length ? Arrays.copyOf(running, 2 * found) : running;
                running[found++] = at;
            } else if (view.isReady(task)) {
                add(readyAtFirst, tasks.rank[at]);
            } else {
                for (int p = tasks.parentStart[at]; p < tasks.parentStart[at + 1]; p++) {
                    missingAtFirst[at] += view.isDone(tasks.taskAt[tasks.parents[p]]) ? 0 : 1;
                }
            }
        }
        leastRoom = new long[ready.length];
        unfinished = left;
        runs = found;
        runningTask = running;
        runningIn = new long[found];
        runningEnd = new long[found];
        for (int i = 0; i < found; i++) {
            int task = tasks.taskAt[running[i]];
            runningIn[i] = view.runsIn(task);
            runningEnd[i] = expectedEnd(view.startedAt(task), running[i]);
        }
        Arrays.fill(leastRoom, Long.MAX_VALUE);
        for (int at = 0; at < tasks.size; at++) {
            int word = tasks.rank[at] >> 6;
            leastRoom[word] = Math.min(leastRoom[word], room[at]);
        }
    }

    /** The fewest nodes on which each task of some levels fits. */
    int minNodes(LevelRange range) {
        return molded == null ? range.minNodes() : molded.minNodes(range);
    }

    /** The nodes on which some levels can run all their tasks at once. */
    int maxNodes(LevelRange range) {
        return molded == null ? range.maxNodes() : molded.maxNodes(range, jobs.coresOfAnyNode());
    }

    /** An overdue task is expected to need as long again as it is late. */
    private long expectedEnd(long startedAt, int at) {
        long expected = molded == null ? millis[at] : molded.running(at);
        long due = startedAt + expected;
        long end = Math.max(due, now + (now - due));
        long longer = Math.max(expected, 2 * (now - startedAt));
        room[at] = Math.min(mostRoom, room[at] + longer - expected);
        millis[at] = longer;
        if (molded != null) {
            molded.lengthen(at, expected, longer, mostRoom);
        }
        return end;
    }

    /** The same as {@link #alone(int)} with the nodes of a pool. */
    long alone(int units, int itsPool) {
        Plan only = Plan.empty(Plan.Fallback.of(units, 0))
                .with(Plan.Job.toSubmit(Request.of(units, NEVER).in(itsPool), now));
        return Math.max(1, simulate(only).lastEnd(0) - now);
    }

    /**
     * The time in which a job of some nodes, started now and without a walltime limit, would end all unfinished tasks, in milliseconds; at least 1. Tasks that run go on in the jobs
     * where they are.
     */
    long alone(int units) {
        for (int k = 0; k < knownAlone; k++) {
            if (aloneNodes[k] == units) {
                return aloneTaken[k];
            }
        }
        if (knownAlone == aloneNodes.length) {
            aloneNodes = Arrays.copyOf(aloneNodes, 2 * knownAlone);
            aloneTaken = Arrays.copyOf(aloneTaken, 2 * knownAlone);
        }
        Plan only = Plan.empty(Plan.Fallback.of(units, 0)).with(Plan.Job.toSubmit(units, NEVER, now));
        aloneNodes[knownAlone] = units;
        aloneTaken[knownAlone] = Math.max(1, simulate(only).lastEnd(0) - now);
        return aloneTaken[knownAlone++];
    }

    /** The time in which a chain of equal jobs, the first of which starts now, would end all unfinished tasks, in milliseconds; at least 1. */
    long chained(int units, long walltime, long queueWait) {
        Plan chain = Plan.empty(new Plan.Fallback(units, 0, walltime, queueWait));
        return Math.max(1, simulate(chain).end() - now);
    }

    /** Simulates the unfinished tasks over a plan until none is left. */
    Result simulate(Plan plan) {
        begin(plan);
        boolean complete = true;
        int left = unfinished;
        long t = now;
        while (true) {
            assign(t);
            if (events.isEmpty()) {
                if (left == 0) {
                    break;
                }
                complete = false;
                addFallback(plan, t);
            }
            t = events.first();
            while (events.first() == t) {
                int what = events.remove();
                if (what < 0) {
                    add(ready, tasks.rank[-1 - what]);
                    if (molded != null) {
                        molded.remove(-1 - what);
                    }
                } else if (what >= tasks.size) {
                    jobs.open(what - tasks.size);
                } else {
                    finish(what, t);
                    left--;
                }
            }
        }
        return new Result(end, jobs.allocated(now), complete, kindsLeft, Arrays.copyOf(jobs.lastEnd, plan.size()));
    }

    private void begin(Plan plan) {
        System.arraycopy(missingAtFirst, 0, missing, 0, missing.length);
        System.arraycopy(readyAtFirst, 0, ready, 0, ready.length);
        events.clear();
        end = now;
        planned = plan.size();
        kindsLeft = 0;
        if (leftKind != null) {
            Arrays.fill(leftKind, false);
        }
        jobs.begin(plan, now);
        if (molded != null) {
            molded.restart();
        }
        for (int i = 0; i < plan.size(); i++) {
            if (!jobs.cancelled[i] && jobs.start[i] <= now) {
                jobs.open(i);
            } else if (!jobs.cancelled[i] && jobs.start[i] < NEVER) {
                events.add(jobs.start[i], -1, tasks.size + i);
            }
        }
        for (int r = 0; r < runs; r++) {
            resume(r);
        }
    }

    /** The tasks that are left at t go to the next fallback job. */
    private void addFallback(Plan plan, long t) {
        Plan.Fallback fallback = plan.fallback;
        int last = jobs.count - 1;
        boolean first = jobs.count == plan.size();
        boolean single = fallback.walltime() == Long.MAX_VALUE;
        long submitted = single ? t : first ? now : jobs.start[last];
        long from = Math.max(t, submitted + (first ? fallback.delay() : fallback.queueWait()));
        // A task that is too long for these jobs needs one in another pool, which allows it.
        boolean tooShort = !first && jobs.lastEnd[last] == jobs.start[last];
        long until = single || tooShort ? Long.MAX_VALUE : from + fallback.walltime();
        int i = jobs.add(Plan.Job.NO_TOKEN, from, until, fallback.nodes());
        events.add(from, -1, tasks.size + i);
    }

    /** Continues a running task; drops one whose pilot job is ending. */
    private void resume(int r) {
        int at = runningTask[r];
        int place = jobs.find(runningIn[r]);
        placeOf[at] = place;
        if (molded != null) {
            choose(at, molded.variantOf(at));
            molded.began(at, place, cores[at], runningEnd[r]);
        }
        if (place >= 0) {
            allocate(place, at, 1);
            long limit = jobs.limit[place];
            jobs.lastEnd[place] = Math.max(jobs.lastEnd[place], Math.min(limit, runningEnd[r]));
            if (runningEnd[r] > limit) {
                // It will be cut off and repeated.
                events.add(Math.max(now, limit), at, -1 - at);
                return;
            }
        }
        events.add(runningEnd[r], at, at);
    }

    private void finish(int at, long t) {
        int place = placeOf[at];
        if (place >= 0) {
            allocate(place, at, -1);
        }
        end = Math.max(end, t);
        if (molded != null) {
            molded.finished(at);
        }
        for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1]; c++) {
            if (--missing[tasks.children[c]] == 0) {
                add(ready, tasks.rank[tasks.children[c]]);
            }
        }
    }

    private void allocate(int place, int at, int sign) {
        jobs.allocate(place, cores[at], widths[at], tasks.kind[at], sign);
    }

    private void assign(long t) {
        long most = jobs.mostRoom(t);
        if (molded != null && most >= 0) {
            sumUp(molded, t);
        }
        for (int word = 0; word < ready.length && most >= 0; word++) {
            long bits = leastRoom[word] <= most ? ready[word] : 0;
            while (bits != 0 && most >= 0) {
                int rank = (word << 6) + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                int at = tasks.atRank[rank];
                int place = room[at] <= most ? place(at, t) : -1;
                if (place >= 0) {
                    ready[word] &= ~(1L << rank);
                    begin(at, place, t);
                    most = jobs.free[place] == 0 ? jobs.mostRoom(t) : most;
                }
            }
        }
    }

    private int place(int at, long t) {
        if (molded != null && molded.isMoldable(at)) {
            return placeMolded(molded, at);
        }
        long needed = cores[at];
        long ends = t + room[at];
        int least = widths[at];
        int best = -1;
        for (int i = 0; i < jobs.count; i++) {
            if (jobs.free[i] >= needed
                    && ends <= jobs.limit[i]
                    && least <= jobs.nodes[i]
                    && jobs.takes[i]
                    && jobs.hasOthers(i, least, tasks.kind[at], tasks.kindCores[tasks.kind[at]])) {
                if (!uncertain) {
                    return i;
                }
                best = best < 0 || jobs.limit[i] > jobs.limit[best] ? i : best;
            }
        }
        return best;
    }

    /** The first job in which a moldable task starts now on chosen cores; −1 if it waits. */
    private int placeMolded(MoldedTasks choices, int at) {
        choices.limit(at);
        for (int i = 0; i < jobs.count; i++) {
            if (jobs.takes[i] && jobs.free[i] > 0) {
                int variant = choices.variant(at, i, jobs);
                if (variant >= 0
                        && jobs.hasOthers(i, choices.nodes(variant), tasks.kind[at], choices.coresOnEach(variant))) {
                    choose(at, variant);
                    return i;
                }
            }
        }
        return -1;
    }

    /** Sets the cores of a task; −1 for the declared ones. */
    private void choose(int at, int variant) {
        if (molded != null) {
            cores[at] = variant < 0 ? tasks.cores[at] : molded.cores(variant);
            widths[at] = variant < 0 ? tasks.nodes[at] : molded.nodes(variant);
            molded.choose(at, variant);
        }
    }

    /** Begins an instant for moldable tasks with the cores of the jobs that run and start tasks. */
    private void sumUp(MoldedTasks choices, long t) {
        long all = 0;
        long unused = 0;
        for (int i = 0; i < jobs.count; i++) {
            if (jobs.takes[i] && jobs.start[i] <= t && t < jobs.limit[i]) {
                all += jobs.cores(i);
                unused += jobs.free[i];
            }
        }
        choices.at(t, all, unused, ready);
    }

    private void begin(int at, int place, long t) {
        long ends = t + (molded == null ? millis[at] : molded.millis(at));
        if (molded != null) {
            molded.took(at, cores[at]);
            molded.began(at, place, cores[at], ends);
        }
        allocate(place, at, 1);
        if (leftKind != null && place >= planned && missingAtFirst[at] == 0 && !leftKind[tasks.kind[at]]) {
            leftKind[tasks.kind[at]] = true;
            kindsLeft++;
        }
        jobs.lastEnd[place] = Math.max(jobs.lastEnd[place], ends);
        placeOf[at] = place;
        events.add(ends, at, at);
    }

    private static void add(long[] set, int rank) {
        set[rank >> 6] |= 1L << rank;
    }
}
