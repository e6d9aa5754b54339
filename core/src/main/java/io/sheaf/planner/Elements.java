package io.sheaf.planner;

import java.util.Arrays;

/** Processing elements that may differ in speed, and what of each is free: whole ones for whole jobs, fractions for jobs that are placed together. */
public final class Elements {
    private final double[] speed;
    private final int[] free;
    /** The fastest first; of equal ones the lowest number. */
    private final int[] bySpeed;

    private int someFree;

    /** Elements of these speeds; a job of a second takes 1 / speed seconds. */
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

    public int size() {
        return speed.length;
    }

    /** The mean of 1 / speed: how much longer than on an element of speed 1 a job takes in the mean. */
    public static double slowness(double... speeds) {
        return Arrays.stream(speeds).map(each -> 1 / each).average().orElse(1);
    }

    /** How long work takes on an element. */
    public long millis(int element, long work) {
        return speed[element] == 1 ? work : (long) Math.ceil(work / speed[element]);
    }

    /** Whether any element has something free. */
    boolean anyFree() {
        return someFree > 0;
    }

    boolean fits(int element, int share) {
        return free[element] >= share;
    }

    /** The fastest element but this one that a job fits on; -1 if there is none. */
    int fastest(int share, int but) {
        for (int element : bySpeed) {
            if (free[element] >= share && element != but) {
                return element;
            }
        }
        return -1;
    }

    void hold(int element, int share) {
        free[element] -= share;
        someFree -= free[element] == 0 ? 1 : 0;
    }

    /** Gives back what a job held. */
    public void release(int element, int share) {
        someFree += free[element] == 0 ? 1 : 0;
        free[element] += share;
    }
}
