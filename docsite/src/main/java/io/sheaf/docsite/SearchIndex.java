package io.sheaf.docsite;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The search index: a script with the sections of all pages. It is a script because pages that are opened from a disk must not read data files.
 */
final class SearchIndex {
    private static final int CONTROL = 0x20;

    private SearchIndex() {}

    /** The script, in the order of the pages, documentation first; paths are those of their sources. */
    static String script(Map<String, DocPage> pages) {
        StringBuilder out = new StringBuilder("window.sheafPages = [\n");
        List<Map.Entry<String, DocPage>> order = pages.entrySet().stream()
                .sorted(Comparator.comparing(page -> !page.getKey().startsWith("docs/")))
                .toList();
        for (Map.Entry<String, DocPage> each : order) {
            String path = each.getKey();
            DocPage page = each.getValue();
            out.append("[")
                    .append(quoted(PageLinks.published(path)))
                    .append(',')
                    .append(quoted(page.title()));
            for (DocPage.PageSection section : page.sections()) {
                out.append(",\n [")
                        .append(quoted(section.heading().id()))
                        .append(',')
                        .append(quoted(section.heading().text()))
                        .append(',')
                        .append(quoted(section.text().replaceAll("\\s+", " ")))
                        .append(']');
            }
            out.append("],\n");
        }
        return out.append("];\n").toString();
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < CONTROL || c == '<' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
