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
 * The queue during a past run, reconstructed from its snapshots, for a simulation with other decisions.
 *
 * <h2>Reconstruction</h2>
 *
 * The first snapshot loads the batch engine. A job of a later snapshot arrives when a snapshot first shows it, or at
 * its start if that is earlier. A job that runs in one snapshot and is absent from the next ends halfway between them,
 * so frequent snapshots are more accurate. Scheduler and strategy see the requested walltimes.
 *
 * <h2>Limits</h2>
 *
 * The reconstruction misses jobs that were submitted and ended between two snapshots, and the run times of jobs in the last
 * snapshot. {@link #unknown} reports both. Other users' submissions do not react to our jobs.
 *
 * @param queue the queue at its first instant, to be forked
 * @param unknown the limits of the reconstruction, as text
 */
public record PastQueue(SimulatedQueue queue, List<String> unknown) {
    public PastQueue {
        unknown = List.copyOf(unknown);
    }

    /** A background job, from all snapshots together. */
    private static final class Lifetime {
        final Job first;
        final long observedAt;
        long start;
        long run;

        Lifetime(Job first, long observedAt) {
            this.first = first;
            this.observedAt = observedAt;
            start = first.start();
            run = first.walltime();
        }

        /** The job was in one snapshot and absent from the next. */
        void ended(long lastAt, long missingAt) {
            long middle = lastAt + (missingAt - lastAt) / 2;
            // A queued job has run and ended, or was cancelled: assume half of the interval.
            run = Math.max(
                    1, Math.min(first.walltime(), start == QueueSnapshot.QUEUED ? middle - lastAt : middle - start));
        }
    }

    /** Reconstructs the queue from snapshots, of which there must be at least one. */
    public static PastQueue of(List<QueueSnapshot> snapshots) {
        QueueSnapshot begin = snapshots.get(0);
        Map<String, Lifetime> lifetimes = new LinkedHashMap<>();
        Map<String, Lifetime> present = new LinkedHashMap<>();
        int vanished = 0;
        long longest = 0;
        for (int i = 0; i < snapshots.size(); i++) {
            QueueSnapshot snapshot = snapshots.get(i);
            long before = i == 0 ? snapshot.at() : snapshots.get(i - 1).at();
            longest = Math.max(longest, snapshot.at() - before);
            Map<String, Lifetime> now = new LinkedHashMap<>();
            for (Job each : snapshot.jobs()) {
                Lifetime life = lifetimes.computeIfAbsent(each.id(), id -> new Lifetime(each, snapshot.at()));
                life.start = each.start();
                now.put(each.id(), life);
            }
            for (Map.Entry<String, Lifetime> each : present.entrySet()) {
                if (!now.containsKey(each.getKey())) {
                    each.getValue().ended(before, snapshot.at());
                    vanished += each.getValue().start == QueueSnapshot.QUEUED ? 1 : 0;
                }
            }
            present = now;
        }
        List<String> unknown = new ArrayList<>();
        if (snapshots.size() > 1) {
            unknown.add("jobs that were submitted and ended between two of " + snapshots.size() + " snapshots, up to "
                    + Rounded.time(longest) + " apart");
        } else {
            unknown.add("jobs submitted later: there is only one snapshot");
        }
        if (!present.isEmpty()) {
            unknown.add(
                    "when " + present.size() + " jobs of the last snapshot ended: their requested walltimes are used");
        }
        if (vanished > 0) {
            unknown.add("how long " + vanished + " jobs ran whose start was not observed");
        }
        return new PastQueue(load(begin, lifetimes), unknown);
    }

    private static SimulatedQueue load(QueueSnapshot begin, Map<String, Lifetime> lifetimes) {
        QueueSnapshot.Loaded loaded = begin.load();
        BatchEngine engine = loaded.engine();
        Map<Integer, Long> runs = new HashMap<>();
        for (int i = 0; i < begin.jobs().size(); i++) {
            Job job = begin.jobs().get(i);
            Lifetime life = lifetimes.get(job.id());
            if (loaded.handle(i) >= 0 && life != null) {
                runs.put(loaded.handle(i), Math.max(life.run, job.isRunning() ? begin.at() + 1 - job.start() : 1));
            }
        }
        return SimulatedQueue.of(
                engine,
                begin.at(),
                arrivals(begin, lifetimes),
                handle -> runs.getOrDefault(handle, engine.walltime(handle)));
    }

    private static JobLog arrivals(QueueSnapshot begin, Map<String, Lifetime> lifetimes) {
        List<Lifetime> later = lifetimes.values().stream()
                .filter(life -> life.observedAt > begin.at())
                .sorted(Comparator.comparingLong(life -> arrivedAt(life, begin)))
                .toList();
        JobLog.Builder jobs = JobLog.builder();
        for (Lifetime life : later) {
            int nodes = Math.min(life.first.units(), begin.capacity().units());
            jobs.add(jobs.size(), arrivedAt(life, begin), life.run, life.first.walltime(), nodes, 0);
        }
        return jobs.build();
    }

    private static long arrivedAt(Lifetime life, QueueSnapshot begin) {
        return Math.max(begin.at() + 1, life.first.isRunning() ? life.first.start() : life.observedAt);
    }
}
