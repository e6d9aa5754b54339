package io.sheaf.agent.protocol;

/** How an attempt ended. */
public enum AttemptOutcome {
    /** Exit status 0 and all outputs exist. */
    SUCCEEDED(0),
    /** Another exit status, or a signal that we did not send. */
    FAILED(1),
    /** The process could not be started: program missing or not executable, or folder missing. */
    NOT_RUNNABLE(2),
    /** Exit status 0, but an output is absent. */
    OUTPUT_ABSENT(3),
    /** Killed because it used more memory than requested. */
    OUT_OF_MEMORY(4),
    /** Killed because it ran longer than its own limit. */
    TIME_LIMIT(5),
    /** Killed, or never begun, because the pilot job ends. */
    CUT_OFF(6),
    /** Killed on the manager's request. */
    KILLED(7),
    /** Killed, or never begun, because a signal of the batch system ended the agent before the walltime. */
    PREEMPTED(8);

    private static final AttemptOutcome[] ALL = values();

    private final int code;

    AttemptOutcome(int code) {
        this.code = code;
    }

    /** The number by which it is written; never changed. */
    int code() {
        return code;
    }

    static AttemptOutcome of(int code) throws MalformedFrameException {
        for (AttemptOutcome outcome : ALL) {
            if (outcome.code == code) {
                return outcome;
            }
        }
        throw new MalformedFrameException("an outcome of kind " + code);
    }
}
