package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Leads an engine and a reference through the same random life of a cluster and compares what they start and plan, after
 * every step.
 */
final class Lockstep {
    /** Which of the rarer reports may happen. */
    enum Reports {
        ARRIVALS_AND_ENDS,
        ALL
    }

    /** Our user, if there are limits per user; it has other jobs. */
    static final int OWN = 1;

    private static final class Job {
        int mine;
        int oracleJob;
        int units;
        long walltime;
        long end = BatchEngine.NEVER;
        long promised = BatchEngine.NEVER;
        boolean running;
    }

    private final Policy policy;
    private final int nodes;
    private final BatchEngine engine;
    private final ReferenceScheduler reference;
    private final Reports reports;
    private final RandomStream random;
    /** The user whose jobs are estimated. */
    private final int estimated;

    private final List<Job> jobs = new ArrayList<>();
    private final Map<Integer, Job> byHandle = new HashMap<>();
    private final int[] started = new int[500];
    private final int[] expected = new int[500];
    private int reservations;
    private long now;
    int starts;
    int moved;
    /** The most estimates in turn that one look told. */
    int estimatesPerCall;

    Lockstep(Policy policy, int nodes, ReferenceScheduler reference, Reports reports, RandomStream random) {
        this.policy = policy;
        this.nodes = nodes;
        // What is done for long queues only must be right for short ones, too.
        engine = new BatchEngine(policy, nodes, random.chance(0.5) ? 2 : StandingPlan.MANY);
        this.reference = reference;
        this.reports = reports;
        this.random = random;
        boolean shares = policy.order().multifactor() != null;
        estimated = policy.perUser().areNone() || shares ? 9 : OWN;
        if (!shares) {
            engine.own(estimated, 0, 0);
        }
    }

    void run(int arrivals, int meanGap, int longest) {
        int left = arrivals;
        long arrival = random.nextInt(meanGap);
        long estimateAt = random.nextInt(arrivals * meanGap);
        while (left > 0 || jobs.stream().anyMatch(j -> j.running)) {
            long next = Math.min(left > 0 ? arrival : BatchEngine.NEVER, engine.nextPass());
            for (Job j : jobs) {
                next = j.running ? Math.min(next, j.end) : next;
            }
            now = next;
            ends();
            boolean rare = reports == Reports.ALL && random.chance(0.4);
            if (rare) {
                report();
            }
            while (left > 0 && arrival <= now) {
                submit(longest);
                left--;
                arrival = now + (random.chance(0.3) ? 0 : random.nextInt(2 * meanGap) + 1);
            }
            pass();
            if (now >= estimateAt) {
                estimate(longest);
                estimateInTurn(longest);
                estimateAt = BatchEngine.NEVER;
            }
        }
    }

    private void ends() {
        for (Job j : List.copyOf(jobs)) {
            if (j.running && j.end == now) {
                engine.complete(j.mine, now);
                reference.complete(j.oracleJob, now);
                left(j);
                compare();
            }
        }
    }

    private void left(Job j) {
        j.running = false;
        byHandle.remove(j.mine);
        jobs.remove(j);
    }

    private void submit(int longest) {
        Job j = new Job();
        j.units = 1 + random.nextInt(random.chance(0.5) ? nodes : Math.max(1, nodes / 3));
        j.walltime = 1L + random.nextInt(random.chance(0.5) ? longest : Math.max(1, longest / 4));
        Submission mine =
                Submission.of(j.units, j.walltime).user(random.nextInt(3)).priority(random.nextInt(4));
        mine.account(mine.user / 2);
        Submission oracleJob = Submission.of(j.units, j.walltime)
                .user(mine.user)
                .account(mine.account)
                .priority(mine.priority);
        mine.memory(memory());
        oracleJob.memory(mine.memory);
        if (reports == Reports.ALL && random.chance(0.15)) {
            mine.notBefore(now + random.nextInt(2 * longest));
            oracleJob.notBefore(mine.notBefore);
        }
        Job after = reports == Reports.ALL && random.chance(0.25) ? anyJob() : null;
        if (after != null && random.chance(0.5)) {
            mine.reservingAfter(after.mine);
            oracleJob.reservingAfter(after.oracleJob);
        } else if (after != null) {
            mine.eligibleAfter(after.mine);
            oracleJob.eligibleAfter(after.oracleJob);
        }
        j.mine = engine.submit(now, mine);
        j.oracleJob = reference.submit(now, oracleJob);
        assertThat(j.mine < 0).isEqualTo(j.oracleJob < 0);
        if (j.mine >= 0) {
            jobs.add(j);
            byHandle.put(j.mine, j);
        }
        compare();
    }

    private void report() {
        Job j = anyJob();
        int rarest = countsMemory() ? 1 : 0;
        switch (rarest + random.nextInt(3 - rarest)) {
            case 0 -> reserve();
            case 1 -> {
                if (j != null) {
                    engine.cancel(j.mine, now);
                    reference.cancel(j.oracleJob, now);
                    left(j);
                }
            }
            default -> {
                if (j != null && !j.running) {
                    j.walltime = 1 + random.nextLong(j.walltime);
                    engine.shorten(j.mine, j.walltime, now);
                    reference.shorten(j.oracleJob, j.walltime, now);
                }
            }
        }
        compare();
    }

    private boolean countsMemory() {
        return !policy.memory().equals(PoolMemory.UNCOUNTED);
    }

    /** Memory on each unit, from none to what only the largest nodes have. */
    private long memory() {
        return countsMemory() && random.chance(0.7) ? (1L + random.nextInt(12)) << 20 : 0;
    }

    private void reserve() {
        if (policy.placement() == Policy.NodeSelection.COUNT && reservations < 3) {
            long from = now + random.nextInt(40);
            long to = from + 1 + random.nextInt(20);
            int units = 1 + random.nextInt(nodes);
            reservations++;
            engine.reserve(Pools.ANY, units, from, to, now);
            reference.reserve(units, from, to, now);
            forgetPromises();
        }
    }

    private @Nullable Job anyJob() {
        return jobs.isEmpty() ? null : jobs.get(random.nextInt(jobs.size()));
    }

    private void forgetPromises() {
        jobs.forEach(j -> j.promised = BatchEngine.NEVER);
    }

    private void pass() {
        int n = engine.pass(now, started);
        int m = reference.pass(now, expected);
        assertThat(n).as("how many start at %d", now).isEqualTo(m);
        for (int i = 0; i < n; i++) {
            Job j = Objects.requireNonNull(byHandle.get(started[i]));
            assertThat(expected[i]).as("start number %d at %d", i, now).isEqualTo(j.oracleJob);
            j.running = true;
            j.promised = now;
            j.end = now + (random.chance(0.3) ? j.walltime : random.nextLong(j.walltime) + 1);
            starts++;
        }
        int used = jobs.stream().filter(j -> j.running).mapToInt(j -> j.units).sum();
        if (n > 0) {
            assertThat(used).as("units in use at %d", now).isLessThanOrEqualTo(nodes);
        }
        compare();
        for (Job j : jobs) {
            if (!j.running) {
                assertThat(engine.start(j.mine))
                        .as("planned start after the pass at %d", now)
                        .isEqualTo(reference.start(j.oracleJob));
            }
        }
        assertThat(engine.nextPass()).as("next pass after %d", now).isEqualTo(reference.nextPass());
    }

    /** In a standing plan all starts are the same at all times, and none moves later. */
    private void compare() {
        if (!policy.isConservative()) {
            return;
        }
        for (Job j : jobs) {
            long start = engine.start(j.mine);
            assertThat(start).as("planned start at %d", now).isEqualTo(reference.start(j.oracleJob));
            if (!j.running && start != BatchEngine.NEVER) {
                assertThat(start).as("promise at %d", now).isLessThanOrEqualTo(j.promised);
                moved += j.promised != BatchEngine.NEVER && start < j.promised ? 1 : 0;
                j.promised = start;
            }
        }
    }

    static JobShapes shapes(int[] units, long[] walltime, long memory) {
        JobShapes shapes = new JobShapes().needing(memory);
        for (int i = 0; i < units.length; i++) {
            shapes.add(Pools.ANY, units[i], walltime[i]);
        }
        return shapes;
    }

    /** Estimates come true in a fork in which nothing arrives and all jobs use their full request. */
    private void estimate(int longest) {
        int count = 12;
        int[] units = new int[count];
        long[] walltime = new long[count];
        for (int i = 0; i < count; i++) {
            units[i] = 1 + random.nextInt(nodes);
            walltime[i] = 1L + random.nextInt(longest);
        }
        long[] out = new long[count];
        long memory = memory();
        engine.estimate(now, shapes(units, walltime, memory), out);
        BatchEngine fork = engine.fork();
        for (int i = 0; i < count; i++) {
            engine.forkInto(fork);
            Submission job = Submission.of(units[i], walltime[i]).memory(memory).user(estimated);
            assertThat(engine.estimate(now, job)).as("one estimate of many").isEqualTo(out[i]);
            int handle = fork.submit(now, job);
            assertThat(startOf(fork, handle)).as("what then happens").isEqualTo(out[i]);
        }
        if (!policy.isConservative() || !policy.perUser().areNone()) {
            expect(fork);
        }
        expectWithout(fork, longest);
        expectMore(fork, longest);
    }

    /** The start of a job in a fork; never if it was refused. */
    private long startOf(BatchEngine fork, int handle) {
        return handle < 0 ? BatchEngine.NEVER : FullRequests.startOf(fork, handle, now);
    }

    /** So do the starts that are expected of jobs in the queue. */
    private void expect(BatchEngine fork) {
        int count = engine.queued();
        int[] queued = new int[count];
        for (int i = 0; i < count; i++) {
            queued[i] = engine.queued(i);
        }
        long[] out = new long[count];
        engine.expect(now, -1, queued, count, new JobShapes(), out);
        for (int i = 0; i < count; i++) {
            engine.forkInto(fork);
            assertThat(FullRequests.startOf(fork, queued[i], now))
                    .as("a queued one")
                    .isEqualTo(out[i]);
        }
    }

    /** And the starts of some that are submitted one after the other. */
    private void expectMore(BatchEngine fork, int longest) {
        RandomStream sizes = random.split("more");
        int[] units = {1 + sizes.nextInt(nodes), 1 + sizes.nextInt(nodes), 1 + sizes.nextInt(nodes)};
        long[] walltime = {1L + sizes.nextInt(longest), 1L + sizes.nextInt(longest), 1L + sizes.nextInt(longest)};
        long[] out = new long[units.length];
        engine.expect(now, -1, new int[0], 0, shapes(units, walltime, 0), out);
        for (int i = 0; i < units.length; i++) {
            engine.forkInto(fork);
            int[] handles = new int[units.length];
            for (int k = 0; k < units.length; k++) {
                handles[k] =
                        fork.submit(now, Submission.of(units[k], walltime[k]).user(estimated));
            }
            assertThat(startOf(fork, handles[i])).as("one of several").isEqualTo(out[i]);
        }
    }

    /** And the start of one that is submitted before another one is cancelled. */
    private void expectWithout(BatchEngine fork, int longest) {
        RandomStream sizes = random.split("without");
        for (int i = 0; i < Math.min(3, engine.queued()); i++) {
            int cancelled = engine.queued(sizes.nextInt(engine.queued()));
            int units = 1 + sizes.nextInt(nodes);
            long walltime = 1L + sizes.nextInt(longest);
            long[] out = new long[1];
            engine.expect(now, cancelled, new int[0], 0, new JobShapes().add(Pools.ANY, units, walltime), out);
            engine.forkInto(fork);
            int handle = fork.submit(now, Submission.of(units, walltime).user(estimated));
            fork.cancel(cancelled, now);
            assertThat(startOf(fork, handle)).as("one in place of another").isEqualTo(out[0]);
        }
    }

    /** Estimates in turn are those of one job after the other, each with those before it in the queue. */
    private void estimateInTurn(int longest) {
        RandomStream sizes = random.split("in turn");
        int count = 12;
        int[] units = new int[count];
        long[] walltime = new long[count];
        int widest = sizes.chance(0.5) ? 1 : nodes;
        int kinds = 1 + sizes.nextInt(4);
        for (int i = 0; i < count; i++) {
            units[i] = 1 + sizes.nextInt(widest);
            walltime[i] = Math.max(1, (1L + sizes.nextInt(kinds)) * longest / 4);
        }
        BatchEngine fork = engine.fork();
        long memory = memory();
        long[] out = new long[count];
        for (int first = 0; first < count; ) {
            int left = count - first;
            int[] nextUnits = Arrays.copyOfRange(units, first, count);
            long[] nextWalltime = Arrays.copyOfRange(walltime, first, count);
            int answered = fork.estimateInOrder(now, shapes(nextUnits, nextWalltime, memory), out);
            estimatesPerCall = Math.max(estimatesPerCall, answered);
            assertThat(answered).isBetween(1, left);
            for (int i = 0; i < answered; i++) {
                JobShapes itself = new JobShapes().needing(memory).add(Pools.ANY, nextUnits[i], nextWalltime[i]);
                long[] byItself = new long[1];
                fork.estimate(now, itself, byItself);
                assertThat(out[i]).as("estimate %d in turn", first + i).isEqualTo(byItself[0]);
                fork.submit(
                        now,
                        Submission.of(nextUnits[i], nextWalltime[i])
                                .memory(memory)
                                .user(estimated));
            }
            first += answered;
        }
    }
}
