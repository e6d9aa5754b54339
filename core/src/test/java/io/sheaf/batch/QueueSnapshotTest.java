package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.QueueSnapshot.Job;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads queue snapshots into engines, and takes snapshots of engines. */
class QueueSnapshotTest {
    private static final long AT = 1_000_000;

    private static QueueSnapshot snapshot(Policy policy, List<QueueSnapshot.Reservation> reservations, Job... jobs) {
        return new QueueSnapshot(AT, new QueueSnapshot.Capacity(4, policy), List.of(jobs), reservations);
    }

    private static long start(QueueSnapshot.Loaded loaded, int units, long walltime) {
        return loaded.engine().estimate(AT, Submission.of(units, walltime)) - AT;
    }

    /** Of 4 units, 3 are in use for 100 s more. A job of 2 waits, and behind it a job of 1 fits beside both. */
    @Test
    void runningJobsKeepTheirUnitsAndQueuedJobsTheirOrder() {
        QueueSnapshot.Loaded loaded = snapshot(
                        Policy.easy(),
                        List.of(),
                        Job.of("wide", 2, 500_000, QueueSnapshot.QUEUED),
                        Job.of("run", 3, 150_000, AT - 50_000),
                        Job.of("narrow", 1, 80_000, QueueSnapshot.QUEUED))
                .load();
        assertThat(loaded.engine().isRunning(loaded.handle(1))).isTrue();
        assertThat(loaded.engine().limit(loaded.handle(1))).isEqualTo(AT + 100_000);
        assertThat(loaded.engine().queued(0)).isEqualTo(loaded.handle(0));
        assertThat(loaded.engine().queued(1)).isEqualTo(loaded.handle(2));
        assertThat(start(loaded, 1, 20_000))
                .as("after the narrow job, which starts at once")
                .isEqualTo(80_000);
        assertThat(start(loaded, 2, 20_000)).as("beside the wide job").isEqualTo(100_000);
    }

    @Test
    void anOverdueJobEndsSoonAndAJobWithoutFreeNodesIsDropped() {
        QueueSnapshot.Loaded loaded = snapshot(
                        Policy.easy(),
                        List.of(),
                        Job.of("late", 3, 10_000, AT - 50_000),
                        Job.of("more", 2, 100_000, AT))
                .load();
        assertThat(loaded.engine().limit(loaded.handle(0))).isBetween(AT + 1, AT + 1_000);
        assertThat(loaded.handle(1)).isNegative();
    }

    @Test
    void nothingStartsInAReservation() {
        QueueSnapshot.Loaded loaded = snapshot(
                        Policy.conservative(), List.of(new QueueSnapshot.Reservation(Pools.ANY, 3, AT + 50, AT + 200)))
                .load();
        assertThat(start(loaded, 4, 50)).isZero();
        assertThat(start(loaded, 2, 51)).isEqualTo(200);
        assertThat(start(loaded, 1, 500)).isZero();
    }

    /**
     * The second job waits for the third, which is behind it in the queue. Two others wait for each other and never
     * start.
     */
    @ParameterizedTest
    @ValueSource(ints = {Policy.EASY, Policy.CONSERVATIVE})
    void aDependentJobStartsAfterItsPredecessor(int depth) {
        QueueSnapshot.Loaded loaded = snapshot(
                        Policy.depth(depth),
                        List.of(),
                        Job.of("later", 4, 100, QueueSnapshot.QUEUED).eligible(AT + 300, -1),
                        Job.of("after", 1, 10, QueueSnapshot.QUEUED).eligible(Long.MIN_VALUE, 2),
                        Job.of("before", 1, 60, QueueSnapshot.QUEUED),
                        Job.of("egg", 1, 10, QueueSnapshot.QUEUED).eligible(Long.MIN_VALUE, 4),
                        Job.of("hen", 1, 10, QueueSnapshot.QUEUED).eligible(Long.MIN_VALUE, 3),
                        Job.of("never", 1, 10, QueueSnapshot.QUEUED).eligible(Long.MAX_VALUE, -1))
                .load();
        assertThat(List.of(loaded.handle(3), loaded.handle(4), loaded.handle(5)))
                .containsOnly(-1);
        int[] queued = {loaded.handle(0), loaded.handle(1), loaded.handle(2)};
        long[] out = new long[3];
        loaded.engine().pass(AT, new int[3]);
        loaded.engine().expect(AT, -1, queued, 2, new JobShapes(), out);
        assertThat(out[0] - AT).isEqualTo(300);
        assertThat(out[1] - AT).isEqualTo(60);
        assertThat(loaded.engine().isRunning(queued[2])).isTrue();
    }

    @Test
    void aSnapshotOfAnEngineContainsItsJobs() {
        BatchEngine engine = new BatchEngine(Policy.easy(), 4);
        int own = engine.submit(AT - 50, Submission.of(3, 150));
        engine.pass(AT - 50, new int[1]);
        engine.submit(AT, Submission.of(2, 500));
        QueueSnapshot taken = QueueSnapshot.of(engine, AT, handle -> handle == own ? 7 : QueueSnapshot.OTHERS);
        assertThat(taken.capacity()).isEqualTo(new QueueSnapshot.Capacity(4, Policy.easy()));
        assertThat(taken.jobs())
                .containsExactly(
                        new Job("", 3, 150, AT - 50, Long.MIN_VALUE, -1, 7), Job.of("", 2, 500, QueueSnapshot.QUEUED));
        assertThat(taken.jobs().get(0).isOwn()).isTrue();
    }
}
