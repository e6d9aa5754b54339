package io.sheaf.planner;

/**
 * Someone whose workflows are run, and what they had so far.
 *
 * <p>What is counted is work handed out divided by the weight, as in stride scheduling (Waldspurger and Weihl, 1995): the owner with the least is the furthest behind.
 * An owner that was absent begins where the present ones are, without credit for the time of absence.
 */
public final class Owner {
    private final String name;
    private final double weight;
    private double had;
    private int workflows;

    /** An owner; with twice the weight of another one, twice the work is theirs while both have some to do. */
    public Owner(String name, double weight) {
        if (!(weight > 0 && weight <= 1e9)) {
            throw new IllegalArgumentException("the weight " + weight + " of " + name + " is not above 0");
        }
        this.name = name;
        this.weight = weight;
    }

    public String name() {
        return name;
    }

    /** Work that was handed out, over the weight, in milliseconds of a whole element. */
    public double had() {
        return had;
    }

    /** They have had so much, over the weight, as was written down. */
    public void restore(double before) {
        had = before;
    }

    boolean isPresent() {
        return workflows > 0;
    }

    /** A workflow comes; those present have had at least this. */
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
