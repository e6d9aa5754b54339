package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.AgentSettings;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Estimator;
import io.sheaf.strategy.Profile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks have the whole walltime that a strategy asked for: what agents keep is asked for in addition. */
class KeptTimeTest {
    private static final long MINUTE = 60_000;

    /** Takes note of walltimes; a minute of waiting for each minute, and never where it is too long. */
    private static final class Noting implements Cluster, Estimator {
        final List<Long> told = new ArrayList<>();
        final long longest;

        Noting(long longest) {
            this.longest = longest;
        }

        @Override
        public void submit(long token, Request request) {
            told.add(request.walltime());
        }

        @Override
        public void shorten(long token, long walltime) {
            told.add(walltime);
        }

        @Override
        public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
            for (int i = 0; i < count; i++) {
                out[i] = walltime[i] > longest ? Long.MAX_VALUE : now + walltime[i];
            }
        }

        @Override
        public void together(long now, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
            out[count] = now + walltime;
        }

        @Override
        public Basis basis() {
            return Basis.PROMISE;
        }

        @Override
        public long longest() {
            return longest;
        }

        @Override
        public Estimator estimator() {
            return this;
        }

        @Override
        public void cancel(long token) {}

        @Override
        public void release(long token) {}

        @Override
        public long turn(long now, Consumer<Event> to) {
            return NEVER;
        }

        @Override
        public void reconcile(Collection<Long> tokens) {}

        @Override
        public int nodes() {
            return 1;
        }

        @Override
        public int coresPerNode() {
            return 1;
        }

        @Override
        public void close() {}
    }

    @Test
    void whatAgentsKeepIsAskedForInAddition() {
        Noting inner = new Noting(Cluster.NEVER);
        Cluster kept = KeptTime.of(inner);
        kept.submit(1, Request.of(2, 47_000));
        kept.shorten(1, 17_000);
        assertThat(inner.told).containsExactly(60_000L, 30_000L);
    }

    @Test
    void estimatesAreForTheJobThatIsAskedFor() {
        Cluster kept = KeptTime.of(new Noting(Cluster.NEVER));
        long[] out = new long[2];
        kept.estimator().starts(0, 0, new int[] {1, 1}, new long[] {47_000, 107_000}, 2, out);
        assertThat(out).containsExactly(60_000, 120_000);
        kept.likely().together(0, new long[1], 1, 0, 1, 47_000, out);
        assertThat(out[1]).isEqualTo(60_000);
        kept.likely().without(0, 2, new long[1], 1, 0, 1, 107_000, out);
        assertThat(out[1]).isEqualTo(120_000);
    }

    @ParameterizedTest
    @CsvSource({"46000,59000", "47000,60000", "50000,60000", "60000,60000", "61000,61000"})
    void noJobIsMadeTooLongByWhatIsKept(long walltime, long asked) {
        Noting inner = new Noting(MINUTE);
        Cluster kept = KeptTime.of(inner);
        kept.submit(1, Request.of(1, walltime));
        assertThat(inner.told).containsExactly(asked);
        long[] out = new long[1];
        kept.estimator().starts(0, 0, new int[] {1}, new long[] {walltime}, 1, out);
        assertThat(out[0] == Long.MAX_VALUE)
                .as("a strategy hears that tasks would not have all of it")
                .isEqualTo(walltime > 47_000);
    }

    /** Work of 40 s and a tenth more fits into a minute of which 13 s are kept, and work of 45 s does not. */
    @Test
    void wholeMinutesAreAskedFor() {
        long millis = AgentSettings.keptMillis(AgentSettings.GRACE_MILLIS);
        assertThat(millis).isEqualTo(13_000);
        Profile profile = Profile.OWN.keeping(millis);
        assertThat(profile.request(40_000)).isEqualTo(MINUTE - millis);
        assertThat(profile.request(45_000)).isEqualTo(2 * MINUTE - millis);
        assertThat(Profile.OWN.request(45_000)).isEqualTo(MINUTE);
        Noting inner = new Noting(Cluster.NEVER);
        KeptTime.of(inner).submit(1, Request.of(1, profile.request(45_000)));
        assertThat(inner.told).containsExactly(2 * MINUTE);
    }
}
