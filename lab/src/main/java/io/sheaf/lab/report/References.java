package io.sheaf.lab.report;

import io.sheaf.sim.campaign.Hindsight;
import java.util.Map;
import java.util.regex.Pattern;

/** The reference makespans: the best strategy of an item, and the running time without a queue. Runs with hindsight are not strategies. */
final class References {
    private static final String NOT = "!";

    private final Pattern named;
    private final boolean hasOthers;
    private final String runOf;

    /**
     * References by strategy names.
     *
     * @param bestOf the strategies among which the best is chosen: a name with {@code *} as wildcard, or {@code !} and a name for all other strategies; all if empty
     * @param runOf the strategy whose running time is the reference of waits; if empty, each run is its own reference
     */
    References(String bestOf, String runOf) {
        hasOthers = bestOf.startsWith(NOT);
        String name = hasOthers ? bestOf.substring(NOT.length()) : bestOf.isEmpty() ? "*" : bestOf;
        named = Pattern.compile(("\\Q" + name + "\\E").replace("*", "\\E.*\\Q"));
        this.runOf = runOf;
    }

    /** The best makespan of an item; NaN if none of these strategies completed. */
    double best(Map<String, Runs.Run> item) {
        double best = Double.NaN;
        for (Map.Entry<String, Runs.Run> each : item.entrySet()) {
            Runs.Run run = each.getValue();
            boolean better = run.completed() && !(run.makespan() >= best);
            boolean isStrategy = !Hindsight.isNamed(each.getKey());
            if (better && isStrategy && named.matcher(each.getKey()).matches() != hasOthers) {
                best = run.makespan();
            }
        }
        return best;
    }

    /** The makespan of the reference without its perceived queue wait, in seconds; NaN if not known. */
    double runningSeconds(Runs table, Runs.Run run, Map<String, Runs.Run> item) {
        Runs.Run alone = runOf.isEmpty() ? run : item.get(runOf);
        return alone == null || !alone.completed()
                ? Double.NaN
                : alone.makespan() - table.number(alone, "perceived_wait_seconds");
    }
}
