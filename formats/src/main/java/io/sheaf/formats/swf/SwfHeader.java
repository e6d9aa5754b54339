package io.sheaf.formats.swf;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the comment lines of an SWF log say: {@code Key: value} pairs, in order; keys may repeat.
 *
 * <p>A pair starts with one word and a colon, after the semicolon and at most one blank. A line indented further continues the last value;
 * it may look like a pair ({@code http://…}). Other comment lines are ignored. Header counts may be wrong: in cleaned logs {@code MaxJobs}
 * counts the jobs before cleaning.
 */
public record SwfHeader(List<HeaderField> entries) {
    /** One pair; a value of several lines has them joined by newlines. */
    public record HeaderField(String key, String value) {}

    public SwfHeader {
        entries = List.copyOf(entries);
    }

    /** Every value of a key, in order. */
    public List<String> all(String key) {
        return entries.stream()
                .filter(e -> e.key().equalsIgnoreCase(key))
                .map(HeaderField::value)
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

    /** The header in these comment lines, each without its leading semicolon. */
    static SwfHeader ofLines(List<String> lines) {
        List<HeaderField> found = new ArrayList<>();
        for (String line : lines) {
            int colon = keyEnd(line);
            if (colon > 0) {
                found.add(new HeaderField(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip()));
            } else if (continues(line) && !found.isEmpty()) {
                HeaderField last = found.remove(found.size() - 1);
                found.add(new HeaderField(last.key(), last.value() + "\n" + line.strip()));
            }
        }
        return new SwfHeader(found);
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
