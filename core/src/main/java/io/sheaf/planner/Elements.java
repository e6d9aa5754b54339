package io.sheaf.planner;

import java.util.Arrays;

/** Processing elements of possibly different speeds, and their free capacity: whole elements, or fractions for jobs that share one. */
public final class Elements {
    private final double[] speed;
    private final int[] free;
    /** Elements by descending speed, then by number. */
    private final int[] bySpeed;

    private int someFree;

    /** Elements of these speeds; a job of one second takes 1 / speed seconds. */
    public Elements(double... speeds) {
        speed = speeds.clone();
        free = new int[speeds.length];
        Arrays.fill(free, RankedDag.WHOLE);
        Integer[] numbers = new Integer[speeds.length];
        Arrays.setAll(numbers, i -> i);
        Arrays.sort(numbers, (a, b) -> Double.compare(speeds[b], speeds[a]));
        bySpeed = Arrays.stream(numbers).mapToInt(Integer::intValue).toArray();
        someFree = speeds.length;
    }

    /** The mean of 1 / speed: the mean slowdown relative to an element of speed 1. */
    public static double slowness(double... speeds) {
        return Arrays.stream(speeds).map(each -> 1 / each).average().orElse(1);
    }

    /** The run time of work on an element, in milliseconds. */
    public long millis(int element, long work) {
        return speed[element] == 1 ? work : (long) Math.ceil(work / speed[element]);
    }

    /** Whether any element has free capacity. */
    boolean anyFree() {
        return someFree > 0;
    }

    boolean fits(int element, int share) {
        return free[element] >= share;
    }

    /** The fastest element other than {@code but} that a job fits on; -1 if there is none. */
    int fastest(int share, int but) {
        for (int element : bySpeed) {
            if (free[element] >= share && element != but) {
                return element;
            }
        }
        return -1;
    }

    void allocate(int element, int share) {
        free[element] -= share;
        someFree -= free[element] == 0 ? 1 : 0;
    }

    /** Frees the capacity of a job. */
    public void release(int element, int share) {
        someFree += free[element] == 0 ? 1 : 0;
        free[element] += share;
    }
}
