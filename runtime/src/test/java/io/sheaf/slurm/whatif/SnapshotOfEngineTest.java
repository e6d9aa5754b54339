package io.sheaf.slurm.whatif;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.Submission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A simulated queue that is printed as by Slurm's commands and loaded from that text gives the same estimates. */
class SnapshotOfEngineTest {
    private static final int NODES = 24;

    /** A cluster that an engine schedules, with names for its nodes. */
    private static final class Cluster {
        final BatchEngine engine;
        final Random random;
        final TreeSet<Integer> free = new TreeSet<>();
        final Map<Integer, List<Integer>> hosts = new HashMap<>();
        final Map<Integer, Integer> predecessors = new HashMap<>();
        final TreeMap<Integer, Integer> queued = new TreeMap<>();
        final Map<Integer, Integer> numbers = new HashMap<>();
        final int[] started = new int[1000];
        long now = Texts.AT - 50_000_000;
        int jobs = 100;

        Cluster(Policy policy, long seed) {
            engine = new BatchEngine(policy, NODES);
            random = new Random(seed);
            for (int i = 1; i <= NODES; i++) {
                free.add(i);
            }
        }

        /** Submits and ends jobs; some end before their limits, and some depend on others. */
        void step(boolean dependents) {
            now += 1000L * (1 + random.nextInt(600));
            for (int handle : List.copyOf(hosts.keySet())) {
                if (engine.limit(handle) <= now || random.nextInt(12) == 0) {
                    engine.complete(handle, Math.max(now, 0));
                    free.addAll(hosts.remove(handle));
                    numbers.remove(handle);
                }
            }
            if (random.nextInt(3) > 0) {
                Submission job = Submission.of(
                        1 + random.nextInt(random.nextBoolean() ? 4 : NODES), 60_000L * (1 + random.nextInt(300)));
                int after = dependents && !queued.isEmpty() && random.nextInt(4) == 0
                        ? queued.lastEntry().getValue()
                        : -1;
                if (after >= 0) {
                    job.eligibleAfter(after);
                }
                int handle = engine.submit(now, job);
                queued.put(++jobs, handle);
                numbers.put(handle, jobs);
                predecessors.put(jobs, after >= 0 ? requireNonNull(numbers.get(after)) : -1);
            }
            int count = engine.pass(now, started);
            for (int i = 0; i < count; i++) {
                List<Integer> own = new ArrayList<>();
                for (int k = 0; k < engine.units(started[i]); k++) {
                    own.add(free.pollFirst());
                }
                hosts.put(started[i], own);
                queued.values().remove(started[i]);
            }
        }

        SlurmSnapshot print(int depth) {
            StringBuilder jobsText = new StringBuilder();
            hosts.forEach((handle, own) -> {
                String names = "n"
                        + String.join(",n", own.stream().map(String::valueOf).toList());
                jobsText.append(Texts.running(
                        numbers.getOrDefault(handle, 0), names, (engine.limit(handle) - Texts.AT) / 1000));
            });
            queued.forEach((number, handle) -> {
                long minutes = engine.walltime(handle) / 60_000;
                Integer before = predecessors.get(number);
                boolean waits = before != null && (queued.containsKey(before) || numbers.containsValue(before));
                jobsText.append(Texts.waiting(
                        number,
                        engine.units(handle),
                        minutes / 60 + ":" + minutes % 60 + ":00",
                        waits ? "Dependency" : "Priority",
                        waits ? "afterany:" + before + "(unfulfilled)" : "(null)"));
            });
            SlurmSnapshot snapshot = Texts.snapshot(
                    jobsText.toString(),
                    "main*|up|infinite|idle|4|NO|(null)|n[1-" + NODES + "]\n",
                    "",
                    Map.of("SchedulerParameters", "bf_max_job_test=" + depth));
            return new SlurmSnapshot(
                    now,
                    snapshot.user(),
                    snapshot.jobs(),
                    snapshot.nodes(),
                    snapshot.reservations(),
                    snapshot.tiers(),
                    snapshot.config(),
                    snapshot.limits(),
                    snapshot.lost(),
                    snapshot.problems(),
                    SlurmMemory.UNCOUNTED,
                    SlurmPriority.BASIC);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void estimatesFromPrintedQueuesMatchTheEngine(int depth) {
        int compared = 0;
        int later = 0;
        for (int seed = 0; seed < 20; seed++) {
            Cluster cluster = new Cluster(Policy.depth(depth), seed);
            boolean dependents = seed % 2 == 1;
            for (int i = 0; i < 80; i++) {
                cluster.step(dependents);
                if (i % 8 == 7) {
                    int[] units = {1, 2, 7, 16, NODES};
                    long[] walltime = {60_000, 36_000_000, 3_600_000, 600_000, 7_200_000};
                    long[] expected = new long[5];
                    JobShapes shapes = new JobShapes();
                    for (int job = 0; job < units.length; job++) {
                        shapes.add(Pools.ANY, units[job], walltime[job]);
                    }
                    cluster.engine.estimate(cluster.now, shapes, expected);
                    QueueModel model = new QueueModel(cluster.print(depth), Texts.target("main"));
                    long[] estimated = Texts.starts(model, cluster.now, units, walltime);
                    assertThat(estimated).as("seed %d, step %d", seed, i).isEqualTo(expected);
                    compared += 5;
                    later += (int) Arrays.stream(estimated)
                            .filter(t -> t > cluster.now)
                            .count();
                }
            }
        }
        assertThat(compared).isEqualTo(1_000);
        assertThat(later).isGreaterThan(500);
    }
}
