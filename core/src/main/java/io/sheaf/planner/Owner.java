package io.sheaf.planner;

/**
 * An owner of workflows and their weighted usage.
 *
 * <p>Usage is assigned work divided by the weight, as in stride scheduling (Waldspurger and Weihl, 1995): the owner with the least goes next. An
 * owner that returns after an absence starts at the usage of the present ones, without credit.
 */
public final class Owner {
    private final double weight;
    private double usage;
    private int workflows;

    /** An owner; twice the weight means twice the work while both have jobs. */
    public Owner(String name, double weight) {
        if (!(weight > 0 && weight <= 1e9)) {
            throw new IllegalArgumentException("the weight " + weight + " of " + name + " is not above 0");
        }
        this.weight = weight;
    }

    /** Assigned work divided by the weight, in milliseconds of a whole element. */
    public double usage() {
        return usage;
    }

    /** Restores the weighted usage. */
    public void restore(double before) {
        usage = before;
    }

    boolean isPresent() {
        return workflows > 0;
    }

    /** Adds a workflow; {@code minUsage} is the minimum usage of the present owners. */
    void join(double minUsage) {
        if (workflows++ == 0) {
            usage = Math.max(usage, minUsage);
        }
    }

    void leave() {
        workflows--;
    }

    void addUsage(double millis, int share) {
        usage += millis * (share / (double) RankedDag.WHOLE) / weight;
    }
}
