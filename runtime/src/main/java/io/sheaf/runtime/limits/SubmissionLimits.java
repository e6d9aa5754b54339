package io.sheaf.runtime.limits;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits on what all Sheaf processes of one user together may do to a batch system.
 *
 * @param queued maximum queued pilot jobs
 * @param submissions maximum per hour
 * @param cancellations maximum per hour
 * @param ledger the folder of the counts, with a subfolder per user; null for each user's home folder
 * @param prices of a node-hour in a node pool, by its name; they limit nothing
 */
public record SubmissionLimits(
        int queued,
        int submissions,
        int cancellations,
        @Nullable Path ledger,
        Map<String, Double> prices) {
    static final int ANY = Integer.MAX_VALUE;

    /** No limits. */
    public static final SubmissionLimits NONE = new SubmissionLimits(ANY, ANY, ANY, null);

    SubmissionLimits(int queued, int submissions, int cancellations, @Nullable Path ledger) {
        this(queued, submissions, cancellations, ledger, Map.of());
    }

    public SubmissionLimits {
        prices = Map.copyOf(prices);
    }

    public boolean areNone() {
        return queued == ANY && submissions == ANY && cancellations == ANY;
    }

    /** Combines two sets of limits: the stricter one of each. */
    SubmissionLimits and(SubmissionLimits other) {
        Map<String, Double> all = new TreeMap<>(other.prices);
        all.putAll(prices);
        return new SubmissionLimits(
                Math.min(queued, other.queued),
                Math.min(submissions, other.submissions),
                Math.min(cancellations, other.cancellations),
                ledger == null ? other.ledger : ledger,
                all);
    }

    /** The limits as text. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (queued < ANY) {
            parts.add(queued + " queued pilot jobs");
        }
        if (submissions < ANY) {
            parts.add(submissions + " submissions per hour");
        }
        if (cancellations < ANY) {
            parts.add(cancellations + " cancellations per hour");
        }
        return String.join(", ", parts);
    }
}
