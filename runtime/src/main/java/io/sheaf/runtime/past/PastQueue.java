package io.sheaf.runtime.past;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.QueueSnapshot.Job;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queue that a run was in, to be played once more with other decisions.
 *
 * <h2>From what was seen</h2>
 * The batch engine is loaded with the first sight. Whoever is in a later one comes when he was first seen, or when he had started by then. A job that runs in one sight and is gone in the next has
 * ended in the middle between them; the shorter the time between sights, the truer. What they asked for is what the scheduler, and so a strategy, knows of them.
 *
 * <h2>What cannot be known</h2>
 * Who came and went between two sights; how long those would have taken who were still there at the last; that others would have decided otherwise had our jobs been different. The first two
 * are told in {@link #unknown}.
 *
 * @param queue at its first instant; to be forked
 * @param unknown what could not be known, in words
 */
public record PastQueue(SimulatedQueue queue, List<String> unknown) {
    public PastQueue {
        unknown = List.copyOf(unknown);
    }

    /** A job of others as all sights together tell it. */
    private static final class Life {
        final Job first;
        final long seenAt;
        long start;
        long run;

        Life(Job first, long seenAt) {
            this.first = first;
            this.seenAt = seenAt;
            start = first.start();
            run = first.walltime();
        }

        /** It was there at one instant and not at the next. */
        void ended(long there, long gone) {
            long middle = there + (gone - there) / 2;
            // One that waited has begun and ended, or was cancelled: half of that time.
            run = Math.max(
                    1, Math.min(first.walltime(), start == QueueSnapshot.QUEUED ? middle - there : middle - start));
        }
    }

    /** What was seen, at least once. */
    public static PastQueue of(List<QueueSnapshot> seen) {
        QueueSnapshot begin = seen.get(0);
        Map<String, Life> lives = new LinkedHashMap<>();
        Map<String, Life> there = new LinkedHashMap<>();
        int vanished = 0;
        long longest = 0;
        for (int i = 0; i < seen.size(); i++) {
            QueueSnapshot sight = seen.get(i);
            long before = i == 0 ? sight.at() : seen.get(i - 1).at();
            longest = Math.max(longest, sight.at() - before);
            Map<String, Life> now = new LinkedHashMap<>();
            for (Job each : sight.jobs()) {
                Life life = lives.computeIfAbsent(each.id(), id -> new Life(each, sight.at()));
                life.start = each.start();
                now.put(each.id(), life);
            }
            for (Map.Entry<String, Life> each : there.entrySet()) {
                if (!now.containsKey(each.getKey())) {
                    each.getValue().ended(before, sight.at());
                    vanished += each.getValue().start == QueueSnapshot.QUEUED ? 1 : 0;
                }
            }
            there = now;
        }
        List<String> unknown = new ArrayList<>();
        if (seen.size() > 1) {
            unknown.add("jobs that came and went between two of " + seen.size() + " snapshots, up to "
                    + Rounded.time(longest) + " apart");
        } else {
            unknown.add("who came later, since there is one snapshot only");
        }
        if (!there.isEmpty()) {
            unknown.add("when " + there.size()
                    + " jobs ended that were in the last snapshot: they take what they asked for");
        }
        if (vanished > 0) {
            unknown.add("how long " + vanished + " jobs ran that were seen waiting only");
        }
        return new PastQueue(load(begin, lives), unknown);
    }

    private static SimulatedQueue load(QueueSnapshot begin, Map<String, Life> lives) {
        QueueSnapshot.Loaded loaded = begin.load();
        BatchEngine engine = loaded.engine();
        Map<Integer, Long> runs = new HashMap<>();
        for (int i = 0; i < begin.jobs().size(); i++) {
            Job job = begin.jobs().get(i);
            Life life = lives.get(job.id());
            if (loaded.handle(i) >= 0 && life != null) {
                runs.put(loaded.handle(i), Math.max(life.run, job.isRunning() ? begin.at() + 1 - job.start() : 1));
            }
        }
        return SimulatedQueue.of(
                engine,
                begin.at(),
                arrivals(begin, lives),
                handle -> runs.getOrDefault(handle, engine.walltime(handle)));
    }

    private static JobLog arrivals(QueueSnapshot begin, Map<String, Life> lives) {
        List<Life> later = new ArrayList<>(
                lives.values().stream().filter(life -> life.seenAt > begin.at()).toList());
        later.sort(Comparator.comparingLong(life -> came(life, begin)));
        JobLog.Builder jobs = JobLog.builder();
        for (Life life : later) {
            int nodes = Math.min(life.first.units(), begin.pool().units());
            jobs.add(jobs.size(), came(life, begin), life.run, life.first.walltime(), nodes, 0);
        }
        return jobs.build();
    }

    private static long came(Life life, QueueSnapshot begin) {
        return Math.max(begin.at() + 1, life.first.isRunning() ? life.first.start() : life.seenAt);
    }
}
