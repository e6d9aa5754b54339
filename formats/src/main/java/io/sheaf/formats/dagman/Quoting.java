package io.sheaf.formats.dagman;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * HTCondor's quoting: new and old syntax of arguments and environments, and ClassAd strings.
 *
 * <p>New syntax: double quotes around the whole, single quotes around words with blanks; a doubled quote stands for itself. Old syntax: no
 * quotes, blanks separate arguments and semicolons separate variables.
 */
final class Quoting {
    private Quoting() {}

    static List<String> arguments(String value) {
        String text = value.strip();
        return text.startsWith("\"") ? words(unquoted(text)) : oldArguments(text);
    }

    static Map<String, String> environment(String value) {
        String text = value.strip();
        List<String> entries = text.startsWith("\"") ? words(unquoted(text)) : List.of(text.split(";"));
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                variables.put(entry.substring(0, equals).strip(), entry.substring(equals + 1));
            } else if (!entry.isBlank()) {
                throw new InputException("'" + entry + "' in the environment is not NAME=value");
            }
        }
        return variables;
    }

    /** The new syntax for these arguments. */
    static String quoteArguments(List<String> arguments) {
        return doubled(arguments.stream().map(Quoting::quoteWord).collect(Collectors.joining(" ")));
    }

    static String quoteEnvironment(Map<String, String> variables) {
        return doubled(variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + quoteWord(variable.getValue()))
                .collect(Collectors.joining(" ")));
    }

    /** A string of a ClassAd; dollars are hidden from the expansion of macros. */
    static String quoteString(String text) {
        return "\""
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                        .replace("$", "$(DOLLAR)")
                + "\"";
    }

    /** The content of a ClassAd string; a value that is not a string is returned unchanged. */
    static String string(String value) {
        String text = value.strip();
        if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (c == '\\' && i < text.length() - 2) {
                i++;
                char escaped = text.charAt(i);
                c = escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped == 't' ? '\t' : escaped;
            }
            out.append(c);
        }
        return out.toString();
    }

    private static String quoteWord(String word) {
        boolean plain = !word.isEmpty() && word.chars().noneMatch(c -> c == '\'' || Character.isWhitespace(c));
        return plain ? word : "'" + word.replace("'", "''") + "'";
    }

    private static String doubled(String text) {
        return "\"" + text.replace("\"", "\"\"").replace("$", "$(DOLLAR)") + "\"";
    }

    private static String unquoted(String text) {
        StringBuilder out = new StringBuilder();
        int at = 1;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                if (at == text.length()) {
                    return out.toString();
                }
                if (text.charAt(at) != '"') {
                    throw new InputException("unescaped double quote in quoted text; write it twice");
                }
            }
            out.append(c);
            at++;
        }
        throw new InputException("a double quote is never closed; close it");
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        boolean inQuotes = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'' && inQuotes && i + 1 < text.length() && text.charAt(i + 1) == '\'') {
                word.append(c);
                i++;
            } else if (c == '\'') {
                inQuotes = !inQuotes;
                inWord = true;
            } else if (!inQuotes && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (inQuotes) {
            throw new InputException("a single quote is never closed; close it, or write it twice between quotes");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    private static List<String> oldArguments(String text) {
        return Arrays.stream(text.split("\\s+"))
                .filter(word -> !word.isEmpty())
                .map(word -> word.replace("\\\"", "\""))
                .toList();
    }
}
