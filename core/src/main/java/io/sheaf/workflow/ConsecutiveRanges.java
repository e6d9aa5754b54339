package io.sheaf.workflow;

import java.util.List;
import java.util.function.ToIntFunction;

/** Consecutive ranges of numbers, such as the tasks of combined workflows; finds the range of a number. */
public final class ConsecutiveRanges {
    private ConsecutiveRanges() {}

    /**
     * The last of some stretches that does not begin behind a number.
     *
     * @param all at least one, in their order
     * @param first the first number of each
     */
    public static <T> T holding(List<T> all, ToIntFunction<T> first, int number) {
        return all.get(BinarySearch.last(0, all.size(), i -> first.applyAsInt(all.get(i)) <= number));
    }
}
