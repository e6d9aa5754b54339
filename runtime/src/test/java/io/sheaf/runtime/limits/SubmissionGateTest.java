package io.sheaf.runtime.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.NotedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate limits submissions and cancellations of all runs of a user as the site allows, and delays the rest. */
class SubmissionGateTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final Request REQUEST = Request.of(2, 600_000);

    @TempDir
    Path folder = Path.of("");

    private final List<String> messages = new ArrayList<>();

    /** Records walltimes, too. */
    private static final class Scripted extends NotedCluster {
        @Override
        public void submit(long token, Request request) {
            commands.add("submit " + token + " " + request.walltime());
        }
    }

    private SubmissionGate gate(Scripted inner, String run, int queued, int submissions, int cancellations) {
        return new SubmissionGate(
                inner,
                AgentReserve.NONE,
                new SubmissionLimits(queued, submissions, cancellations, null),
                new Ledger(folder),
                run,
                NOW,
                messages::add);
    }

    /** A turn as the run loop does it. */
    private static List<Event> turn(SubmissionGate gate, Scripted cluster, long at) throws IOException {
        List<Event> events = new ArrayList<>();
        gate.turn(at, events::add);
        cluster.turn(at, event -> {
            gate.happened(event);
            events.add(event);
        });
        return events;
    }

    @Test
    void queuedPilotJobsOfAllRunsAreLimited() throws IOException {
        Scripted first = new Scripted();
        Scripted second = new Scripted();
        SubmissionGate one = gate(first, "a", 2, SubmissionLimits.ANY, SubmissionLimits.ANY);
        SubmissionGate other = gate(second, "b", 2, SubmissionLimits.ANY, SubmissionLimits.ANY);
        one.submit(1, REQUEST);
        turn(one, first, NOW);
        other.submit(1, REQUEST);
        other.submit(2, REQUEST);
        turn(other, second, NOW);
        assertThat(other.due()).isEqualTo(NOW + 10_000);
        assertThat(first.commands).containsExactly("submit 1 600000");
        assertThat(second.commands).containsExactly("submit 1 600000");
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0)).contains("2 queued pilot jobs");
        first.events.add(new Event.Started(NOW + 5_000, 1));
        turn(one, first, NOW + 5_000);
        turn(other, second, NOW + 5_000);
        assertThat(second.commands).hasSize(1);
        turn(other, second, NOW + 10_000);
        assertThat(second.commands).containsExactly("submit 1 600000", "submit 2 600000");
    }

    @Test
    void submissionsPerHourAreLimited() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = gate(inner, "a", SubmissionLimits.ANY, 2, SubmissionLimits.ANY);
        for (int token = 1; token <= 3; token++) {
            gate.submit(token, REQUEST);
            turn(gate, inner, NOW);
        }
        assertThat(inner.commands).hasSize(2);
        gate.shorten(3, 60_000);
        turn(gate, inner, NOW + Ledger.HOUR);
        assertThat(inner.commands).containsExactly("submit 1 600000", "submit 2 600000", "submit 3 60000");
    }

    @Test
    void aDelayedSubmissionCanBeCancelled() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = gate(inner, "a", 1, SubmissionLimits.ANY, SubmissionLimits.ANY);
        gate.submit(1, REQUEST);
        gate.submit(2, REQUEST);
        turn(gate, inner, NOW);
        gate.cancel(2);
        assertThat(turn(gate, inner, NOW + 1)).containsExactly(new Event.Ended(NOW, 2, Event.End.CANCELLED));
        turn(gate, inner, NOW + 20_000);
        assertThat(inner.commands).containsExactly("submit 1 600000");
    }

    @Test
    void cancellationsPerHourAreLimited() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = gate(inner, "a", SubmissionLimits.ANY, SubmissionLimits.ANY, 1);
        gate.cancel(1);
        gate.cancel(2);
        gate.cancel(2);
        turn(gate, inner, NOW);
        assertThat(inner.commands).containsExactly("cancel 1");
        turn(gate, inner, NOW + Ledger.HOUR);
        assertThat(inner.commands).containsExactly("cancel 1", "cancel 2");
    }

    @Test
    void withoutLimitsRequestsPassAtOnceWithTheReserve() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = SubmissionGate.unlimited(inner, new AgentReserve(13_000, () -> Cluster.NEVER));
        gate.submit(1, REQUEST);
        gate.shorten(1, 47_000);
        gate.cancel(1);
        assertThat(inner.commands).containsExactly("submit 1 613000", "shorten 1", "cancel 1");
        assertThat(turn(gate, inner, NOW)).isEmpty();
        assertThat(gate.due()).isEqualTo(Cluster.NEVER);
    }

    @Test
    void delayedRequestsAreExtendedByTheReserve() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = new SubmissionGate(
                inner,
                new AgentReserve(13_000, () -> Cluster.NEVER),
                new SubmissionLimits(1, SubmissionLimits.ANY, SubmissionLimits.ANY, null),
                new Ledger(folder),
                "a",
                NOW,
                messages::add);
        gate.submit(1, REQUEST);
        gate.shorten(1, 47_000);
        turn(gate, inner, NOW);
        assertThat(inner.commands).containsExactly("submit 1 60000");
    }

    /**
     * A process is killed and another takes the lease: each submission counts once, and its slot is released when the
     * job starts.
     */
    @Test
    void submissionsCountOnceAfterARestart() throws IOException {
        Scripted old = new Scripted();
        SubmissionGate before = gate(old, "a", 2, 2, SubmissionLimits.ANY);
        before.submit(1, REQUEST);
        before.submit(2, REQUEST);
        turn(before, old, NOW);
        Scripted inner = new Scripted();
        SubmissionGate after = gate(inner, "a", 2, 2, SubmissionLimits.ANY);
        after.submit(1, REQUEST);
        after.reconcile(List.of(2L));
        turn(after, inner, NOW + 1);
        assertThat(inner.commands).containsExactly("submit 1 600000");
        inner.events.add(new Event.Started(NOW + 2, 2));
        turn(after, inner, NOW + 2);
        assertThat(LedgerTest.inUse(folder, "queued", NOW + 2)).isEqualTo(1);
    }

    /** A pilot job keeps its slot as long as it is queued. */
    @Test
    void aQueuedPilotJobKeepsItsSlotDuringALongWait() throws IOException {
        Scripted inner = new Scripted();
        SubmissionGate gate = gate(inner, "a", 1, SubmissionLimits.ANY, SubmissionLimits.ANY);
        gate.submit(1, REQUEST);
        long at = NOW;
        for (int i = 0; i < 20; i++) {
            turn(gate, inner, at);
            at = Math.min(gate.due(), at + Ledger.HOUR);
        }
        assertThat(at).isGreaterThan(NOW + 2 * Ledger.HOUR);
        assertThat(new Ledger(folder).acquire("queued", 1, "b/1", at)).isFalse();
    }
}
