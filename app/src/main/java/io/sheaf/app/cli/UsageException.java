package io.sheaf.app.cli;

/** An invalid use of options, which a command or a set of options detects; reported like picocli's own usage errors. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message, null, false, false);
    }

    /** Throws with this message if the use is not valid. */
    public static void unless(boolean valid, String message) {
        if (!valid) {
            throw new UsageException(message);
        }
    }
}
