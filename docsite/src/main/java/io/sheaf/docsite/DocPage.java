package io.sheaf.docsite;

import java.util.List;

/**
 * A rendered page.
 *
 * @param targets the targets of its links and images, as written
 * @param sections the text of each section, in order
 */
record DocPage(String html, List<Heading> headings, List<String> targets, List<PageSection> sections) {
    /** The text under a heading without markup, for the search. */
    record PageSection(Heading heading, String text) {}

    /** The first heading. */
    String title() {
        return headings.get(0).text();
    }

    boolean hasAnchor(String id) {
        return headings.stream().anyMatch(heading -> heading.id().equals(id));
    }

    /** Text as HTML, also for an attribute in quotes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /**
     * A heading of a page.
     *
     * @param level 1 for the title of the page
     * @param text without markup
     * @param id the anchor
     */
    record Heading(int level, String text, String id) {}
}
