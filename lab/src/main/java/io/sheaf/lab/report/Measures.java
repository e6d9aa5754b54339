package io.sheaf.lab.report;

import java.util.Map;
import java.util.regex.Pattern;

/** What waits and degradations are measured against. */
final class Measures {
    private static final String NOT = "!";

    private final Pattern named;
    private final boolean others;
    private final String runOf;

    /**
     * Measures as asked for.
     *
     * @param bestOf which strategies count for the best, a name in which {@code *} stands for anything; behind {@code !} all others; all if empty
     * @param runOf the strategy whose running time is what a workflow would take without a queue; if empty, a wait is the time in which no job of ours ran
     */
    Measures(String bestOf, String runOf) {
        others = bestOf.startsWith(NOT);
        String name = others ? bestOf.substring(NOT.length()) : bestOf.isEmpty() ? "*" : bestOf;
        named = Pattern.compile(("\\Q" + name + "\\E").replace("*", "\\E.*\\Q"));
        this.runOf = runOf;
    }

    /** The best makespan of an item; NaN if nothing that counts completed. */
    double best(Map<String, Runs.Run> item) {
        double best = Double.NaN;
        for (Map.Entry<String, Runs.Run> each : item.entrySet()) {
            Runs.Run run = each.getValue();
            boolean better = run.completed() && !(run.makespan() >= best);
            if (better && named.matcher(each.getKey()).matches() != others) {
                best = run.makespan();
            }
        }
        return best;
    }

    /** How long a workflow runs once it is not kept waiting; NaN if that is not known. */
    double runningSeconds(Runs table, Runs.Run run, Map<String, Runs.Run> item) {
        Runs.Run alone = runOf.isEmpty() ? run : item.get(runOf);
        return alone == null || !alone.completed()
                ? Double.NaN
                : alone.makespan() - table.number(alone, "perceived_wait_seconds");
    }
}
