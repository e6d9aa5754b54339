package io.sheaf.manager;

import io.sheaf.workflow.BinarySearch;
import java.util.function.IntToLongFunction;

/**
 * The width of pilot jobs where nodes × walltime is limited, so that a wider job must be shorter: the most nodes with which every unfinished task fits
 * into a job, a minute after its start. Jobs of a strategy then run each task, whatever number of nodes it chooses.
 */
public final class JobWidth {
    private static final long MINUTE = 60_000;

    private JobWidth() {}

    /**
     * The maximum number of nodes for a run; at least that of its widest unfinished task.
     *
     * @param times the time of each task, in milliseconds; 0 if unknown
     */
    public static int of(View view, IntToLongFunction times) {
        int fits = 1;
        long longest = 0;
        for (int task = 0; task < view.workflow().size(); task++) {
            if (!view.isDone(task)) {
                longest = Math.max(longest, times.applyAsLong(task));
                fits = Math.max(fits, view.needs(task).nodes());
            }
        }
        int least = Math.min(fits, view.nodes());
        long needed = Math.min(longest + MINUTE, view.walltime(least));
        return BinarySearch.last(least, view.nodes() + 1, width -> view.walltime(width) >= needed);
    }
}
