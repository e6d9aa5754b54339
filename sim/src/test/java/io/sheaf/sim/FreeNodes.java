package io.sheaf.sim;

import io.sheaf.report.AttemptRecord;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The times in which nodes are free while tasks are ready, in a run on a cluster without other jobs whose tasks use one
 * node each.
 */
final class FreeNodes {
    private final List<AttemptRecord> attempts;
    private final Workflow workflow;
    private final int nodes;
    private final long end;
    private final long[] time;
    /** The time of the longest path that begins with a task. */
    private final long[] path;
    /** When the first task of a task's category has ended. */
    private final long[] measured;

    FreeNodes(SimulatedRun run, Workflow workflow, int nodes) {
        attempts = run.attempts();
        this.workflow = workflow;
        this.nodes = nodes;
        end = attempts.stream().mapToLong(AttemptRecord::ended).max().orElse(0);
        time = new long[workflow.size()];
        path = new long[workflow.size()];
        measured = new long[workflow.size()];
        // Parents have lower numbers than their children.
        for (int task = workflow.size() - 1; task >= 0; task--) {
            time[task] = workflow.timeMicros(task) / 1000;
            path[task] += time[task];
            Category category = workflow.category(task);
            measured[task] = attempts.stream()
                    .filter(each ->
                            each.done() && workflow.category(each.task()).equals(category))
                    .mapToLong(AttemptRecord::ended)
                    .min()
                    .orElse(Long.MAX_VALUE);
            for (int i = 0; i < workflow.parents(task); i++) {
                int parent = workflow.parent(task, i);
                path[parent] = Math.max(path[parent], path[task]);
            }
        }
    }

    /** The longest time in which a task is ready and a node is free. */
    long longest() {
        return longest((task, at) -> true, at -> true);
    }

    /** The longest time in which a node is free and a task is ready, of whose category no task has ended. */
    long longestBeforeMeasured() {
        return longest((task, at) -> at < measured[task], at -> true);
    }

    /**
     * The longest of these times for which the run takes longer, by more than some time, than a schedule that starts all
     * ready tasks at once, those with the longest path to the end of the workflow first, from then on.
     */
    long longestThatLengthensTheRun(long gain) {
        return longest((task, at) -> true, at -> endIfStarted(at) < end - gain);
    }

    /** Selects tasks at an instant. */
    private interface TaskFilter {
        boolean test(int task, long at);
    }

    private long longest(TaskFilter tasks, LongPredicate counts) {
        long[] instants = LongStream.concat(
                        LongStream.of(0),
                        attempts.stream().flatMapToLong(each -> LongStream.of(each.started(), each.ended())))
                .sorted()
                .distinct()
                .toArray();
        long longest = 0;
        long until = end;
        for (int i = instants.length - 2; i >= 0; i--) {
            if (!coexist(tasks, instants[i])) {
                until = instants[i];
            } else if (until - instants[i] > longest && counts.test(instants[i])) {
                longest = until - instants[i];
            }
        }
        return longest;
    }

    /** Whether one of the tasks is ready and a node is free at an instant. */
    private boolean coexist(TaskFilter tasks, long at) {
        return running(at).count() < nodes
                && IntStream.range(0, time.length)
                        .anyMatch(task -> tasks.test(task, at)
                                && isReady(task, doneAt(at))
                                && running(at).noneMatch(each -> each.task() == task));
    }

    private Stream<AttemptRecord> running(long at) {
        return attempts.stream().filter(each -> each.started() <= at && at < each.ended());
    }

    /** Which tasks are done at an instant. */
    private boolean[] doneAt(long at) {
        boolean[] done = new boolean[time.length];
        attempts.stream().filter(each -> each.done() && each.ended() <= at).forEach(each -> done[each.task()] = true);
        return done;
    }

    private boolean isReady(int task, boolean[] done) {
        boolean ready = !done[task];
        for (int i = 0; ready && i < workflow.parents(task); i++) {
            ready = done[workflow.parent(task, i)];
        }
        return ready;
    }

    /** The end of that schedule. A running task that is cut off starts again. */
    private long endIfStarted(long instant) {
        boolean[] done = doneAt(instant);
        long[] ends = new long[time.length];
        Arrays.fill(ends, Long.MAX_VALUE);
        running(instant)
                .forEach(each -> ends[each.task()] = each.done() ? each.ended() : each.ended() + time[each.task()]);
        long free = nodes - running(instant).count();
        long now = instant;
        while (true) {
            int next = -1;
            for (int task = 0; free > 0 && task < time.length; task++) {
                boolean starts = ends[task] == Long.MAX_VALUE && isReady(task, done);
                next = starts && (next < 0 || path[task] > path[next]) ? task : next;
            }
            if (next >= 0) {
                ends[next] = now + time[next];
                free--;
                continue;
            }
            int first = -1;
            for (int task = 0; task < time.length; task++) {
                boolean runs = !done[task] && ends[task] < Long.MAX_VALUE;
                first = runs && (first < 0 || ends[task] < ends[first]) ? task : first;
            }
            if (first < 0) {
                return now;
            }
            now = ends[first];
            done[first] = true;
            free++;
        }
    }
}
