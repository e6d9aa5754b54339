package io.sheaf.workflow;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/** Binary search for the last number with a property, or the last range that does not begin behind a number. */
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

    /**
     * The one of some consecutive ranges, such as the tasks of combined workflows, that has a number.
     *
     * @param all at least one, in their order
     * @param first the first number of each
     */
    public static <T> T holding(List<T> all, ToIntFunction<T> first, int number) {
        return all.get(last(0, all.size(), i -> first.applyAsInt(all.get(i)) <= number));
    }
}
