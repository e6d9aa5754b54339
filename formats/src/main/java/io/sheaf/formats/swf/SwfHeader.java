package io.sheaf.formats.swf;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The comment lines of an SWF log: {@code Key: value} pairs and their continuation lines, in order.
 *
 * <p>A pair starts with one word and a colon, after the semicolon and at most one blank. A line indented further continues the last value;
 * it may look like a pair ({@code http://…}). Other comment lines are stored for writing. Header counts may be wrong: in cleaned logs
 * {@code MaxJobs} counts the jobs before cleaning.
 */
public final class SwfHeader {
    /** One pair; a value of several lines has them joined by newlines. */
    public record Entry(String key, String value) {}

    private static final SwfHeader NONE = new SwfHeader(List.of());

    private final List<String> lines;
    private final List<Entry> entries;

    private SwfHeader(List<String> lines) {
        this.lines = List.copyOf(lines);
        this.entries = List.copyOf(pair(this.lines));
    }

    public static SwfHeader none() {
        return NONE;
    }

    /** A header of the given comment lines, each without its leading semicolon. */
    public static SwfHeader ofLines(List<String> lines) {
        return new SwfHeader(lines);
    }

    /** A header of the given pairs, written one per line. */
    public static SwfHeader of(List<Entry> entries) {
        List<String> lines = new ArrayList<>();
        for (Entry e : entries) {
            lines.add(" " + e.key() + ": " + e.value().replace("\n", "\n;       "));
        }
        return lines.isEmpty()
                ? NONE
                : ofLines(List.of(String.join("\n;", lines).split("\n;")));
    }

    /** The comment lines as they stood, without the semicolon. */
    public List<String> lines() {
        return lines;
    }

    /** The pairs, in order; keys may repeat. */
    public List<Entry> entries() {
        return entries;
    }

    /** Every value of a key, in order. */
    public List<String> all(String key) {
        return entries.stream()
                .filter(e -> e.key().equalsIgnoreCase(key))
                .map(Entry::value)
                .toList();
    }

    /** The whole number at the start of a key's first value, if it exists and is not negative. */
    public OptionalLong number(String key) {
        for (String value : all(key)) {
            int end = 0;
            while (end < value.length() && value.charAt(end) >= '0' && value.charAt(end) <= '9') {
                end++;
            }
            if (end > 0 && end <= 18) {
                return OptionalLong.of(Long.parseLong(value, 0, end, 10));
            }
        }
        return OptionalLong.empty();
    }

    /** The size of the machine in the log's own unit: MaxProcs, else MaxNodes. */
    public OptionalLong machineSize() {
        OptionalLong procs = number("MaxProcs");
        return procs.isPresent() ? procs : number("MaxNodes");
    }

    private static List<Entry> pair(List<String> lines) {
        List<Entry> found = new ArrayList<>();
        for (String line : lines) {
            int colon = keyEnd(line);
            if (colon > 0) {
                found.add(new Entry(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip()));
            } else if (continues(line) && !found.isEmpty()) {
                Entry last = found.remove(found.size() - 1);
                found.add(new Entry(last.key(), last.value() + "\n" + line.strip()));
            }
        }
        return found;
    }

    private static boolean continues(String line) {
        return !line.isBlank() && (line.startsWith("  ") || line.startsWith("\t"));
    }

    /** The offset of a pair's colon, or -1 if the line starts no pair. */
    private static int keyEnd(String line) {
        int at = !line.isEmpty() && (line.charAt(0) == ' ' || line.charAt(0) == '\t') ? 1 : 0;
        int start = at;
        while (at < line.length() && (Character.isLetterOrDigit(line.charAt(at)) || line.charAt(at) == '_')) {
            at++;
        }
        boolean key = at > start && at < line.length() && line.charAt(at) == ':' && !line.startsWith("//", at + 1);
        return key ? at : -1;
    }
}
