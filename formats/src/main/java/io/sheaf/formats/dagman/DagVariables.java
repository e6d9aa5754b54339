package io.sheaf.formats.dagman;

import io.sheaf.text.InputException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The variables of a VARS command, by lower-case names.
 *
 * @param append whether they override the submit description
 */
record DagVariables(Map<String, String> values, boolean append) {
    /** Reads {@code VARS node [PREPEND|APPEND] name="value" …}. */
    static DagVariables parse(String line, String node) {
        int at = line.indexOf(node, "VARS".length() + 1) + node.length();
        boolean append = false;
        Map<String, String> values = new LinkedHashMap<>();
        while (true) {
            at = skipBlanks(line, at);
            if (at == line.length()) {
                break;
            }
            int end = at;
            while (end < line.length() && line.charAt(end) != '=' && !Character.isWhitespace(line.charAt(end))) {
                end++;
            }
            String name = line.substring(at, end).toLowerCase(Locale.ROOT);
            int equals = skipBlanks(line, end);
            boolean first = values.isEmpty();
            if (first && (name.equals("append") || name.equals("prepend")) && !startsWith(line, equals, '=')) {
                append = name.equals("append");
                at = end;
            } else {
                int quote = startsWith(line, equals, '=') ? skipBlanks(line, equals + 1) : equals;
                if (name.isEmpty() || !startsWith(line, equals, '=') || !startsWith(line, quote, '"')) {
                    throw new InputException(
                            "a variable of VARS is not name=\"value\"; put its value in double quotes");
                }
                StringBuilder value = new StringBuilder();
                at = value(line, quote + 1, value);
                values.put(name.startsWith("+") ? "my." + name.substring(1) : name, value.toString());
            }
        }
        return new DagVariables(values, append);
    }

    /** Reads up to behind the closing quote. */
    private static int value(String line, int from, StringBuilder value) {
        int at = from;
        while (at < line.length() && line.charAt(at) != '"') {
            if (line.charAt(at) == '\\' && at + 1 < line.length() && "\\\"".indexOf(line.charAt(at + 1)) >= 0) {
                at++;
            }
            value.append(line.charAt(at));
            at++;
        }
        if (at == line.length()) {
            throw new InputException("a double quote of VARS is never closed; close it");
        }
        return at + 1;
    }

    private static boolean startsWith(String line, int at, char c) {
        return at < line.length() && line.charAt(at) == c;
    }

    private static int skipBlanks(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }
}
