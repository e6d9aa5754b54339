package io.sheaf.strategy;

import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
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
 * in order of submission. Tasks run as long as expected. An overdue task needs as long again as it is late; if the walltime would end before that, it is repeated with twice the
 * time. Cores and other resources are counted, not packed onto nodes. A job's nodes are allocated from its start until its last task ends; a job that gets no task counts for nothing.
 *
 * <p>Moldable tasks run on cores that are chosen by the manager's rule ({@link Molding}) when they start.
 *
 * <p>Tasks that the plan leaves go to its {@linkplain Plan.Fallback fallback jobs}. Made for the instant of one decision; for one thread. Times are in milliseconds.
 */
final class Rollout {
    /** The start of a job that never starts. */
    static final long NEVER = Long.MAX_VALUE / 4;

    /** The result of a simulation. */
    static final class Result {
        private final long end;
        private final long nodeMillis;
        private final boolean complete;
        private final long[] lastEnd;

        Result(long end, long nodeMillis, boolean complete, long... lastEnd) {
            this.end = end;
            this.nodeMillis = nodeMillis;
            this.complete = complete;
            this.lastEnd = lastEnd;
        }

        /** When the last task ends. */
        long end() {
            return end;
        }

        /** Node-milliseconds that are allocated from now on, times the prices of their pools. */
        long nodeMillis() {
            return nodeMillis;
        }

        /** Whether the jobs of the plan run all tasks, without the fallback. */
        boolean isComplete() {
            return complete;
        }

        /** When the last task of the plan's i-th job ends; the job's start if it gets none. */
        long lastEnd(int i) {
            return lastEnd[i];
        }
    }

    private final PlannedTasks tasks;
    /** Null if no task is moldable. */
    private final @Nullable MoldedTasks molded;

    /** The cores and nodes of tasks, on all nodes together; chosen ones if they are moldable. */
    private final long[] cores;

    private final int[] widths;
    private final PoolNodes onNodes;

    private final long now;
    /** The price of a node by pool; that of the cheapest for jobs without a pool. */
    private final double[] prices;
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

    /** The jobs of the plan that is simulated, then fallback jobs; scratch memory like all that follows. */
    private int count;

    private long[] token = new long[8];
    private long[] start = new long[8];
    private long[] limit = new long[8];
    private int[] nodes = new int[8];
    private int[] pool = new int[8];
    private boolean[] cancelled = new boolean[8];
    /** Whether a job starts tasks: neither cancelled nor draining. */
    private boolean[] takes = new boolean[8];

    private long[] lastEnd = new long[8];
    private long[] free = new long[8];
    /** For each other resource the free amount of each job. */
    private final long[][] freeOthers;

    /** Results of {@link #alone} for earlier node counts. */
    private int knownAlone;

    private int[] aloneNodes = new int[16];
    private long[] aloneTaken = new long[16];

    private long end;

    Rollout(PlannedTasks tasks, View view) {
        this.tasks = tasks;
        onNodes = new PoolNodes(tasks, view);
        prices = prices(view.pools());
        freeOthers = new long[tasks.otherCapacity.length][free.length];
        now = view.now();
        mostRoom = view.walltime() == Long.MAX_VALUE ? view.walltime() : Math.max(1, view.walltime() - Move.MINUTE);
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
        return molded == null ? range.maxNodes() : molded.maxNodes(range, onNodes.cores[Pools.ANY]);
    }

    private static double[] prices(Pools pools) {
        double[] prices = new double[pools.count() + 1];
        prices[Pools.ANY] = pools.all().stream().mapToDouble(Pool::price).min().orElse(1);
        for (int number = 1; number <= pools.count(); number++) {
            prices[number] = pools.pool(number).price();
        }
        return prices;
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
        return Math.max(
                1,
                simulate(Plan.empty(new Plan.Fallback(units, 0, walltime, queueWait)))
                                .end()
                        - now);
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
                    open(what - tasks.size);
                } else {
                    finish(what, t);
                    left--;
                }
            }
        }
        return new Result(end, allocated(), complete, Arrays.copyOf(lastEnd, plan.size()));
    }

    private void begin(Plan plan) {
        System.arraycopy(missingAtFirst, 0, missing, 0, missing.length);
        System.arraycopy(readyAtFirst, 0, ready, 0, ready.length);
        events.clear();
        end = now;
        count = 0;
        if (molded != null) {
            molded.restart();
        }
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            add(job.token(), job.start(), job.limit(), job.nodes());
            cancelled[i] = job.cancelled();
            pool[i] = Math.min(job.pool(), prices.length - 1);
            takes[i] = !job.cancelled() && !job.draining();
            lastEnd[i] = Math.max(now, start[i]);
            if (!cancelled[i] && start[i] <= now) {
                open(i);
            } else if (!cancelled[i] && start[i] < NEVER) {
                events.add(start[i], -1, tasks.size + i);
            }
        }
        for (int r = 0; r < runs; r++) {
            resume(r);
        }
    }

    /** The tasks that are left at t go to the next fallback job. */
    private void addFallback(Plan plan, long t) {
        Plan.Fallback fallback = plan.fallback();
        boolean first = count == plan.size();
        boolean single = fallback.walltime() == Long.MAX_VALUE;
        long submitted = single ? t : first ? now : start[count - 1];
        long from = Math.max(t, submitted + (first ? fallback.delay() : fallback.queueWait()));
        // A task that is too long for these jobs needs one in another pool, which allows it.
        boolean tooShort = !first && lastEnd[count - 1] == start[count - 1];
        long until = single || tooShort ? Long.MAX_VALUE : from + fallback.walltime();
        int i = add(Plan.Job.NO_TOKEN, from, until, fallback.nodes());
        events.add(start[i], -1, tasks.size + i);
    }

    private int add(long itsToken, long itsStart, long itsLimit, int units) {
        if (count == token.length) {
            grow();
        }
        token[count] = itsToken;
        start[count] = itsStart;
        limit[count] = itsLimit;
        nodes[count] = units;
        cancelled[count] = false;
        pool[count] = Pools.ANY;
        takes[count] = true;
        free[count] = 0;
        for (long[] each : freeOthers) {
            each[count] = 0;
        }
        lastEnd[count] = itsStart;
        return count++;
    }

    private void grow() {
        int size = 2 * count;
        token = Arrays.copyOf(token, size);
        start = Arrays.copyOf(start, size);
        limit = Arrays.copyOf(limit, size);
        nodes = Arrays.copyOf(nodes, size);
        pool = Arrays.copyOf(pool, size);
        cancelled = Arrays.copyOf(cancelled, size);
        takes = Arrays.copyOf(takes, size);
        lastEnd = Arrays.copyOf(lastEnd, size);
        free = Arrays.copyOf(free, size);
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r] = Arrays.copyOf(freeOthers[r], size);
        }
    }

    private long allocated() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long used = cancelled[i] ? 0 : nodes[i] * Math.max(0, lastEnd[i] - Math.max(now, start[i]));
            sum += prices[pool[i]] == 1 ? used : Math.round(used * prices[pool[i]]);
        }
        return sum;
    }

    private void open(int i) {
        free[i] = (long) nodes[i] * onNodes.cores[pool[i]];
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r][i] = nodes[i] * onNodes.others[pool[i]][r];
        }
    }

    /** Allocates cores and other resources of a job to a task or, with sign −1, frees them. */
    private void count(int i, int at, int sign) {
        free[i] -= sign * cores[at];
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r][i] -= (long) sign * widths[at] * onNodes.blocked[pool[i]][r][tasks.kind[at]];
        }
    }

    private boolean hasOthers(int i, int at, int width) {
        if (!onNodes.has(pool[i], tasks.kind[at])) {
            return false;
        }
        for (int r = 0; r < freeOthers.length; r++) {
            if (freeOthers[r][i] < width * onNodes.blocked[pool[i]][r][tasks.kind[at]]) {
                return false;
            }
        }
        return true;
    }

    /** Continues a running task; drops one whose pilot job is ending. */
    private void resume(int r) {
        int at = runningTask[r];
        int place = -1;
        for (int i = 0; i < count && place < 0; i++) {
            place = token[i] == runningIn[r] ? i : -1;
        }
        place = place >= 0 && cancelled[place] ? -1 : place;
        placeOf[at] = place;
        if (molded != null) {
            choose(at, molded.variantOf(at));
            molded.began(at, place, cores[at], runningEnd[r]);
        }
        if (place >= 0) {
            count(place, at, 1);
            lastEnd[place] = Math.max(lastEnd[place], Math.min(limit[place], runningEnd[r]));
            if (runningEnd[r] > limit[place]) {
                // It will be cut off and repeated.
                events.add(Math.max(now, limit[place]), at, -1 - at);
                return;
            }
        }
        events.add(runningEnd[r], at, at);
    }

    private void finish(int at, long t) {
        int place = placeOf[at];
        if (place >= 0) {
            count(place, at, -1);
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

    private void assign(long t) {
        long most = mostRoom(t);
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
                    most = free[place] == 0 ? mostRoom(t) : most;
                }
            }
        }
    }

    /** The longest remaining walltime of the jobs with a free core for new tasks; −1 if there is none. */
    private long mostRoom(long t) {
        long most = -1;
        for (int i = 0; i < count; i++) {
            if (free[i] > 0 && takes[i]) {
                most = Math.max(most, limit[i] - t);
            }
        }
        return most;
    }

    private int place(int at, long t) {
        if (molded != null && molded.isMoldable(at)) {
            return placeMolded(molded, at);
        }
        long needed = cores[at];
        long ends = t + room[at];
        int least = widths[at];
        for (int i = 0; i < count; i++) {
            if (free[i] >= needed && ends <= limit[i] && least <= nodes[i] && takes[i] && hasOthers(i, at, least)) {
                return i;
            }
        }
        return -1;
    }

    /** The first job in which a moldable task starts now on chosen cores; −1 if it waits. */
    private int placeMolded(MoldedTasks choices, int at) {
        choices.limit(at);
        for (int i = 0; i < count; i++) {
            if (takes[i] && free[i] > 0) {
                int variant = choices.variant(at, i, free[i], nodes[i], limit[i]);
                if (variant >= 0 && hasOthers(i, at, choices.nodes(variant))) {
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
        for (int i = 0; i < count; i++) {
            if (takes[i] && start[i] <= t && t < limit[i]) {
                all += (long) nodes[i] * onNodes.cores[pool[i]];
                unused += free[i];
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
        count(place, at, 1);
        lastEnd[place] = Math.max(lastEnd[place], ends);
        placeOf[at] = place;
        events.add(ends, at, at);
    }

    private static void add(long[] set, int rank) {
        set[rank >> 6] |= 1L << rank;
    }
}
