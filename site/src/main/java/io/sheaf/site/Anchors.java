package io.sheaf.site;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Anchors of a page's headings, made as code hosts make them, so that a link works in both places. */
final class Anchors {
    private final Map<String, Integer> used = new HashMap<>();

    /** The anchor of the next heading: small letters, digits, hyphens for blanks; a number behind it if there was one like it. */
    String of(String heading) {
        StringBuilder anchor = new StringBuilder();
        heading.toLowerCase(Locale.ROOT).codePoints().forEach(c -> {
            if (Character.isLetterOrDigit(c) || c == '-' || c == '_') {
                anchor.appendCodePoint(c);
            } else if (c == ' ') {
                anchor.append('-');
            }
        });
        int before = used.merge(anchor.toString(), 1, Integer::sum) - 1;
        return before == 0 ? anchor.toString() : anchor + "-" + before;
    }
}
