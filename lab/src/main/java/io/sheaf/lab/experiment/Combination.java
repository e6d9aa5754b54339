package io.sheaf.lab.experiment;

import java.util.List;

/** One combination of a cross product, selected by its number; take values from the list that changes fastest to the one that changes slowest. */
public final class Combination {
    private long rest;

    public Combination(long number) {
        rest = number;
    }

    public <T> T of(List<T> values) {
        T value = values.get((int) (rest % values.size()));
        rest /= values.size();
        return value;
    }

    public static long count(List<?>... lists) {
        long count = 1;
        for (List<?> list : lists) {
            count = Math.multiplyExact(count, list.size());
        }
        return count;
    }
}
