package io.sheaf.formats.dagman;

import io.sheaf.text.InputException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values of a node's submit commands with their macros expanded.
 *
 * <p>Lookup order: the node's appended variables, the submit description, the node's other variables, HTCondor's predefined macros.
 * Undefined macros are empty, as in HTCondor. The node's name replaces the cluster number, which is unknown before submission.
 */
final class Macros {
    private static final int DEEPEST = 32;
    /** The maximum growth of a value beyond its own text. */
    private static final int MAX_GROWTH = 16 << 20;

    private final DagNode node;
    private final SubmitDescription description;
    private long room;

    Macros(DagNode node, SubmitDescription description) {
        this.node = node;
        this.description = description;
    }

    /** The expanded value of a submit command, or null if it is not there. */
    @Nullable
    String value(String command) {
        SubmitDescription.SubmitValue entry = description.get(command);
        String raw = raw(command);
        if (raw == null) {
            return null;
        }
        try {
            StringBuilder out = new StringBuilder();
            room = MAX_GROWTH + (long) raw.length();
            expand(raw, out, 0);
            return out.toString();
        } catch (InputException e) {
            throw entry == null ? e.at(node.place) : e.at(entry.place()).in(description.file);
        }
    }

    /** The place of a command, for errors about its value. */
    InputException at(String command, InputException e) {
        SubmitDescription.SubmitValue entry = description.get(command);
        return entry == null || node.appended.containsKey(command)
                ? e.at(node.place)
                : e.at(entry.place()).in(description.file);
    }

    private @Nullable String raw(String name) {
        String appended = node.appended.get(name);
        if (appended != null) {
            return appended;
        }
        SubmitDescription.SubmitValue entry = description.get(name);
        return entry != null ? entry.value() : node.prepended.get(name);
    }

    private void expand(String text, StringBuilder out, int depth) {
        if (depth > DEEPEST) {
            throw new InputException("the macros of node '" + node.name + "' refer to each other without end");
        }
        int at = 0;
        while (at < text.length()) {
            int dollar = text.indexOf('$', at);
            if (dollar < 0) {
                append(text, at, text.length(), out);
                return;
            }
            append(text, at, dollar, out);
            at = dollar(text, dollar, out, depth);
        }
    }

    /** Expands the macro at this dollar sign; returns where the text continues. */
    private int dollar(String text, int at, StringBuilder out, int depth) {
        if (text.startsWith("$$", at)) {
            // Filled in by HTCondor when the job has found a machine.
            append(text, at, at + 2, out);
            return at + 2;
        }
        int open = at + 1;
        while (open < text.length() && isWord(text.charAt(open))) {
            open++;
        }
        if (open == text.length() || text.charAt(open) != '(') {
            append(text, at, at + 1, out);
            return at + 1;
        }
        if (open > at + 1) {
            throw new InputException(
                    "the macro function '" + text.substring(at, open) + "' is not supported; write its value");
        }
        int close = closing(text, open);
        String body = text.substring(open + 1, close);
        int colon = body.indexOf(':');
        String name = (colon < 0 ? body : body.substring(0, colon)).strip();
        String value = lookUp(name);
        if (value == null) {
            value = colon < 0 ? "" : body.substring(colon + 1);
        }
        if (name.equalsIgnoreCase("DOLLAR")) {
            append("$", 0, 1, out);
        } else {
            expand(value, out, depth + 1);
        }
        return close + 1;
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            depth += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
            if (depth == 0) {
                return at;
            }
        }
        throw new InputException("a macro '$(' is never closed; close it with ')'");
    }

    private @Nullable String lookUp(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String defined = raw(lower);
        if (defined != null) {
            return defined;
        }
        return switch (lower) {
            case "job", "cluster", "clusterid" -> node.name;
            case "retry", "process", "procid", "step", "row", "failed_count", "dag_status" -> "0";
            default -> null;
        };
    }

    private void append(String text, int from, int to, StringBuilder out) {
        // Counted over all macros: a few that double each other would fill the memory.
        room -= to - from;
        if (room < 0) {
            throw new InputException("the macros of node '" + node.name + "' grow without bound");
        }
        out.append(text, from, to);
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
