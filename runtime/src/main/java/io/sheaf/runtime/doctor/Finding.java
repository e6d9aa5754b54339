package io.sheaf.runtime.doctor;

/**
 * The result of one check of the doctor.
 *
 * @param what the subject of the check
 * @param found the result in a few words, with figures
 * @param advice the suggested fix; empty if none is needed
 */
public record Finding(Grade grade, String what, String found, String advice) {
    /** The severity of a finding. */
    public enum Grade {
        GOOD,
        /** Runs work with limitations, or the check could not be performed. */
        DOUBTFUL,
        /** Runs will fail. */
        BAD
    }

    public static Finding good(String what, String found) {
        return new Finding(Grade.GOOD, what, found, "");
    }

    public static Finding doubtful(String what, String found, String advice) {
        return new Finding(Grade.DOUBTFUL, what, found, advice);
    }

    public static Finding bad(String what, String found, String advice) {
        return new Finding(Grade.BAD, what, found, advice);
    }
}
