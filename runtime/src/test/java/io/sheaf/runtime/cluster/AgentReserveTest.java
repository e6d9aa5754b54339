package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.AgentSettings;
import io.sheaf.manager.Request;
import io.sheaf.predict.Estimator;
import io.sheaf.strategy.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks have the whole walltime that a strategy requests: jobs are requested longer by the agents' reserve. */
class AgentReserveTest {
    private static final long MINUTE = 60_000;

    private static final AgentReserve RESERVE = new AgentReserve(13_000, () -> Cluster.NEVER);

    /** A minute of queue wait for each minute of walltime, and never if that is too long. */
    private record Linear(long longest) implements Estimator {
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
    }

    @Test
    void jobsAreRequestedLongerByTheReserve() {
        Request request = new Request(3, 2, 47_000, 5, 7);
        assertThat(RESERVE.addedTo(request)).isEqualTo(new Request(3, 2, 60_000, 5, 7));
        assertThat(RESERVE.addedTo(17_000)).isEqualTo(30_000);
    }

    @Test
    void estimatesAreForTheRequestedJob() {
        Estimator longer = RESERVE.estimator(new Linear(Cluster.NEVER));
        long[] out = new long[2];
        longer.starts(0, 0, new int[] {1, 1}, new long[] {47_000, 107_000}, 2, out);
        assertThat(out).containsExactly(60_000, 120_000);
        longer.together(0, new long[1], 1, 0, 1, 47_000, out);
        assertThat(out[1]).isEqualTo(60_000);
        longer.without(0, 2, new long[1], 1, 0, 1, 107_000, out);
        assertThat(out[1]).isEqualTo(120_000);
    }

    @ParameterizedTest
    @CsvSource({"46000,59000", "47000,60000", "50000,60000", "60000,60000", "61000,61000"})
    void noJobIsMadeTooLongByTheReserve(long walltime, long requested) {
        AgentReserve reserve = new AgentReserve(13_000, () -> MINUTE);
        assertThat(reserve.addedTo(walltime)).isEqualTo(requested);
        long[] out = new long[1];
        reserve.estimator(new Linear(MINUTE)).starts(0, 0, new int[] {1}, new long[] {walltime}, 1, out);
        assertThat(out[0] == Long.MAX_VALUE)
                .as("the estimate says that tasks would not have the whole walltime")
                .isEqualTo(walltime > 47_000);
    }

    /** Work of 40 s and a tenth more fits into a minute of which 13 s are kept, and work of 45 s does not. */
    @Test
    void wholeMinutesAreRequested() {
        long millis = AgentSettings.keptMillis(AgentSettings.GRACE_MILLIS);
        assertThat(millis).isEqualTo(13_000);
        Profile profile = Profile.OWN.keeping(millis);
        assertThat(profile.request(40_000)).isEqualTo(MINUTE - millis);
        assertThat(profile.request(45_000)).isEqualTo(2 * MINUTE - millis);
        assertThat(Profile.OWN.request(45_000)).isEqualTo(MINUTE);
        assertThat(RESERVE.addedTo(profile.request(45_000))).isEqualTo(2 * MINUTE);
    }
}
