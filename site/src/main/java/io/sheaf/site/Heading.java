package io.sheaf.site;

/**
 * A heading of a page.
 *
 * @param level 1 is the page's title
 * @param text without markup
 * @param id the anchor that links to it name
 */
record Heading(int level, String text, String id) {}
