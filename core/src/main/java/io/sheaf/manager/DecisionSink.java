package io.sheaf.manager;

/** Records the options that a strategy compares before it decides. Campaigns do not use it. */
public interface DecisionSink {
    DecisionSink NOTHING = new DecisionSink() {
        @Override
        public boolean isRecording() {
            return false;
        }
    };

    /** Whether options are recorded, which costs time. */
    default boolean isRecording() {
        return true;
    }

    /** Begins the record of a decision at an instant. */
    default void begin(long at) {}

    /**
     * Records an option and its estimates.
     *
     * @param label a description: "levels 0-3 as one job"
     * @param wait until it would start, in milliseconds
     * @param makespan until the workflow would end, in milliseconds; −1 if the strategy does not estimate it
     */
    default void option(String label, int nodes, long walltime, long wait, long makespan) {}

    /** Records the chosen option and the reason. */
    default void chosen(String reason) {}

    /**
     * Records an order that was carried out.
     *
     * @param token the pilot job that was submitted, or that the order refers to
     * @param expectedStart the estimated start of a submitted pilot job, in milliseconds; −1 if unknown
     */
    default void ordered(Order order, long token, long expectedStart) {}
}
