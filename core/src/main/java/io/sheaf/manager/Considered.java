package io.sheaf.manager;

/** Records the options that a strategy compares before it decides; campaigns leave it off. */
public interface Considered {
    /** Records nothing. */
    Considered NOTHING = new Considered() {
        @Override
        public boolean isWanted() {
            return false;
        }

        @Override
        public void asked(long at) {}

        @Override
        public void option(String what, int nodes, long walltime, long wait, long makespan) {}

        @Override
        public void chosen(String why) {}
    };

    /** Whether options are recorded, which costs time. */
    boolean isWanted();

    /** A decision begins at an instant; what follows belongs to it. */
    void asked(long at);

    /**
     * An option and what it was estimated at.
     *
     * @param what in words: "levels 0-3 as one job"
     * @param wait until it would start, in milliseconds
     * @param makespan until the workflow would end, in milliseconds; −1 where the strategy does not estimate it
     */
    void option(String what, int nodes, long walltime, long wait, long makespan);

    /** What was chosen, and why. */
    void chosen(String why);

    /**
     * What of the decision was carried out.
     *
     * @param token the pilot job that was submitted, or that the order is about
     * @param expectedStart when a pilot job that was submitted would start by the estimator, in milliseconds; −1 if it does not know
     */
    default void ordered(Order order, long token, long expectedStart) {}
}
