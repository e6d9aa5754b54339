package io.sheaf.strategy;

import io.sheaf.batch.InstantHeap;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a workflow, played on over a set of pilot jobs that start when they are expected to: when it would end, and how long nodes
 * would be held.
 *
 * <p>It does what the manager does: a core that is free takes the ready task that is first in rank and expected to end before the walltime;
 * pilot jobs take tasks in order of submission. Tasks take the time that is expected of them; one that is overdue needs as long again as it is late, and one
 * that would then be cut off is made again and given twice the time. A pilot job is held from its start until its last task ends, and one that gets no task not at all. Where nodes have several cores they
 * are counted, not packed.
 *
 * <p>What the set cannot do is left for a job like the one that would be asked for all that is left now, submitted when the set has nothing more to do. Made for
 * the instant of a decision, by one thread.
 */
final class Rollout {
    /** The start of a pilot job that never starts. */
    static final long NEVER = Long.MAX_VALUE / 4;

    private final PlannedTasks tasks;
    /** In parts of cores where tasks share them, like all that is counted here. */
    private final int coresPerNode;

    private final View view;
    private final long now;
    private final int[] missingAtFirst;
    private final long[] readyAtFirst;
    private final int unfinished;
    /** Tasks that run: position, pilot job's token, expected end. */
    private final int[] runningTask;

    private final long[] runningIn;
    private final long[] runningEnd;
    private final int runs;

    /** How long tasks are expected to take. */
    private final long[] millis;

    /** How much of a pilot job's time must be left for a task to be begun; for 64 ranks together the least. */
    private final long[] room;

    private final long[] leastRoom;

    private final int[] missing;
    private final long[] ready;
    private final int[] placeOf;
    private final InstantHeap events = new InstantHeap();

    /** The set: for each pilot job its token, start, limit, nodes. */
    private int count;

    private long[] token = new long[8];
    private long[] start = new long[8];
    private long[] limit = new long[8];
    private int[] nodes = new int[8];
    private boolean[] out = new boolean[8];
    private boolean[] draining = new boolean[8];

    private long[] lastEnd = new long[8];
    private long[] free = new long[8];

    /** How long node counts would take alone, as far as that was asked. */
    private int knownAlone;

    private int[] aloneNodes = new int[16];
    private long[] aloneTaken = new long[16];

    private long restDelay;
    private int restNodes = 1;
    private boolean rested;
    private long end;
    private long held;

    Rollout(PlannedTasks tasks, View view) {
        this.tasks = tasks;
        coresPerNode = tasks.coreParts.of(view.coresPerNode());
        this.view = view;
        now = view.now();
        missing = new int[tasks.size];
        missingAtFirst = new int[tasks.size];
        placeOf = new int[tasks.size];
        ready = new long[(tasks.size >> 6) + 1];
        readyAtFirst = new long[ready.length];
        int[] running = new int[16];
        int found = 0;
        int left = 0;
        millis = tasks.millis.clone();
        room = new long[tasks.size];
        Arrays.fill(room, Long.MAX_VALUE);
        for (int at = 0; at < tasks.size; at++) {
            int task = tasks.taskAt[at];
            if (view.isDone(task)) {
                continue;
            }
            left++;
            // What was seen to take less than was allowed for is played with that.
            room[at] = view.room(task);
            millis[at] = Math.max(Math.min(millis[at], room[at]), view.atLeast(task));
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

    /** A task that is overdue is taken to need as long again as it is late. */
    private long expectedEnd(long startedAt, int at) {
        long due = startedAt + millis[at];
        long end = Math.max(due, now + (now - due));
        long longer = Math.max(millis[at], 2 * (now - startedAt));
        room[at] += longer - millis[at];
        millis[at] = longer;
        return end;
    }

    // --- the set ---

    /** Adds a pilot job that is there; the start of a queued one is what is expected. */
    void add(PilotJob p, long expectedStart) {
        int i = add(
                p.token(),
                expectedStart,
                expectedStart + p.request().walltime(),
                p.request().units());
        draining[i] = p.isDraining();
    }

    /** Adds a pilot job that might be asked for; returns its number. */
    int add(long itsToken, long expectedStart, long itsLimit, int units) {
        if (count == token.length) {
            grow();
        }
        token[count] = itsToken;
        start[count] = expectedStart;
        limit[count] = itsLimit;
        nodes[count] = units;
        out[count] = false;
        draining[count] = false;
        return count++;
    }

    private void grow() {
        int size = 2 * count;
        token = Arrays.copyOf(token, size);
        start = Arrays.copyOf(start, size);
        limit = Arrays.copyOf(limit, size);
        nodes = Arrays.copyOf(nodes, size);
        out = Arrays.copyOf(out, size);
        draining = Arrays.copyOf(draining, size);
        lastEnd = Arrays.copyOf(lastEnd, size);
        free = Arrays.copyOf(free, size);
    }

    /** Takes away the one that was added last. */
    void removeLast() {
        count--;
    }

    int size() {
        return count;
    }

    long token(int i) {
        return token[i];
    }

    /** The i-th pilot job; null if it is only thought of. */
    @Nullable
    PilotJob pilotJob(int i) {
        for (int k = 0; k < view.pilotJobs(); k++) {
            if (view.pilotJob(k).token() == token[i]) {
                return view.pilotJob(k);
            }
        }
        return null;
    }

    /** When one starts of which an estimator has told this: one of which nothing is known may start at any moment. */
    long expected(long told) {
        return told == Long.MAX_VALUE ? now : Math.max(now, told);
    }

    int nodes(int i) {
        return nodes[i];
    }

    /** When it starts, as far as is expected. */
    long start(int i) {
        return start[i];
    }

    /** Whether it is left out. */
    boolean isLeftOut(int i) {
        return out[i];
    }

    /** The number of a pilot job that is there; −1 if it is not. */
    int number(long itsToken) {
        for (int i = 0; i < count; i++) {
            if (token[i] == itsToken) {
                return i;
            }
        }
        return -1;
    }

    /** One that is queued starts at another time. */
    void expect(long itsToken, long expectedStart) {
        int i = number(itsToken);
        if (i >= 0) {
            limit[i] += expectedStart - start[i];
            start[i] = expectedStart;
        }
    }

    /** Lets one take no more tasks, or again. */
    void drain(int i, boolean now) {
        draining[i] = now;
    }

    /** Leaves one out, or takes it in again. */
    void leaveOut(int i, boolean left) {
        out[i] = left;
    }

    /** What the set cannot do would go to a job of so many nodes, that starts so long after it was asked for. */
    void rest(int units, long delay) {
        restNodes = units;
        restDelay = delay;
    }

    /** How long a pilot job of so many nodes would take for all that is left, if it started now and nothing else were there but the tasks that run. */
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
        aloneNodes[knownAlone] = units;
        aloneTaken[knownAlone] = playAlone(units);
        return aloneTaken[knownAlone++];
    }

    private long playAlone(int units) {
        int before = count;
        boolean[] left = Arrays.copyOf(out, before);
        Arrays.fill(out, 0, before, true);
        int only = add(0, now, Long.MAX_VALUE, units);
        play();
        long taken = lastEnd[only] - now;
        count = before;
        System.arraycopy(left, 0, out, 0, before);
        return Math.max(1, taken);
    }

    // --- what came of the last play ---

    /** When the last task ends. */
    long end() {
        return end;
    }

    /** Node-milliseconds held from now on. */
    long held() {
        return held;
    }

    /** Whether the set could not do all of it. */
    boolean leftARest() {
        return rested;
    }

    /** When the i-th pilot job is not needed any more; its start if it never is. */
    long lastEnd(int i) {
        return lastEnd[i];
    }

    /** Plays on until no task is left. */
    void play() {
        System.arraycopy(missingAtFirst, 0, missing, 0, missing.length);
        System.arraycopy(readyAtFirst, 0, ready, 0, ready.length);
        events.clear();
        end = now;
        rested = false;
        for (int i = 0; i < count; i++) {
            free[i] = 0;
            lastEnd[i] = Math.max(now, start[i]);
            if (!out[i] && start[i] <= now) {
                open(i);
            } else if (!out[i] && start[i] < NEVER) {
                events.add(start[i], -1, tasks.size + i);
            }
        }
        for (int r = 0; r < runs; r++) {
            resume(r);
        }
        int left = unfinished;
        long t = now;
        while (true) {
            assign(t);
            if (events.isEmpty()) {
                if (left == 0) {
                    break;
                }
                // What is left goes to a job that is asked for now.
                rested = true;
                int rest = add(-1, t + restDelay, Long.MAX_VALUE, restNodes);
                free[rest] = 0;
                lastEnd[rest] = start[rest];
                events.add(start[rest], -1, tasks.size + rest);
            }
            t = events.first();
            while (events.first() == t) {
                int what = events.remove();
                if (what < 0) {
                    add(ready, tasks.rank[-1 - what]);
                } else if (what >= tasks.size) {
                    open(what - tasks.size);
                } else {
                    finish(what, t);
                    left--;
                }
            }
        }
        held = 0;
        for (int i = 0; i < count; i++) {
            held += out[i] ? 0 : nodes[i] * Math.max(0, lastEnd[i] - Math.max(now, start[i]));
        }
        while (count > 0 && token[count - 1] == -1) {
            count--;
        }
    }

    private void open(int i) {
        free[i] = (long) nodes[i] * coresPerNode;
    }

    /** A task that runs goes on where it is; one whose pilot job is going keeps nothing. */
    private void resume(int r) {
        int at = runningTask[r];
        int place = -1;
        for (int i = 0; i < count && place < 0; i++) {
            place = token[i] == runningIn[r] ? i : -1;
        }
        place = place >= 0 && out[place] ? -1 : place;
        placeOf[at] = place;
        if (place >= 0) {
            free[place] -= tasks.cores[at];
            lastEnd[place] = Math.max(lastEnd[place], Math.min(limit[place], runningEnd[r]));
            if (runningEnd[r] > limit[place]) {
                // It will be cut off, and made again.
                events.add(Math.max(now, limit[place]), at, -1 - at);
                return;
            }
        }
        events.add(runningEnd[r], at, at);
    }

    private void finish(int at, long t) {
        int place = placeOf[at];
        if (place >= 0) {
            free[place] += tasks.cores[at];
        }
        end = Math.max(end, t);
        for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1]; c++) {
            if (--missing[tasks.children[c]] == 0) {
                add(ready, tasks.rank[tasks.children[c]]);
            }
        }
    }

    private void assign(long t) {
        long most = mostRoom(t);
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

    /** How much time is left in the longest of those that have a free core for new tasks; −1 if none has. */
    private long mostRoom(long t) {
        long most = -1;
        for (int i = 0; i < count; i++) {
            if (free[i] > 0 && !out[i] && !draining[i]) {
                most = Math.max(most, limit[i] - t);
            }
        }
        return most;
    }

    private int place(int at, long t) {
        long cores = tasks.cores[at];
        long ends = t + room[at];
        int least = tasks.nodes[at];
        for (int i = 0; i < count; i++) {
            if (free[i] >= cores && ends <= limit[i] && least <= nodes[i] && !out[i] && !draining[i]) {
                return i;
            }
        }
        return -1;
    }

    private void begin(int at, int place, long t) {
        long ends = t + millis[at];
        free[place] -= tasks.cores[at];
        lastEnd[place] = Math.max(lastEnd[place], ends);
        placeOf[at] = place;
        events.add(ends, at, at);
    }

    private static void add(long[] set, int rank) {
        set[rank >> 6] |= 1L << rank;
    }
}
