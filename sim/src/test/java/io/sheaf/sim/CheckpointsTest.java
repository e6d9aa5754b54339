package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckpointsTest {
    private static final int JOBS = 150;

    private final RandomStream random = new RandomStream(4);
    private final JobLog log = RandomLogs.log(random, JOBS);
    private final long[] instants =
            IntStream.range(0, 60).mapToLong(i -> 10L * i).toArray();

    @Test
    void aCheckpointIsTheQueueJustBeforeItsInstant() {
        Policy policy = Policy.conservative();
        Checkpoints checkpoints = new Checkpoints(log, policy, RandomLogs.NODES, instants, NEVER);
        Seen expected = PlainReplay.run(log, new BatchEngine(policy, RandomLogs.NODES));
        SimulatedQueue scratch = checkpoints.fork(3);
        for (int i = 0; i < checkpoints.size(); i++) {
            long at = checkpoints.instant(i);
            checkpoints.forkInto(i, scratch);
            Seen seen = new Seen(JOBS);
            scratch.open(at, seen);
            scratch.pass(seen);
            scratch.runToEnd(seen);
            for (int job = 0; job < JOBS; job++) {
                boolean before = expected.start[job] != NEVER && expected.start[job] < at;
                assertThat(seen.start[job]).isEqualTo(before ? NEVER : expected.start[job]);
                boolean ended = expected.left[job] < at;
                assertThat(seen.left[job]).isEqualTo(ended ? NEVER : expected.left[job]);
            }
        }
    }

    @Test
    void theBaselineIsTheBackgroundWithoutOwnJobs() {
        Policy policy = Policy.easy();
        Seen expected = PlainReplay.run(log, new BatchEngine(policy, RandomLogs.NODES));
        for (long until : new long[] {590, 700, NEVER}) {
            Baseline baseline = new Checkpoints(log, policy, RandomLogs.NODES, instants, until).baseline();
            assertThat(baseline.until()).isEqualTo(until);
            for (int job = 0; job < JOBS; job++) {
                long waitEnd = expected.outcome[job] == JobOutcome.CANCELLED ? expected.left[job] : expected.start[job];
                if (expected.outcome[job] == JobOutcome.REFUSED) {
                    assertThat(baseline.isRefused(job)).isEqualTo(log.submit(job) <= until);
                } else {
                    assertThat(baseline.waitEnd(job)).isEqualTo(waitEnd <= until ? waitEnd : NEVER);
                }
            }
        }
    }

    /** Many threads fork, submit and simulate concurrently; the result for each instant is that of a single thread. */
    @Test
    void checkpointsCanBeForkedByManyThreads() {
        Checkpoints checkpoints = new Checkpoints(log, Policy.conservative(), RandomLogs.NODES, instants, NEVER);
        List<List<String>> alone = IntStream.range(0, 60)
                .mapToObj(i -> simulated(checkpoints, i, checkpoints.fork(0)))
                .toList();
        ThreadLocal<SimulatedQueue> scratch = ThreadLocal.withInitial(() -> checkpoints.fork(59));
        for (int round = 0; round < 5; round++) {
            List<List<String>> together = IntStream.range(0, 60)
                    .parallel()
                    .mapToObj(i -> simulated(checkpoints, i, scratch.get()))
                    .toList();
            assertThat(together).isEqualTo(alone);
        }
    }

    private List<String> simulated(Checkpoints checkpoints, int i, SimulatedQueue queue) {
        checkpoints.forkInto(i, queue);
        OwnJobs own = new OwnJobs(log, random.split(i));
        own.simulate(new SimulatedQueue(log, Policy.conservative(), RandomLogs.NODES), checkpoints.instant(i), false);
        own.simulate(queue, checkpoints.instant(i) + 100, true);
        own.simulate(queue, NEVER, false);
        return own.jobs();
    }

    @Test
    void instantsThatDoNotAscendAreRefused() {
        assertThatThrownBy(() -> new Checkpoints(log, Policy.easy(), 4, new long[] {5, 4}, NEVER))
                .hasMessageContaining("4 does not fit");
        assertThatThrownBy(() -> new Checkpoints(log, Policy.easy(), 4, new long[] {-1}, NEVER))
                .hasMessageContaining("-1 does not fit");
        SimulatedQueue twice = new Checkpoints(log, Policy.easy(), 4, new long[] {0, 0}, 9).fork(1);
        assertThat(twice.submit(Submission.of(1, 1))).isZero();
    }
}
