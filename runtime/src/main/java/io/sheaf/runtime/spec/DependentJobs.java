package io.sheaf.runtime.spec;

/**
 * The choice of a strategy for a cluster on which a job that depends on another one loses its place in the queue.
 *
 * <p>There, such a job gains no age until its predecessor ends. So {@code asa}, which submits ahead with
 * dependencies, is replaced by {@code asa-naive}.
 */
public final class DependentJobs {
    private DependentJobs() {}

    /** The strategy to use for the requested one, with the parameters that both have. */
    public static String strategy(String requested) {
        int colon = requested.indexOf(':');
        String name = colon < 0 ? requested : requested.substring(0, colon);
        if (!name.strip().equals("asa")) {
            return requested;
        }
        String parameters = colon < 0 ? "" : requested.substring(colon + 1);
        StringBuilder kept = new StringBuilder();
        for (String each : parameters.split(",", -1)) {
            if (!each.isBlank() && !each.strip().startsWith("ahead=")) {
                kept.append(kept.isEmpty() ? ":" : ",").append(each.strip());
            }
        }
        return "asa-naive" + kept;
    }
}
