package io.sheaf.app;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the string literals and text blocks of a Java source, without those in comments and in annotations. */
final class StringLiterals {
    private static final Pattern ANNOTATION = Pattern.compile("(?s).*@[\\w.]+\\s*");
    private static final String BLOCK = "\"\"\"";

    private final String source;
    private final List<String> found = new ArrayList<>();
    /** For each open parenthesis, whether it is in an annotation. */
    private final Deque<Boolean> annotations = new ArrayDeque<>();

    private StringLiterals(String source) {
        this.source = source;
    }

    /** The literals as written, without quotes. */
    static List<String> of(String source) {
        StringLiterals literals = new StringLiterals(source);
        for (int at = 0; at < source.length(); ) {
            at = literals.next(at);
        }
        return literals.found;
    }

    /** Reads a comment, a literal or a character; returns the place after it. */
    private int next(int at) {
        if (source.startsWith("//", at)) {
            return after("\n", at);
        }
        if (source.startsWith("/*", at)) {
            return after("*/", at + 2);
        }
        if (source.startsWith(BLOCK, at)) {
            return quoted(BLOCK, at);
        }
        char c = source.charAt(at);
        if (c == '"' || c == '\'') {
            return quoted(String.valueOf(c), at);
        }
        if (c == '(') {
            boolean isOuter = ANNOTATION
                    .matcher(source.substring(source.lastIndexOf('\n', at) + 1, at))
                    .matches();
            annotations.push(isOuter || Boolean.TRUE.equals(annotations.peek()));
        } else if (c == ')') {
            annotations.pop();
        }
        return at + 1;
    }

    private int after(String end, int from) {
        int at = source.indexOf(end, from);
        return at < 0 ? source.length() : at + end.length();
    }

    private int quoted(String quote, int from) {
        int at = from + quote.length();
        while (!source.startsWith(quote, at)) {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        if (!quote.equals("'") && !Boolean.TRUE.equals(annotations.peek())) {
            found.add(source.substring(from + quote.length(), at));
        }
        return at + quote.length();
    }
}
