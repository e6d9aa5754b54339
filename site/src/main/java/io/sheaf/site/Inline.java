package io.sheaf.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Markup inside a paragraph: code, emphasis, links, pictures, escapes; keeps the targets of links and the text without markup. */
final class Inline {
    private static final String ESCAPABLE = "\\`*_{}[]()#+-.!|<>&\"'~:/";

    private final UnaryOperator<String> address;
    private final List<String> targets = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();

    /** Markup whose links lead to what the function makes of their targets. */
    Inline(UnaryOperator<String> address) {
        this.address = address;
    }

    /** All targets so far, as written. */
    List<String> targets() {
        return targets;
    }

    /** The text since the last call, without markup. */
    String takePlain() {
        String text = plain.toString();
        plain.setLength(0);
        return text;
    }

    /** Adds text that stands outside of paragraphs. */
    void addPlain(String text) {
        plain.append(text);
    }

    String html(String text) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            at = one(text, at, out);
        }
        return out.toString();
    }

    /** Renders what begins here; returns where it ends. */
    private int one(String text, int at, StringBuilder out) {
        char c = text.charAt(at);
        switch (c) {
            case '\\' -> {
                boolean escaped = at + 1 < text.length() && ESCAPABLE.indexOf(text.charAt(at + 1)) >= 0;
                literal(escaped ? text.charAt(at + 1) : c, out);
                return at + (escaped ? 2 : 1);
            }
            case '`' -> {
                return code(text, at, out);
            }
            case '!' -> {
                if (text.startsWith("![", at)) {
                    return picture(text, at, out);
                }
            }
            case '[' -> {
                int end = link(text, at, out);
                if (end > at) {
                    return end;
                }
            }
            case '*' -> {
                int end = emphasis(text, at, out);
                if (end > at) {
                    return end;
                }
            }
            case '<' -> {
                if (at + 1 < text.length() && (Character.isLetter(text.charAt(at + 1)) || text.charAt(at + 1) == '/')) {
                    throw new MarkdownException("markup of HTML is not rendered; put it between backquotes: "
                            + text.substring(at, Math.min(text.length(), at + 20)));
                }
            }
            default -> {
                // Text.
            }
        }
        literal(c, out);
        return at + 1;
    }

    private void literal(char c, StringBuilder out) {
        plain.append(c);
        out.append(escape(c));
    }

    private int code(String text, int at, StringBuilder out) {
        int ticks = at;
        while (ticks < text.length() && text.charAt(ticks) == '`') {
            ticks++;
        }
        String fence = text.substring(at, ticks);
        int end = text.indexOf(fence, ticks);
        if (end < 0) {
            throw new MarkdownException("a backquote without a second one: " + text.substring(at));
        }
        String inside = text.substring(ticks, end);
        // A blank on both sides keeps backquotes at the edges apart from the fence.
        if (inside.length() > 2 && inside.startsWith(" ") && inside.endsWith(" ")) {
            inside = inside.substring(1, inside.length() - 1);
        }
        plain.append(inside);
        out.append("<code>").append(escape(inside)).append("</code>");
        return end + fence.length();
    }

    private int picture(String text, int at, StringBuilder out) {
        int close = closing(text, at + 1);
        int end = close < 0 || !text.startsWith("](", close) ? -1 : text.indexOf(')', close);
        if (end < 0) {
            throw new MarkdownException("a picture is written ![what it shows](file): " + text.substring(at));
        }
        String shows = text.substring(at + 2, close);
        if (shows.isBlank()) {
            throw new MarkdownException("a picture without a text that says what it shows: " + text.substring(at));
        }
        plain.append(shows);
        out.append("<img src=\"")
                .append(escape(target(text.substring(close + 2, end))))
                .append("\" alt=\"")
                .append(escape(shows))
                .append("\">");
        return end + 1;
    }

    private int link(String text, int at, StringBuilder out) {
        int close = closing(text, at);
        int end = close < 0 || !text.startsWith("](", close) ? -1 : text.indexOf(')', close);
        if (end < 0 || text.charAt(at) != '[') {
            return at;
        }
        out.append("<a href=\"")
                .append(escape(target(text.substring(close + 2, end))))
                .append("\">")
                .append(html(text.substring(at + 1, close)))
                .append("</a>");
        return end + 1;
    }

    private String target(String written) {
        targets.add(written);
        return address.apply(written);
    }

    /** The bracket that closes the one here; -1 if there is none. Brackets in code do not count. */
    private static int closing(String text, int open) {
        int depth = 0;
        boolean code = false;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '`') {
                code = !code;
            } else if (!code && c == '[') {
                depth++;
            } else if (!code && c == ']' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private int emphasis(String text, int at, StringBuilder out) {
        String mark = text.startsWith("**", at) ? "**" : "*";
        int from = at + mark.length();
        if (text.charAt(at) != '*' || from >= text.length() || text.charAt(from) == ' ') {
            return at;
        }
        int end = end(text, from, mark);
        if (end < 0) {
            return at;
        }
        String tag = mark.length() == 2 ? "strong" : "em";
        out.append('<').append(tag).append('>');
        out.append(html(text.substring(from, end)));
        out.append("</").append(tag).append('>');
        return end + mark.length();
    }

    /** Where the mark stands again behind something; marks in code do not count. */
    private static int end(String text, int from, String mark) {
        boolean code = false;
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == '`') {
                code = !code;
            } else if (!code && i > from && text.startsWith(mark, i) && text.charAt(i - 1) != ' ') {
                return i;
            } else if (!code && text.startsWith("**", i)) {
                i++;
            }
        }
        return -1;
    }

    private static String escape(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            default -> String.valueOf(c);
        };
    }

    /** Text as HTML shows it, also inside a quoted attribute. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            out.append(escape(text.charAt(i)));
        }
        return out.toString();
    }
}
