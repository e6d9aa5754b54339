package io.sheaf.runtime.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all Sheaf processes of one user together may do to a batch system.
 *
 * @param queued pilot jobs that wait at a time
 * @param submissions in an hour
 * @param cancellations in an hour
 * @param ledger where it is kept account of, a folder for each user in it; null for each user's own home folder
 */
public record SiteBounds(
        int queued,
        int submissions,
        int cancellations,
        @Nullable Path ledger) {
    static final int ANY = Integer.MAX_VALUE;

    /** Nothing is bounded. */
    public static final SiteBounds NONE = new SiteBounds(ANY, ANY, ANY, null);

    public boolean areNone() {
        return queued == ANY && submissions == ANY && cancellations == ANY;
    }

    /** Both: of each bound the tighter one. */
    SiteBounds and(SiteBounds other) {
        return new SiteBounds(
                Math.min(queued, other.queued),
                Math.min(submissions, other.submissions),
                Math.min(cancellations, other.cancellations),
                ledger == null ? other.ledger : ledger);
    }

    /** The bounds in words. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (queued < ANY) {
            parts.add(queued + " queued pilot jobs");
        }
        if (submissions < ANY) {
            parts.add(submissions + " submissions an hour");
        }
        if (cancellations < ANY) {
            parts.add(cancellations + " cancellations an hour");
        }
        return String.join(", ", parts);
    }
}
