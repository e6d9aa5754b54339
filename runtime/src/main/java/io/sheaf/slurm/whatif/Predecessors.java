package io.sheaf.slurm.whatif;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The dependencies between jobs, and the latest ends of running predecessors. */
final class Predecessors {
    /** One kind of condition with its jobs: {@code afterok:12(unfulfilled):13_4(unfulfilled)}. */
    private static final Pattern CONDITION = Pattern.compile("(after\\w*):([0-9_*+:()a-z\\[\\]-]+)");

    private static final Pattern JOB = Pattern.compile("(?:^|:)([0-9]+)");

    /**
     * The predecessors of a job.
     *
     * @param end when the running ones end
     * @param waiting the ids of queued ones
     * @param isKnown whether all are visible and the condition is the end of a job
     */
    record Awaited(long end, Set<Long> waiting, boolean isKnown) {}

    private final Map<Long, List<Long>> ends = new HashMap<>();
    private final Map<Long, Set<Long>> waiting = new HashMap<>();
    private final Map<String, Long> firstEnds = new HashMap<>();

    Predecessors(SlurmSnapshot snapshot) {
        for (SlurmJob job : snapshot.jobs()) {
            if (job.isWaiting()) {
                waiting.computeIfAbsent(job.id(), id -> new HashSet<>()).add(job.id());
                waiting.computeIfAbsent(job.array(), id -> new HashSet<>()).add(job.id());
            } else if (job.state() != SlurmJob.State.ENDED) {
                long end = job.end() == Limit.UNKNOWN ? Long.MAX_VALUE : Math.max(job.end(), snapshot.at());
                ends.computeIfAbsent(job.id(), id -> new ArrayList<>()).add(end);
                if (job.array() != job.id()) {
                    ends.computeIfAbsent(job.array(), id -> new ArrayList<>()).add(end);
                }
                firstEnds.merge(job.user(), end, Math::min);
            }
        }
        ends.values().forEach(Collections::sort);
    }

    /** The ends of the running jobs of an id or array, sorted. */
    List<Long> ends(long job) {
        return ends.getOrDefault(job, List.of());
    }

    /** When the user's first running job ends. */
    long firstEnd(String user) {
        return firstEnds.getOrDefault(user, Long.MAX_VALUE);
    }

    Awaited awaited(SlurmJob job) {
        long end = Long.MIN_VALUE;
        Set<Long> others = new HashSet<>();
        boolean known = true;
        boolean any = false;
        Matcher condition = CONDITION.matcher(job.dependency());
        while (condition.find()) {
            String kind = condition.group(1);
            // afternotok waits for a failure, after for a start: neither is a predictable end.
            known &= kind.equals("afterok") || kind.equals("afterany") || kind.equals("aftercorr");
            Matcher number = JOB.matcher(condition.group(2));
            while (number.find()) {
                long id = Long.parseLong(number.group(1));
                List<Long> running = ends(id);
                end = running.isEmpty() ? end : Math.max(end, running.get(running.size() - 1));
                others.addAll(waiting.getOrDefault(id, Set.of()));
                any |= !running.isEmpty() || waiting.containsKey(id);
            }
        }
        return new Awaited(
                end,
                others,
                known && any && end != Long.MAX_VALUE && !job.dependency().contains("singleton"));
    }
}
