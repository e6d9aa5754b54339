package io.sheaf.docsite;

/**
 * A heading of a page.
 *
 * @param level 1 for the title of the page
 * @param text without markup
 * @param id the anchor
 */
record Heading(int level, String text, String id) {}
