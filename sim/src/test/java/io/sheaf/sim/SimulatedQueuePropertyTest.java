package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.random.RandomStream;
import io.sheaf.testing.Shared;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares forks, steps and own jobs on random logs under random policies with a plain replay. */
class SimulatedQueuePropertyTest {
    private static final int CASES = 200;
    private static final int JOBS = 80;

    private final RandomStream seeds = new RandomStream(20_261_115);

    @Test
    void withoutOwnJobsTheQueueEqualsAReplayInAnySteps() {
        Set<JobOutcome> outcomes = EnumSet.noneOf(JobOutcome.class);
        for (int i = 0; i < CASES; i++) {
            RandomStream random = seeds.split(i);
            JobLog log = RandomLogs.log(random, JOBS);
            Policy policy = RandomLogs.policy(random);
            Seen expected = PlainReplay.run(log, new BatchEngine(policy, RandomLogs.NODES));
            outcomes.addAll(Arrays.asList(expected.outcome));
            ReplayResult replayed = Replay.run(log, new BatchEngine(policy, RandomLogs.NODES));
            for (int job = 0; job < JOBS; job++) {
                assertThat(replayed.start(job)).isEqualTo(expected.start[job]);
                assertThat(replayed.outcome(job)).isEqualTo(expected.outcome[job]);
            }
            Seen seen = new Seen(JOBS);
            SimulatedQueue queue = new SimulatedQueue(log, policy, RandomLogs.NODES);
            while (queue.next() != NEVER) {
                queue.advanceTo(queue.now() + 1 + random.nextInt(40), seen);
            }
            assertThat(seen.jobs()).as("case %d, %s", i, policy).isEqualTo(expected.jobs());
        }
        assertThat(outcomes)
                .contains(JobOutcome.COMPLETED, JobOutcome.KILLED, JobOutcome.CANCELLED, JobOutcome.REFUSED);
    }

    @Test
    void aForkAndItsOriginalAreIndependent() {
        for (int i = 0; i < CASES; i++) {
            RandomStream random = seeds.split(i);
            JobLog log = RandomLogs.log(random, JOBS);
            Policy policy = RandomLogs.policy(random);
            Seen expected = PlainReplay.run(log, new BatchEngine(policy, RandomLogs.NODES));
            SimulatedQueue original = new SimulatedQueue(log, policy, RandomLogs.NODES);
            SimulatedQueue scratch = new SimulatedQueue(log, policy, RandomLogs.NODES);
            Seen seen = new Seen(JOBS);
            for (int fork = 0; fork < 3; fork++) {
                original.advanceTo(original.now() + random.nextInt(300), seen);
                // Except for the first time, the scratch queue has been simulated with own jobs before.
                original.forkInto(scratch);
                Seen forked = new Seen(seen);
                scratch.fork().runToEnd(forked);
                assertThat(forked.jobs()).as("fork in case %d, %s", i, policy).isEqualTo(expected.jobs());
                OwnJobs own = new OwnJobs(log, random.split(fork));
                // This only informs the driver about running jobs; it acts from here on.
                own.simulate(new SimulatedQueue(log, policy, RandomLogs.NODES), original.now() + 1, false);
                own.simulate(scratch, original.now() + 200, true);
            }
            original.runToEnd(seen);
            assertThat(seen.jobs()).as("original in case %d, %s", i, policy).isEqualTo(expected.jobs());
        }
    }

    @Test
    void aForkWithOwnJobsContinuesLikeItsOriginal() {
        int expired = 0;
        int completed = 0;
        for (int i = 0; i < CASES; i++) {
            RandomStream random = seeds.split(i);
            JobLog log = RandomLogs.log(random, JOBS);
            Policy policy = RandomLogs.policy(random);
            SimulatedQueue queue = new SimulatedQueue(log, policy, RandomLogs.NODES);
            OwnJobs first = new OwnJobs(log, random.split("before"));
            first.simulate(queue, random.nextInt(400), true);
            SimulatedQueue fork = queue.fork();
            OwnJobs one = new OwnJobs(first, random.split("after"));
            OwnJobs other = new OwnJobs(first, random.split("after"));
            long until = 400L + random.nextInt(400);
            one.simulate(queue, until, true);
            one.simulate(queue, NEVER, false);
            other.simulate(fork, until, true);
            other.simulate(fork, NEVER, false);
            assertThat(other.events).as("own jobs in case %d, %s", i, policy).isEqualTo(one.events);
            assertThat(other.jobs()).as("case %d, %s", i, policy).isEqualTo(one.jobs());
            assertThat(queue.ownJobs()).isZero();
            expired += one.expired;
            completed += one.completed;
        }
        assertThat(expired).isGreaterThan(CASES);
        assertThat(completed).isGreaterThan(CASES);
    }

    @ParameterizedTest
    @EnumSource(TraceRules.Cancelled.class)
    void aYearOfARealLogEqualsAReplay(TraceRules.Cancelled cancelled) {
        JobLog log = TraceRules.forNodes(100)
                .with(cancelled)
                .apply(SwfReader.strict().read(Source.of(Shared.path("data/workloads/KTH-SP2-1996-2.1-cln.swf.gz"))))
                .jobs();
        Seen expected = PlainReplay.run(log, new BatchEngine(Policy.conservative(), 100));
        Seen seen = new Seen(log.size());
        SimulatedQueue queue = new SimulatedQueue(log, Policy.conservative(), 100);
        SimulatedQueue scratch = queue.fork();
        while (queue.next() != NEVER) {
            queue.advanceTo(queue.next() + 86_400_000, seen);
            queue.forkInto(scratch);
            scratch.forkInto(queue);
        }
        assertThat(seen.start).isEqualTo(expected.start);
        assertThat(seen.left).isEqualTo(expected.left);
        assertThat(log.size()).isGreaterThan(28_000);
    }
}
