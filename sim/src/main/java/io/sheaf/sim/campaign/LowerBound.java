package io.sheaf.sim.campaign;

import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Variants;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;

/**
 * A lower bound of the makespan of any strategy from a start time on.
 *
 * <p>Nodes of jobs that run at the start are unavailable until their actual ends. All other nodes count as available. The workflow takes at least its
 * critical path from the first available node on, and at least until the available node time equals its work. Task times are those of first attempts.
 * If a makespan ends with the last level, only tasks that this level depends on are counted.
 */
final class LowerBound {
    private LowerBound() {}

    /** The bound in milliseconds, from a queue in the state just before the start. */
    static long millis(
            SimulatedQueue queue, long start, Workflow workflow, SimulationSetup setup, Conventions conventions) {
        boolean[] counted = counted(workflow, conventions);
        long path = 0;
        long work = 0;
        long shares = 0;
        long[] end = new long[workflow.size()];
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            long millis = setup.taskTimes().millis(workflow, task, 1);
            Variants variants = workflow.variants(task);
            long time = variants == null
                    ? millis
                    : Math.min(millis, workflow.onChosen(task, variants.needs(variants.size() - 1), millis));
            long ready = 0;
            for (int p = 0; p < workflow.parents(task); p++) {
                ready = Math.max(ready, end[workflow.parent(task, p)]);
            }
            end[task] = ready + time;
            if (counted[task]) {
                path = Math.max(path, end[task]);
                Resources needed = workflow.resources(task);
                work += needed.isShare() ? 0 : minWork(workflow, task, millis);
                shares += millis * needed.share();
            }
        }
        return bound(
                queue.busyUntil(start),
                queue.engine().size(),
                path,
                work + shares / Resources.CORE,
                setup.node().cores());
    }

    /** Core-milliseconds of a task on the cores where they are fewest. */
    private static long minWork(Workflow workflow, int task, long millis) {
        Resources declared = workflow.resources(task);
        long min = millis * declared.cores() * declared.nodes();
        Variants variants = workflow.variants(task);
        for (int v = 0; variants != null && v < variants.size(); v++) {
            min = Math.min(min, workflow.onChosen(task, variants.needs(v), millis) * variants.cores(v));
        }
        return min;
    }

    /** The tasks that must be done for the run to count as done. */
    private static boolean[] counted(Workflow workflow, Conventions conventions) {
        boolean[] counted = new boolean[workflow.size()];
        if (conventions == Conventions.OWN) {
            Arrays.fill(counted, true);
            return counted;
        }
        for (int i = workflow.size() - 1; i >= 0; i--) {
            int task = workflow.inOrder(i);
            counted[task] |= workflow.level(task) == workflow.levels() - 1;
            for (int p = 0; counted[task] && p < workflow.parents(task); p++) {
                counted[workflow.parent(task, p)] = true;
            }
        }
        return counted;
    }

    /**
     * The bound for a critical path and core-milliseconds of work.
     *
     * @param busy the time for which each busy node is unavailable from now on, in milliseconds
     */
    static long bound(long[] busy, int nodes, long path, long work, int coresPerNode) {
        long[] busyUntil = busy.clone();
        Arrays.sort(busyUntil);
        long first = busyUntil.length < nodes ? 0 : busyUntil[0];
        long nodeTime = (work + coresPerNode - 1) / coresPerNode;
        return Math.max(first + path, share(busyUntil, nodes - busyUntil.length, nodeTime));
    }

    /** The instant at which this node time was available, with some nodes free at once and the others later. */
    private static long share(long[] busyUntil, int free, long nodeTime) {
        long at = 0;
        long allocated = 0;
        int nodes = free;
        for (int i = 0; i <= busyUntil.length; i++) {
            long next = i < busyUntil.length ? busyUntil[i] : Long.MAX_VALUE;
            long missing = nodeTime - allocated;
            if (nodes > 0 && (i == busyUntil.length || missing <= (next - at) * nodes)) {
                return at + (missing + nodes - 1) / nodes;
            }
            allocated += (next - at) * nodes;
            at = next;
            nodes++;
        }
        return at;
    }
}
