package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;

/**
 * Texts with variables.
 *
 * <p>{@code {sample}} is replaced by the variable's value, {@code {{sample}}} by the letters {@code {sample}} and {@code {{{sample}}}} by
 * the value in braces, as in Python and Snakemake. Unlike there, braces that do not directly surround a name are unchanged: {@code awk
 * '{print $1}'}, <code>{}</code>, <code>{a,b}</code> and JSON need no doubling. So is the shell's <code>${name}</code>.
 */
final class Template {
    /** Of a text with its variables; above that a few lines of variables that contain each other fill the memory. */
    private static final int LONGEST = 16 << 20;

    private Template() {}

    /** The text with all variables replaced. */
    static String fill(Text source, Scope scope) {
        String text = source.text();
        int open = text.indexOf('{');
        if (open < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 32);
        int copied = 0;
        while (open >= 0) {
            Braces braces = Braces.at(text, open);
            if (braces.stand()) {
                out.append(text, copied, open);
                int literal = braces.opening / 2;
                out.append("{".repeat(literal));
                String name = text.substring(braces.name, braces.close);
                out.append(braces.opening % 2 == 0 ? name : scope.value(name, source.placeOf(open)));
                out.append("}".repeat(literal + braces.closing - braces.opening));
                copied = braces.close + braces.closing;
                if (out.length() > LONGEST) {
                    throw new InputException(
                            "with its variables this text has more than " + LONGEST
                                    + " characters; put long texts into a file",
                            source.placeOf(open));
                }
            }
            open = text.indexOf('{', Math.max(braces.name, copied));
        }
        scope.filled(out.length(), source.place());
        return out.append(text, copied, text.length()).toString();
    }

    /** A text from which {@link #fill} makes this one, independent of the variables. */
    static String escape(String text) {
        int open = text.indexOf('{');
        if (open < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        int copied = 0;
        while (open >= 0) {
            Braces braces = Braces.at(text, open);
            if (braces.stand()) {
                String more = "{".repeat(braces.opening);
                out.append(text, copied, open).append(more);
                out.append(text, open, braces.close).append("}".repeat(braces.closing + braces.opening));
                copied = braces.close + braces.closing;
            }
            open = text.indexOf('{', Math.max(braces.name, copied));
        }
        return out.append(text, copied, text.length()).toString();
    }

    /** Whether this is the name of a task's files: {@code in}, {@code out}, or one of their parts. */
    static boolean isFiles(String name) {
        return name.equals(Scope.IN)
                || name.equals(Scope.OUT)
                || name.startsWith(Scope.IN + ".")
                || name.startsWith(Scope.OUT + ".");
    }

    /** Whether this may be a variable's name. */
    static boolean isName(String text) {
        return !text.isEmpty() && nameEnd(text, 0) == text.length();
    }

    private static int nameEnd(String text, int from) {
        int at = from;
        while (at < text.length() && isNameCharacter(text.charAt(at), at == from)) {
            at++;
        }
        return at;
    }

    private static boolean isNameCharacter(char c, boolean first) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
    }

    private static int run(String text, int from, char c) {
        int at = from;
        while (at < text.length() && text.charAt(at) == c) {
            at++;
        }
        return at - from;
    }

    /** Opening braces, what follows them as far as it is a name, and the braces that close it. */
    private record Braces(boolean shell, int opening, int name, int close, int closing) {
        static Braces at(String text, int open) {
            boolean shell = open > 0 && text.charAt(open - 1) == '$';
            int opening = run(text, open, '{');
            int name = open + opening;
            int close = nameEnd(text, name);
            if (close < text.length() && text.charAt(close) == '.' && isFiles(text.substring(name, close))) {
                close = nameEnd(text, close + 1);
            }
            return new Braces(shell, opening, name, close, run(text, close, '}'));
        }

        /** Whether they have a meaning here. */
        boolean stand() {
            return !shell && close > name && closing >= opening;
        }
    }
}
