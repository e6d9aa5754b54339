package io.sheaf.text;

import java.io.Serial;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An invalid input: what is wrong, where, and what to do, in one line.
 *
 * <p>The parser that finds the problem sets the place in the text; the caller that opened the file adds its name with {@link #in}.
 */
public final class InputException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int LONGEST = 2_000;

    private final String problem;
    private final @Nullable String file;
    private final long place;

    public InputException(String problem) {
        this(problem, null, Place.NONE);
    }

    public InputException(String problem, long place) {
        this(problem, null, place);
    }

    private InputException(String problem, @Nullable String file, long place) {
        // No stack trace: this reports on an input, and a fuzzed reader creates hundreds of thousands of them.
        super(problem, null, false, false);
        this.problem = oneLine(problem);
        this.file = file;
        this.place = place;
    }

    /**
     * A name that is none of the possible ones, with the nearest of them.
     *
     * @param kind of thing: "strategy"
     */
    public static InputException unknown(String kind, String name, Collection<String> possible) {
        return new InputException("unknown " + kind + " '" + name + "'." + Nearest.hint(name, possible)
                + " Possible values: " + String.join(", ", possible) + ".");
    }

    /** The same problem in this file; an existing file name is kept. */
    public InputException in(String name) {
        return file != null ? this : new InputException(problem, name, place);
    }

    /** The same problem at this place; an existing place is kept. */
    public InputException at(long where) {
        return place != Place.NONE ? this : new InputException(problem, file, where);
    }

    /** Runs an operation; a problem of it gets this place. */
    public static <T> T at(long place, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (InputException e) {
            throw e.at(place);
        }
    }

    /** Runs an operation on a file or the value of an option; a problem of it gets this name. */
    public static <T> T in(String name, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (InputException e) {
            throw e.in(name);
        }
    }

    public String problem() {
        return problem;
    }

    public @Nullable String file() {
        return file;
    }

    public long place() {
        return place;
    }

    @Override
    public String getMessage() {
        String where = Place.text(place);
        if (file == null) {
            return where.isEmpty() ? problem : "line " + where + ": " + problem;
        }
        return where.isEmpty() ? file + ": " + problem : file + ":" + where + ": " + problem;
    }

    private static String oneLine(String text) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), LONGEST));
        for (int i = 0; i < text.length() && out.length() < LONGEST; i++) {
            char c = text.charAt(i);
            out.append(Character.isISOControl(c) ? ' ' : c);
        }
        return text.length() > LONGEST ? out.append(" …").toString() : out.toString();
    }
}
