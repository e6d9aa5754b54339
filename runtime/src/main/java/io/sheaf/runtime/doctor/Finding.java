package io.sheaf.runtime.doctor;

/**
 * The result of one check of the doctor.
 *
 * @param subject the subject of the check
 * @param found the result in a few words, with figures
 * @param advice the suggested fix; empty if none is needed
 */
public record Finding(Grade grade, String subject, String found, String advice) {
    /** The severity of a finding. */
    public enum Grade {
        GOOD,
        /** Runs work with limitations, or the check could not be performed. */
        DOUBTFUL,
        /** Runs will fail. */
        BAD
    }

    public static Finding good(String subject, String found) {
        return new Finding(Grade.GOOD, subject, found, "");
    }

    public static Finding doubtful(String subject, String found, String advice) {
        return new Finding(Grade.DOUBTFUL, subject, found, advice);
    }

    /** A finding that is good, or doubtful with an advice. */
    public static Finding of(boolean good, String subject, String found, String advice) {
        return good ? good(subject, found) : doubtful(subject, found, advice);
    }

    public static Finding bad(String subject, String found, String advice) {
        return new Finding(Grade.BAD, subject, found, advice);
    }
}
