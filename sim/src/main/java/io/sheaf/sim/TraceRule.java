package io.sheaf.sim;

/** A rule by which {@link TraceRules} left out or changed a job of a log; each application is counted. */
public enum TraceRule {
    /** The line could not be read. */
    MALFORMED("malformed"),
    /** Submitted outside the chosen period. */
    OUTSIDE_PERIOD("outsidePeriod"),
    /** Neither allocated nor requested processors are recorded. */
    NO_PROCESSORS("noProcessors"),
    /** Requests more than the cluster has or allows. */
    TOO_LARGE("tooLarge"),
    /** Never ran, and dropped for that. */
    NEVER_RAN("neverRan"),
    /** Neither run time nor requested time is recorded. */
    NO_TIMES("noTimes"),
    /** Never ran, replayed as if it ran for its full request. */
    RUN_IN_FULL("runInFull"),
    /** Never ran, replayed as a job that its user cancels after the recorded wait. */
    CANCELLED("cancelled"),
    /** No requested time: the run time was taken as the request. */
    REQUEST_MISSING("requestMissing"),
    /** Ran longer than requested: the request was raised to the run time. */
    REQUEST_RAISED("requestRaised"),
    /** Stood in the log after a job submitted later. */
    REORDERED("reordered");

    private final String key;

    TraceRule(String key) {
        this.key = key;
    }

    /** The rule's name in JSON. */
    public String key() {
        return key;
    }
}
