package io.sheaf.docsite;

import java.io.Serial;

/** A page that cannot be rendered. */
final class MarkdownException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    MarkdownException(String problem) {
        super(problem);
    }
}
