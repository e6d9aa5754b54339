package io.sheaf.formats.makeflow;

import io.sheaf.text.InputException;

/**
 * Replaces variables and escapes in a statement, as Makeflow does.
 *
 * <p>Quotes remain for the shell; a backslash is removed and protects the next character, even in quotes. Values of variables are not
 * expanded again.
 */
record Substitution(Variables variables) {
    /** Characters that end a variable's name. */
    private static final String NAME_ENDS = "\\\"'$#\n\t ,.-(){}[]<>=+!?/";

    private static final String ESCAPED = "abfnrtv";
    private static final String CODES = "\u0007\b\f\n\r\t\u000b";

    /** The new value of a variable. */
    String value(Statement statement, int from) {
        StringBuilder out = new StringBuilder();
        String text = statement.text();
        int at = from;
        while (at < text.length()) {
            at = text.charAt(at) == '\\' ? escape(text, at, true, out) : part(statement, at, out);
        }
        return out.toString();
    }

    /** A command, blanks outside quotes made one. */
    String command(Statement statement) {
        StringBuilder out = new StringBuilder();
        String text = statement.text();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t') {
                if (at == 0 || (text.charAt(at - 1) != ' ' && text.charAt(at - 1) != '\t')) {
                    out.append(' ');
                }
                at++;
            } else {
                at = c == '\\' ? escape(text, at, false, out) : part(statement, at, out);
            }
        }
        return out.toString().strip();
    }

    /** A list of files; quotes and escapes remain for the code that splits it. */
    String files(Statement statement) {
        StringBuilder out = new StringBuilder();
        String text = statement.text();
        int at = 0;
        boolean single = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '$' && !single) {
                at = variable(statement, at, out);
            } else {
                single = (c == '\'') != single;
                int end = Math.min(c == '\\' ? at + 2 : at + 1, text.length());
                out.append(text, at, end);
                at = end;
            }
        }
        return out.toString();
    }

    /** Appends what begins at this offset and is not an escape; returns where the text continues. */
    private int part(Statement statement, int at, StringBuilder out) {
        char c = statement.text().charAt(at);
        return switch (c) {
            case '$' -> variable(statement, at, out);
            case '\'', '"' -> quoted(statement, at, out);
            default -> {
                out.append(c);
                yield at + 1;
            }
        };
    }

    /** From an opening quote to its closing one, which a statement always contains. */
    private int quoted(Statement statement, int open, StringBuilder out) {
        String text = statement.text();
        char quote = text.charAt(open);
        out.append(quote);
        int at = open + 1;
        while (text.charAt(at) != quote) {
            char c = text.charAt(at);
            if (c == '\\') {
                at = escape(text, at, quote == '"', out);
            } else if (c == '$' && quote == '"') {
                at = variable(statement, at, out);
            } else {
                out.append(c);
                at++;
            }
        }
        out.append(quote);
        return at + 1;
    }

    private static int escape(String text, int at, boolean codes, StringBuilder out) {
        if (at + 1 < text.length()) {
            char c = text.charAt(at + 1);
            int code = codes ? ESCAPED.indexOf(c) : -1;
            out.append(c == '\n' ? ' ' : code < 0 ? c : CODES.charAt(code));
        }
        return Math.min(at + 2, text.length());
    }

    private int variable(Statement statement, int dollar, StringBuilder out) {
        String text = statement.text();
        int start = dollar + 1;
        char opening = start < text.length() ? text.charAt(start) : 0;
        char closing = opening == '(' ? ')' : opening == '{' ? '}' : 0;
        start += closing == 0 ? 0 : 1;
        int end = nameEnd(text, start);
        if (end == start) {
            throw new InputException(
                    "a '$' without the name of a variable; write $(NAME), or \\$ to leave it to the shell",
                    statement.place(dollar));
        }
        String name = text.substring(start, end);
        if (closing != 0 && (end == text.length() || text.charAt(end) != closing)) {
            throw new InputException(
                    "'" + text.substring(dollar, end) + "' is not closed; write $(" + name
                            + "), or \\$ to leave it to the shell",
                    statement.place(dollar));
        }
        String value = variables.value(name);
        if (value == null) {
            throw new InputException(
                    "the variable '" + name + "' is not defined here; define it above, or write \\$ to leave it to the"
                            + " shell",
                    statement.place(dollar));
        }
        variables.countCharacters(value.length(), statement.place(dollar));
        out.append(value);
        return closing == 0 ? end : end + 1;
    }

    /** Where a variable's name ends that begins here. */
    static int nameEnd(String text, int start) {
        int end = start;
        while (end < text.length() && NAME_ENDS.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }
}
