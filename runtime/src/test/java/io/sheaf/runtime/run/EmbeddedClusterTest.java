package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded cluster on a virtual clock, with agents that do nothing. */
class EmbeddedClusterTest {
    private static final long BASE = 1_000_000;
    private static final long MINUTE = 60_000;

    @TempDir
    Path folder = Path.of("");

    private final VirtualAgents agents = new VirtualAgents(task -> 1, () -> {});
    private final List<Event> received = new ArrayList<>();
    private ClusterShape shape = Shapes.of(4, 1);
    private long clock = BASE;
    private Journal journal;
    private EmbeddedCluster cluster;

    @BeforeEach
    void begin() throws IOException {
        agents.advanceTo(clock);
        restart();
    }

    @AfterEach
    void end() {
        journal.close();
    }

    private void restart() throws IOException {
        agents.begin();
        if (journal != null) {
            journal.close();
        }
        journal = Journal.open(folder.resolve(shape.background()), "test", message -> {});
        cluster = new EmbeddedCluster(shape, journal, agents, () -> clock);
        received.clear();
    }

    /** Turns until nothing is due before an instant. */
    private void advanceTo(long until) throws IOException {
        long due = cluster.turn(clock, received::add);
        while (Math.min(due, agents.next()) <= until) {
            clock = Math.max(clock, Math.min(due, agents.next()));
            agents.advanceTo(clock);
            due = cluster.turn(clock, received::add);
        }
        clock = until;
        agents.advanceTo(clock);
        cluster.turn(clock, received::add);
    }

    @Test
    void pilotJobsWaitForEachOtherAndExpire() throws IOException {
        cluster.submit(1, Request.of(3, MINUTE));
        cluster.submit(2, Request.of(2, MINUTE));
        cluster.submit(3, Request.of(1, MINUTE / 2));
        advanceTo(BASE);
        assertThat(received)
                .containsExactly(
                        new Event.Accepted(BASE, 1),
                        new Event.Accepted(BASE, 2),
                        new Event.Accepted(BASE, 3),
                        new Event.Started(BASE, 1, false),
                        // Backfilled: it ends before the second could start.
                        new Event.Started(BASE, 3, false));
        received.clear();
        assertThat(plannedStart(2)).isEqualTo(BASE + MINUTE);
        advanceTo(BASE + 3 * MINUTE);
        // The agents of 1 end two seconds before the walltime; only then are its nodes free.
        assertThat(received)
                .containsExactly(
                        new Event.Ended(BASE + MINUTE / 2 - 2_000, 3, Event.End.EXPIRED),
                        new Event.Ended(BASE + MINUTE - 2_000, 1, Event.End.EXPIRED),
                        new Event.Started(BASE + MINUTE - 2_000, 2, false),
                        new Event.Ended(BASE + 2 * MINUTE - 4_000, 2, Event.End.EXPIRED));
    }

    @Test
    void tooLargeAndUnknownJobsAreReported() throws IOException {
        cluster.submit(1, Request.of(5, MINUTE));
        cluster.cancel(7);
        cluster.reconcile(List.of(8L));
        advanceTo(BASE);
        assertThat(received)
                .containsExactly(
                        new Event.Refused(BASE, 1, "5 nodes requested, the cluster has 4"),
                        new Event.Ended(BASE, 7, Event.End.CANCELLED),
                        new Event.Ended(BASE, 8, Event.End.LOST));
        received.clear();
        // A cancellation that overtook its submission.
        cluster.submit(7, Request.of(1, MINUTE));
        advanceTo(BASE);
        assertThat(received).containsExactly(new Event.Ended(BASE, 7, Event.End.CANCELLED));
    }

    @Test
    void deadNodesAreReportedBeforeTheEndOfTheirPilotJob() throws IOException {
        cluster.submit(1, Request.of(2, 2 * MINUTE));
        advanceTo(BASE + 1_000);
        received.clear();
        agents.die(new io.sheaf.agent.protocol.AgentId(1, 1));
        advanceTo(BASE + 2_000);
        agents.die(new io.sheaf.agent.protocol.AgentId(1, 0));
        advanceTo(BASE + 3_000);
        assertThat(received)
                .containsExactly(
                        new Event.NodeLost(BASE + 1_000, 1, 1),
                        new Event.NodeLost(BASE + 2_000, 1, 0),
                        new Event.Ended(BASE + 2_000, 1, Event.End.BROKEN));
    }

    @Test
    void aRestartRestoresJobsAndEstimates() throws IOException {
        shape = Shapes.of(4, 1, "kth-like@60x", 1);
        restart();
        cluster.submit(1, Request.of(2, 5 * MINUTE));
        cluster.submit(2, Request.of(4, MINUTE));
        cluster.submit(3, Request.of(1, MINUTE));
        cluster.shorten(2, MINUTE / 2);
        advanceTo(BASE + 2 * MINUTE);
        cluster.cancel(3);
        advanceTo(BASE + 3 * MINUTE);
        // A pass becomes durable with the next reported event. It must be, since starts of background jobs determine
        // their ends.
        cluster.reconcile(List.of(1L));
        advanceTo(clock);
        received.clear();
        long[] before = starts();
        long planned = plannedStart(2);
        restart();
        assertThat(starts()).isEqualTo(before);
        assertThat(plannedStart(2)).isEqualTo(planned);
        cluster.submit(1, Request.of(2, 5 * MINUTE));
        advanceTo(clock);
        assertThat(received).as("reported again, not submitted again").hasSize(1);
        assertThat(received.get(0)).isNotInstanceOf(Event.Refused.class);
    }

    @Test
    void ownJobsWaitForBackgroundJobs() throws IOException {
        shape = Shapes.of(4, 1, "sdsc-like@600x", 2);
        restart();
        int waited = 0;
        for (int i = 1; i <= 20; i++) {
            cluster.submit(i, Request.of(4, 10_000));
            advanceTo(clock + MINUTE);
            long token = i;
            long started = received.stream()
                    .filter(e -> e instanceof Event.Started s && s.token() == token)
                    .mapToLong(Event::at)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            waited += started > clock - MINUTE ? 1 : 0;
        }
        assertThat(waited).isGreaterThan(2);
    }

    @Test
    void anUnknownBackgroundIsRefused() {
        assertThatThrownBy(() -> Shapes.of(4, 1, "kht-like@60x", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("kth-like");
        assertThatThrownBy(() -> Shapes.of(4, 1, "kth-like@fast", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("kth-like@60x");
    }

    private long plannedStart(long token) {
        return cluster.estimator()
                .estimate(StartQuery.ofQueued(clock, new long[] {token}, 1))
                .queued(0);
    }

    private long[] starts() {
        StartQuery query = StartQuery.of(clock, 0, 1, MINUTE);
        StartTimes starts = cluster.estimator()
                .estimate(query.add(0, 2, MINUTE).add(0, 3, MINUTE).add(0, 4, MINUTE));
        return new long[] {starts.job(0), starts.job(1), starts.job(2), starts.job(3)};
    }
}
