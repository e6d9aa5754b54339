package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.AgentSettings;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
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
    private static final class Noting implements Cluster, StartEstimator {
        final List<Long> told = new ArrayList<>();
        final List<StartQuery.Arrangement> arrangements = new ArrayList<>();
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
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis());
            arrangements.add(query.arrangement());
            for (int i = 0; i < query.jobs(); i++) {
                boolean tooLong = query.walltime(i) > longest;
                answer.job(i, tooLong ? StartTimes.NEVER : query.now() + query.walltime(i));
            }
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
        public StartEstimator estimator() {
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
        Noting inner = new Noting(Cluster.NEVER);
        Cluster kept = KeptTime.of(inner);
        StartTimes starts = kept.estimator()
                .estimate(new StartQuery()
                        .begin(0, StartQuery.Arrangement.IN_ORDER)
                        .add(0, 1, 47_000)
                        .add(0, 1, 107_000));
        assertThat(starts.answered()).isEqualTo(2);
        assertThat(starts.job(0)).isEqualTo(60_000);
        assertThat(starts.job(1)).isEqualTo(120_000);
        StartQuery queued = StartQuery.ofQueued(0, new long[1], 1).add(0, 1, 107_000);
        assertThat(kept.likely().estimate(queued.cancelling(2)).job(0)).isEqualTo(120_000);
        assertThat(inner.arrangements)
                .containsExactly(StartQuery.Arrangement.IN_ORDER, StartQuery.Arrangement.WITH_QUEUED);
    }

    @ParameterizedTest
    @CsvSource({"46000,59000", "47000,60000", "50000,60000", "60000,60000", "61000,61000"})
    void noJobIsMadeTooLongByWhatIsKept(long walltime, long asked) {
        Noting inner = new Noting(MINUTE);
        Cluster kept = KeptTime.of(inner);
        kept.submit(1, Request.of(1, walltime));
        assertThat(inner.told).containsExactly(asked);
        long start = kept.estimator().estimate(StartQuery.of(0, 0, 1, walltime)).job(0);
        assertThat(start == Long.MAX_VALUE)
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
