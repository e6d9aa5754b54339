package io.sheaf.site;

/** Says that a page uses something that is not rendered, or uses it wrongly. */
final class MarkdownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MarkdownException(String message) {
        super(message);
    }
}
