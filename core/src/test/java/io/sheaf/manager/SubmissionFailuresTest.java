package io.sheaf.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.NodeLost;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Refused;
import io.sheaf.manager.Event.Resumed;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.Woken;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batch systems that refuse submissions, or whose nodes never connect. */
class SubmissionFailuresTest {
    private final Rig rig = new Rig(Rig.vee(), Rules.DEFAULT, 1);

    @Test
    void theWaitDoublesAfterEachRefusalAndTenPauseTheRun() {
        // 10, 20, 40 … 320 s after each of the first six, then ten minutes.
        long[] waits = {10, 20, 40, 80, 160, 320, 600, 600, 600};
        long at = 0;
        for (int i = 0; i < waits.length; i++) {
            rig.on(new Refused(at, i + 1, "queue is closed"));
            long next = at + waits[i] * 1000;
            assertThat(rig.settle(at)).containsExactly("wake " + next);
            assertThat(rig.settle(next - 1)).isEmpty();
            rig.next(Rig.submit(1));
            rig.on(new Woken(next));
            assertThat(rig.settle(next)).containsExactly("submit " + (i + 2) + " 1x60000");
            at = next;
        }
        assertThat(rig.manager.paused()).isNull();
        rig.on(new Refused(at, 10, "queue is closed"));
        assertThat(rig.manager.paused())
                .isEqualTo("10 submissions in a row were refused, the last one because: queue is closed");
        rig.next(Rig.submit(1));
        rig.on(new Woken(at + 3_600_000));
        assertThat(rig.settle(at + 3_600_000)).isEmpty();
        rig.on(new Resumed(at + 3_600_001));
        assertThat(rig.settle(at + 3_600_001)).containsExactly("submit 11 1x60000");
    }

    /** A batch system may accept a job that it would never start. */
    @Test
    void jobsRefusedAfterAcceptanceCountAsRefusals() {
        long at = 0;
        for (int i = 1; i <= 10; i++) {
            assertThat(rig.manager.paused()).isNull();
            rig.on(new Accepted(at, i));
            rig.on(new Refused(at + 1, i, "it would never start"));
            at += 700_000;
            rig.settle(at - 699_000);
            rig.next(Rig.submit(1));
            rig.on(new Woken(at));
            rig.settle(at);
        }
        assertThat(rig.manager.paused())
                .isEqualTo("10 submissions in a row were refused, the last one because: it would never start");
    }

    @Test
    void anAcceptedJobResetsTheCountOfRefusals() {
        for (int i = 1; i <= 12; i++) {
            rig.on(new Refused(i * 10_000L, i, "no"));
            rig.settle(i * 10_000L);
            rig.next(Rig.submit(1), Rig.submit(1));
            rig.settle(i * 10_000L + 10_000);
            rig.on(new Accepted(i * 10_000L + 10_000, 2L * i));
            rig.on(new Refused(i * 10_000L + 10_000, 2L * i + 1, "no"));
            assertThat(rig.manager.paused()).isNull();
        }
    }

    @Test
    void threePilotJobsWithoutAConnectedNodePauseTheRun() {
        End[] ends = {End.BROKEN, End.LOST, End.EXPIRED};
        long at = 0;
        for (int i = 0; i < 3; i++) {
            assertThat(rig.manager.paused()).isNull();
            // With or without a report of the start, no node connects.
            if (i > 0) {
                rig.on(new Started(at, i + 1, false));
            }
            rig.on(new Ended(at + 1, i + 1, ends[i]));
            rig.next(Rig.submit(1));
            rig.settle(at + 1);
            at += 100_000;
            rig.settle(at);
        }
        assertThat(rig.manager.paused())
                .isEqualTo("3 pilot jobs in a row ended before an agent connected; the last one was expired");
    }

    /**
     * The batch system reports lost nodes before the end of the pilot job. The wait of 10 and then 20 s starts with
     * that report.
     */
    @Test
    void nodesLostBeforeTheyConnectCountTheSame() {
        long[] waits = {10_000, 20_000};
        long at = 0;
        for (int i = 1; i <= 3; i++) {
            assertThat(rig.manager.paused()).isNull();
            rig.on(new Started(at, i, false));
            rig.on(new NodeLost(at + 1, i, 0));
            rig.next(Rig.submit(1));
            List<String> effects = rig.settle(at + 1);
            rig.on(new Ended(at + 2, i, End.BROKEN));
            if (i < 3) {
                assertThat(effects).containsExactly("wake " + (at + 1 + waits[i - 1]));
                assertThat(rig.settle(at + 2)).isEmpty();
                at += 1 + waits[i - 1];
                assertThat(rig.settle(at)).containsExactly("submit " + (i + 1) + " 1x60000");
            }
        }
        assertThat(rig.manager.paused())
                .isEqualTo("3 pilot jobs in a row ended before an agent connected; the last one lost its nodes");
    }

    @Test
    void aNodeThatConnectsLateResetsTheCount() {
        for (int i = 0; i < 8; i++) {
            long at = i * 1_000_000L;
            rig.on(new Ended(at, i + 1, End.LOST));
            if (i % 2 == 1) {
                rig.on(new NodeUp(at, i + 1, 0));
            }
            rig.next(Rig.submit(1));
            rig.settle(at + 500_000);
        }
        assertThat(rig.manager.paused()).isNull();
    }

    @Test
    void aPilotJobWhoseNodesDoNotConnectInTimeIsCancelled() {
        Rig patient = new Rig(Rig.vee(), Rules.DEFAULT.callWithin(30_000), 2);
        patient.on(new Started(1_000, 1, false));
        assertThat(patient.settle(1_000)).containsExactly("wake 31000");
        assertThat(patient.settle(30_999)).isEmpty();
        assertThat(patient.settle(31_000)).containsExactly("cancel 1", "wake 41000");
        assertThat(patient.manager.expiries()).isEqualTo(1);
        patient.on(new Ended(32_000, 1, End.CANCELLED));
        patient.next(Rig.submit(1));
        assertThat(patient.settle(41_000)).containsExactly("submit 2 1x60000");
        patient.on(new NodeUp(42_000, 2, 0));
        assertThat(patient.settle(90_000))
                .as("a job whose node connected is not cancelled")
                .isEmpty();
    }
}
