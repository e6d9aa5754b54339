package io.sheaf.site;

import java.util.List;

/**
 * A page as HTML, and what is known of it.
 *
 * @param targets what it links to and which pictures it shows, as written
 * @param sections the text of each part, in order
 */
record Rendered(String html, List<Heading> headings, List<String> targets, List<Section> sections) {
    /** Text under a heading, without markup, for the search. */
    record Section(Heading heading, String text) {}

    Rendered {
        headings = List.copyOf(headings);
        targets = List.copyOf(targets);
        sections = List.copyOf(sections);
    }

    /** The first heading. */
    String title() {
        return headings.get(0).text();
    }

    boolean hasAnchor(String id) {
        return headings.stream().anyMatch(heading -> heading.id().equals(id));
    }
}
