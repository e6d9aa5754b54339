package io.sheaf.formats.dagman;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A submit description: commands by name, with unexpanded macros.
 *
 * <p>Names are in lower case; job attributes, {@code +Name} or {@code My.Name}, begin with {@code my.}.
 */
final class SubmitDescription {
    /** The value of a command and its place. */
    record SubmitValue(String value, long place) {}

    private static final int LONGEST_VALUE = 1 << 20;
    private static final List<String> CONDITIONS = List.of("if", "elif", "else", "endif", "include");

    /** Its name: a submit file's name without its suffix, or the name in SUBMIT-DESCRIPTION; empty if inline. */
    final String name;
    /** Its file. */
    final String file;

    private final Map<String, SubmitValue> entries = new HashMap<>();
    private boolean queued;

    SubmitDescription(String name, String file) {
        this.name = name;
        this.file = file;
    }

    @Nullable
    SubmitValue get(String command) {
        return entries.get(command);
    }

    /** Reads a submit file to its end. */
    static SubmitDescription ofFile(Lines lines, String name, String file) throws IOException {
        SubmitDescription description = new SubmitDescription(name, file);
        for (String line = lines.next(); line != null; line = lines.next()) {
            description.line(line, lines, false);
        }
        return description;
    }

    /** Reads an inline description up to its closing brace; returns the text after it. */
    String readInline(Lines lines) throws IOException {
        long opened = lines.place();
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (line.startsWith("}")) {
                return line.substring(1);
            }
            line(line, lines, true);
        }
        throw new InputException("this brace is never closed; close it with a line '}'", opened);
    }

    private void line(String line, Lines lines, boolean inline) throws IOException {
        int end = 0;
        while (end < line.length() && " \t:(=@".indexOf(line.charAt(end)) < 0) {
            end++;
        }
        String first = line.substring(0, end).toLowerCase(Locale.ROOT);
        boolean isCommand = line.substring(end).stripLeading().startsWith("=");
        if (first.equals("queue") && !isCommand) {
            queue(line.substring("queue".length()).strip(), inline, lines.place());
        } else if (CONDITIONS.contains(first) && !isCommand) {
            throw new InputException(
                    "'" + first + "' in a submit description is not supported; write the commands out", lines.place());
        } else {
            command(line, lines);
        }
    }

    private void queue(String count, boolean inline, long place) {
        if (inline) {
            throw new InputException("'queue' is not allowed in an inline description; remove it", place);
        }
        if (queued || !(count.isEmpty() || count.equals("1"))) {
            throw new InputException(
                    "a node with several jobs ('queue " + count + "') is not supported; make a node for each", place);
        }
        queued = true;
    }

    private void command(String line, Lines lines) throws IOException {
        long place = lines.place();
        int equals = line.indexOf('=');
        boolean several = equals > 0 && line.charAt(equals - 1) == '@';
        String key = equals < 0
                ? ""
                : line.substring(0, several ? equals - 1 : equals).strip();
        if (key.isEmpty() || key.chars().anyMatch(Character::isWhitespace)) {
            throw new InputException("'" + brief(line) + "' is not a submit command; write name = value", place);
        }
        String value = line.substring(equals + 1).strip();
        if (several) {
            value = upTo("@" + value, lines, place);
        }
        String lower = key.toLowerCase(Locale.ROOT);
        lower = lower.startsWith("+") ? "my." + lower.substring(1) : lower;
        try {
            entries.put(lower, new SubmitValue(withItself(lower, value), place));
        } catch (InputException e) {
            throw e.at(place);
        }
    }

    /** The lines up to the one that is the tag, for {@code name @=tag}. */
    private static String upTo(String tag, Lines lines, long place) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = lines.physical(); line != null; line = lines.physical()) {
            if (line.strip().equals(tag)) {
                return text.toString();
            }
            text.append(text.isEmpty() ? "" : "\n").append(line);
        }
        throw new InputException("the line '" + tag + "' that ends this text is missing; add it", place);
    }

    /** A command that refers to itself means its previous value. */
    private String withItself(String key, String value) {
        if (value.indexOf('$') < 0) {
            return value;
        }
        String itself = "$(" + key + ")";
        int at = value.toLowerCase(Locale.ROOT).indexOf(itself);
        if (at < 0) {
            return value;
        }
        SubmitValue before = entries.get(key);
        StringBuilder out = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            out.append(value, from, at).append(before == null ? "" : before.value());
            if (out.length() > LONGEST_VALUE) {
                throw new InputException("'" + key + "' grows without bound by mentioning itself");
            }
            from = at + itself.length();
            at = value.toLowerCase(Locale.ROOT).indexOf(itself, from);
        }
        return out.append(value, from, value.length()).toString();
    }

    private static String brief(String line) {
        return line.length() <= 40 ? line : line.substring(0, 40) + "…";
    }
}
