package io.sheaf.strategy;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;

/**
 * Into how many equal parts plans divide a core, so that tasks which share cores are counted in whole numbers like all others: one part is a core where no task does.
 *
 * <p>A task that needs a share s of a core runs beside ⌊1 / s⌋ − 1 others of its kind on one, whatever is left of the core; so it counts as one ⌊1 / s⌋-th of it, and
 * the parts are the least common multiple of all these numbers. With that, plans for tasks of one kind are exact. Where shares of several kinds meet they may be a little
 * too high or too low, since no plan looks at single cores; binding does ({@code SharedCores}).
 *
 * @param perCore the parts of a core
 * @param rounded whether only powers of two are counted with, because there would be too many parts
 */
record CoreParts(int perCore, boolean rounded) {
    private static final int MOST = 1_000;

    static CoreParts of(Workflow workflow) {
        long exact = 1;
        int largest = 1;
        for (int task = 0; task < workflow.size(); task++) {
            int together = together(workflow.resources(task));
            largest = Math.max(largest, Integer.highestOneBit(together));
            exact = exact > MOST ? exact : exact / greatestDivisor(exact, together) * together;
        }
        return exact <= MOST ? new CoreParts((int) exact, false) : new CoreParts(largest, true);
    }

    /** How many such tasks run on one core at once; 1 for one that has whole cores. */
    private static int together(Resources needed) {
        return needed.isShare() ? Resources.CORE / needed.share() : 1;
    }

    /** The parts that a task needs on each of its nodes. */
    int of(Resources needed) {
        int together = together(needed);
        int parts = perCore / (rounded ? Integer.highestOneBit(together) : together);
        return needed.isShare() ? parts : Math.multiplyExact(needed.cores(), perCore);
    }

    /** The parts of a number of cores. */
    int of(int cores) {
        return Math.multiplyExact(cores, perCore);
    }

    private static long greatestDivisor(long a, long b) {
        return b == 0 ? a : greatestDivisor(b, a % b);
    }
}
