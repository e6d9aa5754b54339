package io.sheaf.manager;

/** Records the options that a strategy compares before it decides. Campaigns do not use it. */
public interface DecisionSink {
    /** Records nothing. */
    DecisionSink NOTHING = new DecisionSink() {
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

    /** Begins the record of a decision at an instant. */
    void asked(long at);

    /**
     * Records an option and its estimates.
     *
     * @param what a description: "levels 0-3 as one job"
     * @param wait until it would start, in milliseconds
     * @param makespan until the workflow would end, in milliseconds; −1 if the strategy does not estimate it
     */
    void option(String what, int nodes, long walltime, long wait, long makespan);

    /** Records the chosen option and the reason. */
    void chosen(String why);

    /**
     * Records an order that was carried out.
     *
     * @param token the pilot job that was submitted, or that the order refers to
     * @param expectedStart the estimated start of a submitted pilot job, in milliseconds; −1 if unknown
     */
    default void ordered(Order order, long token, long expectedStart) {}
}
