package io.sheaf.sim;

/** A rule by which {@link TraceRules} left out or changed a job of a log; each application is counted. */
public enum TraceRule {
    /** The line could not be read. */
    MALFORMED("malformed", true),
    /** Submitted outside the chosen period. */
    OUTSIDE_PERIOD("outsidePeriod", true),
    /** Neither allocated nor requested processors are recorded. */
    NO_PROCESSORS("noProcessors", true),
    /** Requests more than the cluster has or allows. */
    TOO_LARGE("tooLarge", true),
    /** Never ran, and dropped for that. */
    NEVER_RAN("neverRan", true),
    /** Neither run time nor requested time is recorded. */
    NO_TIMES("noTimes", true),
    /** Never ran, replayed as if it ran for its full request. */
    RUN_IN_FULL("runInFull", false),
    /** Never ran, replayed as a job that its user cancels after the recorded wait. */
    CANCELLED("cancelled", false),
    /** No requested time: the run time was taken as the request. */
    REQUEST_MISSING("requestMissing", false),
    /** Ran longer than requested: the request was raised to the run time. */
    REQUEST_RAISED("requestRaised", false),
    /** Stood in the log after a job submitted later. */
    REORDERED("reordered", false);

    private final String key;
    private final boolean skips;

    TraceRule(String key, boolean skips) {
        this.key = key;
        this.skips = skips;
    }

    /** The rule's name in JSON. */
    public String key() {
        return key;
    }

    /** Whether a job to which the rule applies is not replayed. */
    public boolean skips() {
        return skips;
    }
}
