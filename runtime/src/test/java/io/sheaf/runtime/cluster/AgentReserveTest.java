package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.AgentSettings;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.strategy.Profile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pilot jobs are requested longer by the reserve of agents, so that tasks have the whole walltime of the strategy. */
class AgentReserveTest {
    private static final long MINUTE = 60_000;

    private static final AgentReserve RESERVE = new AgentReserve(13_000, () -> Cluster.NEVER);

    /** A minute of queue wait for each minute of walltime, and never if that is too long. */
    private record Linear(long longest, List<StartQuery.Arrangement> arrangements) implements StartEstimator {
        Linear(long longest) {
            this(longest, new ArrayList<>());
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
    }

    @Test
    void requestsAreExtendedByTheReserve() {
        Request request = new Request(3, 2, 47_000, 5, 7);
        assertThat(RESERVE.addedTo(request)).isEqualTo(new Request(3, 2, 60_000, 5, 7));
        assertThat(RESERVE.addedTo(17_000)).isEqualTo(30_000);
    }

    @Test
    void estimatesAreForTheRequestedJob() {
        Linear inner = new Linear(Cluster.NEVER);
        StartEstimator longer = RESERVE.estimator(inner);
        StartTimes starts = longer.estimate(new StartQuery()
                .begin(0, StartQuery.Arrangement.IN_ORDER)
                .add(0, 1, 47_000)
                .add(0, 1, 107_000));
        assertThat(starts.answered()).isEqualTo(2);
        assertThat(starts.job(0)).isEqualTo(60_000);
        assertThat(starts.job(1)).isEqualTo(120_000);
        StartQuery queued = StartQuery.ofQueued(0, new long[1], 1).add(0, 1, 107_000);
        assertThat(longer.estimate(queued.cancelling(2)).job(0)).isEqualTo(120_000);
        assertThat(inner.arrangements)
                .containsExactly(StartQuery.Arrangement.IN_ORDER, StartQuery.Arrangement.WITH_QUEUED);
    }

    @ParameterizedTest
    @CsvSource({"46000,59000", "47000,60000", "50000,60000", "60000,60000", "61000,61000"})
    void theReserveDoesNotExceedTheWalltimeLimit(long walltime, long requested) {
        AgentReserve reserve = new AgentReserve(13_000, () -> MINUTE);
        assertThat(reserve.addedTo(walltime)).isEqualTo(requested);
        StartEstimator longer = reserve.estimator(new Linear(MINUTE));
        assertThat(longer.estimate(StartQuery.of(0, 0, 1, walltime)).job(0) == StartTimes.NEVER)
                .as("never starts if tasks would not have the whole walltime")
                .isEqualTo(walltime > 47_000);
    }

    /** Work of 40 s and a tenth more fits into a minute of which 13 s are reserve, and work of 45 s does not. */
    @Test
    void wholeMinutesAreRequested() {
        long millis = AgentSettings.reserveMillis(AgentSettings.GRACE_MILLIS);
        assertThat(millis).isEqualTo(13_000);
        Profile profile = Profile.OWN.withReserve(millis);
        assertThat(profile.request(40_000)).isEqualTo(MINUTE - millis);
        assertThat(profile.request(45_000)).isEqualTo(2 * MINUTE - millis);
        assertThat(Profile.OWN.request(45_000)).isEqualTo(MINUTE);
        assertThat(RESERVE.addedTo(profile.request(45_000))).isEqualTo(2 * MINUTE);
    }
}
