package io.sheaf.workflow;

import java.util.function.IntPredicate;

/** Binary search among whole numbers for the last one with a property. */
public final class BinarySearch {
    private BinarySearch() {}

    /**
     * The last number in [from, to) with a property.
     *
     * @param from has the property, and is not tested
     * @param property which no number behind one without it has
     */
    public static int last(int from, int to, IntPredicate property) {
        int has = from;
        int hasNot = to;
        while (hasNot - has > 1) {
            int middle = (has + hasNot) >>> 1;
            if (property.test(middle)) {
                has = middle;
            } else {
                hasNot = middle;
            }
        }
        return has;
    }
}
