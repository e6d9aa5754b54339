package io.sheaf.report;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cores on which moldable tasks of a category started.
 *
 * @param cores on all nodes together
 * @param attempts number of attempts that started on this count
 * @param beside maximum number of other attempts that ran when one of them started
 */
public record ChosenCores(String category, int cores, int attempts, int beside) {
    /** Counts the attempts of a run, in order of categories and cores; empty if no task is moldable. */
    public static List<ChosenCores> of(Workflow workflow, List<AttemptRecord> all) {
        long[] starts = all.stream().mapToLong(AttemptRecord::started).sorted().toArray();
        long[] ends = all.stream().mapToLong(AttemptRecord::ended).sorted().toArray();
        Map<String, Map<Integer, ChosenCores>> found = new TreeMap<>();
        for (AttemptRecord attempt : all) {
            if (workflow.variants(attempt.task()) == null) {
                continue;
            }
            String category = workflow.category(attempt.task()).name();
            int cores = attempt.needs().cores() * attempt.needs().nodes();
            int beside = upTo(starts, attempt.started()) - upTo(ends, attempt.started()) - 1;
            found.computeIfAbsent(category, any -> new TreeMap<>())
                    .merge(
                            cores,
                            new ChosenCores(category, cores, 1, Math.max(0, beside)),
                            (a, b) -> new ChosenCores(category, cores, a.attempts + 1, Math.max(a.beside, b.beside)));
        }
        return found.values().stream().flatMap(each -> each.values().stream()).toList();
    }

    /** The number of instants up to one. */
    private static int upTo(long[] sorted, long instant) {
        int at = Arrays.binarySearch(sorted, instant + 1);
        int past = at < 0 ? -at - 1 : at;
        while (past > 0 && sorted[past - 1] > instant) {
            past--;
        }
        return past;
    }
}
