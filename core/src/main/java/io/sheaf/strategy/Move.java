package io.sheaf.strategy;

/** One kind of change that {@link Auto} makes to a plan if that costs less. Has no state: equal plans are changed alike. */
interface Move {
    long MINUTE = 60_000;

    /** The plan after this change and its orders; the same object if the change brings no gain. */
    ScoredPlan apply(ScoredPlan plan);
}
