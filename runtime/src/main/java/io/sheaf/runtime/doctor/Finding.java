package io.sheaf.runtime.doctor;

/**
 * What was found when something was looked at.
 *
 * @param what that was looked at
 * @param found in a few words, with figures
 * @param advice what to do; empty where nothing is to be done
 */
public record Finding(Grade grade, String what, String found, String advice) {
    /** How it is. */
    public enum Grade {
        GOOD,
        /** It works, but not well; or it could not be looked at. */
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
