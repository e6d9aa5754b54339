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
 * Sends the same random events to an engine and a reference scheduler, and compares their starts and plans after every
 * event.
 */
final class Lockstep {
    /** Which events occur. */
    enum Events {
        ARRIVALS_AND_ENDS,
        ALL
    }

    /** Our user, if limits per user apply; it also has other jobs. */
    static final int OWN = 1;

    private static final class Job {
        int engineJob;
        int referenceJob;
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
    private final Events events;
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
    /** The maximum number of estimates in turn that one call returned. */
    int estimatesPerCall;

    Lockstep(Policy policy, int nodes, ReferenceScheduler reference, Events events, RandomStream random) {
        this.policy = policy;
        this.nodes = nodes;
        // Half of the engines use the code for long queues on short ones.
        engine = new BatchEngine(policy, nodes, random.chance(0.5) ? 2 : StandingPlan.MANY);
        this.reference = reference;
        this.events = events;
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
            endJobs();
            boolean rare = events == Events.ALL && random.chance(0.4);
            if (rare) {
                rareEvent();
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

    private void endJobs() {
        for (Job j : List.copyOf(jobs)) {
            if (j.running && j.end == now) {
                engine.complete(j.engineJob, now);
                reference.complete(j.referenceJob, now);
                remove(j);
                compare();
            }
        }
    }

    private void remove(Job j) {
        j.running = false;
        byHandle.remove(j.engineJob);
        jobs.remove(j);
    }

    private void submit(int longest) {
        Job j = new Job();
        j.units = 1 + random.nextInt(random.chance(0.5) ? nodes : Math.max(1, nodes / 3));
        j.walltime = 1L + random.nextInt(random.chance(0.5) ? longest : Math.max(1, longest / 4));
        Submission engineJob =
                Submission.of(j.units, j.walltime).user(random.nextInt(3)).priority(random.nextInt(4));
        engineJob.account(engineJob.user / 2);
        Submission referenceJob = Submission.of(j.units, j.walltime)
                .user(engineJob.user)
                .account(engineJob.account)
                .priority(engineJob.priority);
        engineJob.memory(memory());
        referenceJob.memory(engineJob.memory);
        if (events == Events.ALL && random.chance(0.15)) {
            engineJob.notBefore(now + random.nextInt(2 * longest));
            referenceJob.notBefore(engineJob.notBefore);
        }
        Job after = events == Events.ALL && random.chance(0.25) ? anyJob() : null;
        if (after != null && random.chance(0.5)) {
            engineJob.reservingAfter(after.engineJob);
            referenceJob.reservingAfter(after.referenceJob);
        } else if (after != null) {
            engineJob.eligibleAfter(after.engineJob);
            referenceJob.eligibleAfter(after.referenceJob);
        }
        j.engineJob = engine.submit(now, engineJob);
        j.referenceJob = reference.submit(now, referenceJob);
        assertThat(j.engineJob < 0).isEqualTo(j.referenceJob < 0);
        if (j.engineJob >= 0) {
            jobs.add(j);
            byHandle.put(j.engineJob, j);
        }
        compare();
    }

    private void rareEvent() {
        Job j = anyJob();
        int rarest = countsMemory() ? 1 : 0;
        switch (rarest + random.nextInt(3 - rarest)) {
            case 0 -> reserve();
            case 1 -> {
                if (j != null) {
                    engine.cancel(j.engineJob, now);
                    reference.cancel(j.referenceJob, now);
                    remove(j);
                }
            }
            default -> {
                if (j != null && !j.running) {
                    j.walltime = 1 + random.nextLong(j.walltime);
                    engine.shorten(j.engineJob, j.walltime, now);
                    reference.shorten(j.referenceJob, j.walltime, now);
                }
            }
        }
        compare();
    }

    private boolean countsMemory() {
        return !policy.memory().equals(PoolMemory.UNCOUNTED);
    }

    /** Memory of each unit, from none to an amount that only the largest nodes have. */
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
        assertThat(n).as("number of starts at %d", now).isEqualTo(m);
        for (int i = 0; i < n; i++) {
            Job j = Objects.requireNonNull(byHandle.get(started[i]));
            assertThat(expected[i]).as("job of start %d at %d", i, now).isEqualTo(j.referenceJob);
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
                assertThat(engine.start(j.engineJob))
                        .as("planned start after the pass at %d", now)
                        .isEqualTo(reference.start(j.referenceJob));
            }
        }
        assertThat(engine.nextPass()).as("next pass after %d", now).isEqualTo(reference.nextPass());
    }

    /** Compares the starts of a standing plan, of which none may move later. */
    private void compare() {
        if (!policy.isConservative()) {
            return;
        }
        for (Job j : jobs) {
            long start = engine.start(j.engineJob);
            assertThat(start).as("planned start at %d", now).isEqualTo(reference.start(j.referenceJob));
            if (!j.running && start != BatchEngine.NEVER) {
                assertThat(start)
                        .as("planned start at %d, not later than before", now)
                        .isLessThanOrEqualTo(j.promised);
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

    /** Estimates come true in a fork in which no job arrives and all jobs use their full walltime. */
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
            assertThat(startOf(fork, handle)).as("start in the fork").isEqualTo(out[i]);
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

    /** The expected starts of queued jobs come true in such a fork, too. */
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
                    .as("a queued job")
                    .isEqualTo(out[i]);
        }
    }

    /** The expected starts of jobs that are submitted one after the other come true, too. */
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
            assertThat(startOf(fork, handles[i])).as("one of several jobs").isEqualTo(out[i]);
        }
    }

    /** The expected start of a job comes true, too, if another job is cancelled after the submission. */
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
            assertThat(startOf(fork, handle)).as("a job before a cancellation").isEqualTo(out[0]);
        }
    }

    /** Estimates in turn equal those of single jobs that are submitted one after the other. */
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
