package io.sheaf.runtime.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No more reaches a back end than the site allows, over all runs of a user; the rest waits and is not lost. */
class BoundedBackendTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final Request REQUEST = Request.of(2, 600_000);

    @TempDir
    Path folder = Path.of("");

    private final List<String> messages = new ArrayList<>();

    /** Takes note of what it is told, and tells what a test wants. */
    private static final class Scripted implements Cluster {
        final List<String> told = new ArrayList<>();
        final List<Event> events = new ArrayList<>();

        @Override
        public void submit(long token, Request request) {
            told.add("submit " + token + " " + request.walltime());
        }

        @Override
        public void cancel(long token) {
            told.add("cancel " + token);
        }

        @Override
        public void shorten(long token, long walltime) {
            told.add("shorten " + token);
        }

        @Override
        public void release(long token) {
            told.add("release " + token);
        }

        @Override
        public long turn(long now, Consumer<Event> to) {
            events.forEach(to);
            events.clear();
            return NEVER;
        }

        @Override
        public void reconcile(Collection<Long> tokens) {
            told.add("reconcile " + tokens);
        }

        @Override
        public StartEstimator estimator() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int nodes() {
            return 8;
        }

        @Override
        public int coresPerNode() {
            return 1;
        }

        @Override
        public void close() {
            told.add("close");
        }
    }

    private BoundedBackend bounded(Scripted inner, String run, int queued, int submissions, int cancellations) {
        return new BoundedBackend(
                inner,
                new SiteBounds(queued, submissions, cancellations, null),
                new Ledger(folder),
                run,
                NOW,
                messages::add);
    }

    private static List<Event> turn(BoundedBackend bounded, long at) throws IOException {
        List<Event> events = new ArrayList<>();
        bounded.turn(at, events::add);
        return events;
    }

    @Test
    void queuedPilotJobsOfAllRunsTogether() throws IOException {
        Scripted first = new Scripted();
        Scripted second = new Scripted();
        BoundedBackend one = bounded(first, "a", 2, SiteBounds.ANY, SiteBounds.ANY);
        BoundedBackend other = bounded(second, "b", 2, SiteBounds.ANY, SiteBounds.ANY);
        one.submit(1, REQUEST);
        turn(one, NOW);
        other.submit(1, REQUEST);
        other.submit(2, REQUEST);
        assertThat(other.turn(NOW, e -> {})).isEqualTo(NOW + 10_000);
        assertThat(first.told).containsExactly("submit 1 600000");
        assertThat(second.told).containsExactly("submit 1 600000");
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0)).contains("2 queued pilot jobs");
        first.events.add(new Event.Started(NOW + 5_000, 1));
        turn(one, NOW + 5_000);
        turn(other, NOW + 5_000);
        assertThat(second.told).hasSize(1);
        turn(other, NOW + 10_000);
        assertThat(second.told).containsExactly("submit 1 600000", "submit 2 600000");
    }

    @Test
    void submissionsInAnHour() throws IOException {
        Scripted inner = new Scripted();
        BoundedBackend bounded = bounded(inner, "a", SiteBounds.ANY, 2, SiteBounds.ANY);
        for (int token = 1; token <= 3; token++) {
            bounded.submit(token, REQUEST);
            turn(bounded, NOW);
        }
        assertThat(inner.told).hasSize(2);
        bounded.shorten(3, 60_000);
        turn(bounded, NOW + Ledger.HOUR);
        assertThat(inner.told).containsExactly("submit 1 600000", "submit 2 600000", "submit 3 60000");
    }

    @Test
    void whatWaitsCanBeCancelled() throws IOException {
        Scripted inner = new Scripted();
        BoundedBackend bounded = bounded(inner, "a", 1, SiteBounds.ANY, SiteBounds.ANY);
        bounded.submit(1, REQUEST);
        bounded.submit(2, REQUEST);
        turn(bounded, NOW);
        bounded.cancel(2);
        assertThat(turn(bounded, NOW + 1)).containsExactly(new Event.Ended(NOW, 2, Event.End.CANCELLED));
        turn(bounded, NOW + 20_000);
        assertThat(inner.told).containsExactly("submit 1 600000");
    }

    @Test
    void cancellationsInAnHour() throws IOException {
        Scripted inner = new Scripted();
        BoundedBackend bounded = bounded(inner, "a", SiteBounds.ANY, SiteBounds.ANY, 1);
        bounded.cancel(1);
        bounded.cancel(2);
        bounded.cancel(2);
        turn(bounded, NOW);
        bounded.release(3);
        assertThat(inner.told).containsExactly("cancel 1", "release 3");
        turn(bounded, NOW + Ledger.HOUR);
        assertThat(inner.told).containsExactly("cancel 1", "release 3", "cancel 2");
    }

    /** A process is killed and another takes charge: what was submitted counts once, and is given back when it starts. */
    @Test
    void afterARestart() throws IOException {
        BoundedBackend before = bounded(new Scripted(), "a", 2, 2, SiteBounds.ANY);
        before.submit(1, REQUEST);
        before.submit(2, REQUEST);
        turn(before, NOW);
        Scripted inner = new Scripted();
        BoundedBackend after = bounded(inner, "a", 2, 2, SiteBounds.ANY);
        after.submit(1, REQUEST);
        after.reconcile(List.of(2L));
        turn(after, NOW + 1);
        assertThat(inner.told).containsExactly("reconcile [2]", "submit 1 600000");
        inner.events.add(new Event.Started(NOW + 2, 2));
        turn(after, NOW + 2);
        assertThat(new Ledger(folder).taken("queued", NOW + 2)).isEqualTo(1);
    }

    /** Places are kept as long as a pilot job is queued, however long that takes. */
    @Test
    void aLongWait() throws IOException {
        Scripted inner = new Scripted();
        BoundedBackend bounded = bounded(inner, "a", 1, SiteBounds.ANY, SiteBounds.ANY);
        bounded.submit(1, REQUEST);
        long at = NOW;
        for (int i = 0; i < 20; i++) {
            at = Math.min(bounded.turn(at, e -> {}), at + Ledger.HOUR);
        }
        assertThat(at).isGreaterThan(NOW + 2 * Ledger.HOUR);
        assertThat(new Ledger(folder).take("queued", 1, "b/1", at)).isFalse();
    }
}
