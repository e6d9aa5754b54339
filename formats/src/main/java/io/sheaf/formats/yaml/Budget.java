package io.sheaf.formats.yaml;

import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;

/** Rejects a workflow that would not fit into memory before it is built: a few lines of foreach can expand to any number of tasks and edges. */
final class Budget {
    /** A task's columns, its place while it is read, its id. */
    static final int TASK = 160;

    /** An edge or a mention of a file: as pair, resolved, and in both directions. */
    static final int LINK = 48;

    /** A string or a small object besides its letters. */
    static final int OBJECT = 64;

    private final long max;
    private long bytes;

    Budget(long max) {
        this.max = max;
    }

    void add(long more, long place) {
        bytes += more;
        if (bytes > max || bytes < 0) {
            throw new InputException(
                    "this workflow needs more than " + SizeText.text(max >> 20 << 20)
                            + " of memory, with what this line makes; have fewer tasks or dependencies, or give Java more"
                            + " memory (-Xmx)",
                    place);
        }
    }
}
