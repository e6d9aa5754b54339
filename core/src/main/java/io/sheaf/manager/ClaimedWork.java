package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Variants;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** What claims of pilot jobs leave to do: the claimed unfinished tasks and what they need. */
record ClaimedWork(Workflow workflow, TaskProgress progress) {
    /** Whether the pilot job claims a task that is neither final nor running. */
    boolean hasWork(PilotJob p) {
        Claim claim = p.claim;
        TaskGroup tasks = claim.tasks();
        for (int i = 0; i < tasks.size(); i++) {
            int task = tasks.task(i);
            if (!progress.isFinal(task) && !progress.isRunning(task) && !progress.isHeld(task)) {
                return true;
            }
        }
        if (!tasks.isAll()) {
            return false;
        }
        int last = Math.min(claim.lastLevel(), workflow.levels() - 1);
        for (int level = claim.firstLevel(); level <= last; level++) {
            if (progress.levels.idle(level) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The longest time after which an attempt of a claimed unfinished task was cut off; 0 if there is none. Claims that start only tasks that fit do
     * not need it: the strategy plans the time.
     */
    long longestCut(Claim claim) {
        long longest = 0;
        if (claim.onlyIfFits()) {
            return longest;
        }
        for (int task : progress.needs.timeouts.tasks()) {
            longest = claim.has(task, workflow.level(task)) && !progress.isFinal(task)
                    ? Math.max(longest, progress.needs.timeouts.after(task))
                    : longest;
        }
        return longest;
    }

    /** Whether a claimed unfinished task fits the nodes of an idle pilot job, or waits only for a resource that other pilot jobs use. */
    boolean isLargeEnough(PilotJob p) {
        return anyLeft(p.claim, task -> Binding.hasNodes(p, fewest(p.claim, task)));
    }

    /** What a task of a claim needs at least. */
    Resources fewest(Claim claim, int task) {
        Variants all = claim.choosesCores() ? workflow.variants(task) : null;
        return all == null ? progress.needs.of(task) : CoreChoice.on(progress.needs.of(task), all.needs(0));
    }

    /** What the claimed unfinished tasks of a job may need at once of each node besides cores, at most what a node has. */
    Resources atOnce(Claim claim, Resources node) {
        if (!NodeDemand.isCounted(node)) {
            return Resources.ONE_CORE;
        }
        NodeDemand demand = new NodeDemand(node);
        anyLeft(claim, task -> {
            Resources needed = fewest(claim, task);
            if (needed.excess(node) == null) {
                demand.add(needed);
            }
            return false;
        });
        return demand.perNode();
    }

    /** The cores that the claimed unfinished tasks need at least, all at once. */
    long cores(Claim claim) {
        long[] sum = {0};
        anyLeft(claim, task -> {
            Resources needed = fewest(claim, task);
            sum[0] += (long) needed.cores() * needed.nodes();
            return false;
        });
        return sum[0];
    }

    /** Whether a claimed ready task fits on a node. */
    boolean isAnyReady(Claim claim, Resources node) {
        return anyLeft(claim, task -> progress.ready.contains(task) && fits(claim, task, node));
    }

    private boolean fits(Claim claim, int task, Resources node) {
        return fewest(claim, task).excess(node) == null;
    }

    /** The nodes that the claimed unfinished tasks of a level that fit on a node can use at most. */
    int nodes(Claim claim, Resources node) {
        int[] ofLevel = new int[workflow.levels()];
        anyLeft(claim, task -> {
            ofLevel[workflow.level(task)] +=
                    fits(claim, task, node) ? fewest(claim, task).nodes() : 0;
            return false;
        });
        return Arrays.stream(ofLevel).max().orElse(0);
    }

    /**
     * The number of claimed unfinished tasks that do not fit on a node.
     *
     * @param ready whether only ready tasks count
     */
    int tooLarge(Claim claim, Resources node, boolean ready) {
        int[] count = {0};
        anyLeft(claim, task -> {
            boolean counts = !ready || progress.ready.contains(task);
            count[0] += counts && !fits(claim, task, node) ? 1 : 0;
            return false;
        });
        return count[0];
    }

    /** Whether a claimed task that is neither final nor held has a property. */
    private boolean anyLeft(Claim claim, IntPredicate property) {
        TaskGroup tasks = claim.tasks();
        for (int i = 0; i < tasks.size(); i++) {
            if (isLeft(tasks.task(i)) && property.test(tasks.task(i))) {
                return true;
            }
        }
        int last = tasks.isAll() ? Math.min(claim.lastLevel(), workflow.levels() - 1) : -1;
        for (int level = claim.firstLevel(); level <= last; level++) {
            int width = progress.levels.unfinished(level) == 0 ? 0 : workflow.width(level);
            for (int i = 0; i < width; i++) {
                int task = workflow.taskOfLevel(level, i);
                if (isLeft(task) && property.test(task)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isLeft(int task) {
        return !progress.isFinal(task) && !progress.isHeld(task);
    }
}
