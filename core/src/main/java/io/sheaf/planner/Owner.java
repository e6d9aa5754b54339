package io.sheaf.planner;

/**
 * An owner of workflows and their weighted usage.
 *
 * <p>Usage is assigned work divided by the weight, as in stride scheduling (Waldspurger and Weihl, 1995): the owner with the least goes next. An
 * owner that returns after an absence starts at the usage of the present ones, without credit.
 */
public final class Owner {
    private final double weight;
    private double had;
    private int workflows;

    /** An owner; twice the weight means twice the work while both have jobs. */
    public Owner(String name, double weight) {
        if (!(weight > 0 && weight <= 1e9)) {
            throw new IllegalArgumentException("the weight " + weight + " of " + name + " is not above 0");
        }
        this.weight = weight;
    }

    /** Assigned work divided by the weight, in milliseconds of a whole element. */
    public double had() {
        return had;
    }

    /** Restores the weighted usage. */
    public void restore(double before) {
        had = before;
    }

    boolean isPresent() {
        return workflows > 0;
    }

    /** Adds a workflow; {@code least} is the minimum usage of the present owners. */
    void comes(double least) {
        if (workflows++ == 0) {
            had = Math.max(had, least);
        }
    }

    void goes() {
        workflows--;
    }

    void charge(double millis, int share) {
        had += millis * (share / (double) RankedDag.WHOLE) / weight;
    }
}
