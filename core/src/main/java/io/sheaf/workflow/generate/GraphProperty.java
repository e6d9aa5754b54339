package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A property of random graphs: its parameter, the named ranges, and its maximum.
 *
 * <p>A range is a name ({@code high}), two ends ({@code 5-8}) or one number.
 */
record GraphProperty(String name, String about, int min, int max, List<Named> words) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /** A range of whole numbers, both ends included. */
    record Range(int low, int high) {
        int draw(RandomStream random) {
            return random.between(low, high);
        }
    }

    /** A range that has a word. */
    record Named(String word, Range range) {}

    static Named named(String word, int low, int high) {
        return new Named(word, new Range(low, high));
    }

    Family.Parameter parameter() {
        return new Family.Parameter(name, "random", about + "; " + describe());
    }

    Range read(String text) {
        for (Named named : words) {
            if (named.word.equals(text.strip())) {
                return named.range;
            }
        }
        Matcher matcher = RANGE.matcher(text.strip());
        if (matcher.matches()) {
            int low = Integer.parseInt(matcher.group(1));
            int high = matcher.group(2) == null ? low : Integer.parseInt(matcher.group(2));
            if (min <= low && low <= high && high <= max) {
                return new Range(low, high);
            }
        }
        throw new InputException(name + "=" + text + " is not a range; write " + describe());
    }

    private String describe() {
        StringBuilder out = new StringBuilder();
        for (Named named : words) {
            out.append(named.word + " (" + named.range.low + "-" + named.range.high + "), ");
        }
        return out + "or a range within " + min + "-" + max;
    }
}
