package io.sheaf.strategy;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;

/**
 * The number of equal parts into which plans divide a core, so that tasks that share cores are counted in whole numbers. It is 1 if no tasks share
 * cores.
 *
 * <p>⌊1 / s⌋ tasks with a share s run on one core, so each counts as one ⌊1 / s⌋-th of it. The number of parts is the least common multiple of these
 * numbers. Plans for tasks of one share are exact. For mixed shares they may be slightly too high or too low, because plans do not model single
 * cores; binding does ({@code SharedCores}).
 *
 * @param perCore the parts of a core
 * @param rounded whether only powers of two are used, because there would be too many parts
 */
record CoreParts(int perCore, boolean rounded) {
    private static final int MAX = 1_000;

    static CoreParts of(Workflow workflow) {
        long exact = 1;
        int largest = 1;
        for (int task = 0; task < workflow.size(); task++) {
            int together = together(workflow.resources(task));
            largest = Math.max(largest, Integer.highestOneBit(together));
            exact = exact > MAX ? exact : exact / greatestDivisor(exact, together) * together;
        }
        return exact <= MAX ? new CoreParts((int) exact, false) : new CoreParts(largest, true);
    }

    /** The number of such tasks that run on one core at once; 1 for a task with whole cores. */
    private static int together(Resources needed) {
        return needed.isShare() ? Resources.CORE / needed.share() : 1;
    }

    /** The parts that a task needs on each of its nodes. */
    int of(Resources needed) {
        int together = together(needed);
        int parts = perCore / (rounded ? Integer.highestOneBit(together) : together);
        return needed.isShare() ? parts : Math.multiplyExact(needed.cores(), perCore);
    }

    int of(int cores) {
        return Math.multiplyExact(cores, perCore);
    }

    private static long greatestDivisor(long a, long b) {
        return b == 0 ? a : greatestDivisor(b, a % b);
    }
}
