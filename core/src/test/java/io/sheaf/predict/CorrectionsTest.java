package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import org.junit.jupiter.api.Test;

class CorrectionsTest {
    private static final long HOUR = 3_600_000;

    @Test
    void correctionsFallBackFromTheUserToSimilarRequestsToAll() {
        RequestCorrection correction = new RequestCorrection();
        assertThat(correction.parts(1, 4, HOUR, 0)).isEmpty();
        for (int i = 0; i < 20; i++) {
            correction.learn(1, 4, 2 * HOUR, HOUR / 2);
            correction.learn(2, 4, 2 * HOUR, 2 * HOUR);
            correction.learn(3, 64, 40 * HOUR, 20 * HOUR);
        }
        correction.learn(1, 8, 4 * HOUR, 4 * HOUR);
        assertThat(correction.parts(1, 4, 2 * HOUR, 0)).containsOnly(0.25);
        // A request that the user has not made before: the user's other jobs count.
        assertThat(correction.parts(1, 2, 5 * HOUR, 0)).containsOnly(0.25, 1.0);
        // An unknown user: similar requests of other users count.
        assertThat(correction.parts(9, 4, 2 * HOUR, 0)).containsOnly(0.25, 1.0);
        assertThat(correction.parts(9, 64, 40 * HOUR, 0)).containsOnly(0.5);
        assertThat(correction.parts(9, 1, 1, 0)).contains(0.25, 0.5, 1.0);
    }

    @Test
    void partsThatAJobHasExceededAreDropped() {
        RequestCorrection correction = new RequestCorrection();
        for (int i = 0; i < 10; i++) {
            correction.learn(1, 4, 10 * HOUR, i % 2 == 0 ? HOUR : 5 * HOUR);
        }
        assertThat(correction.parts(1, 4, 10 * HOUR, 0)).contains(0.1, 0.5);
        assertThat(correction.parts(1, 4, 10 * HOUR, 2 * HOUR)).containsOnly(0.5);
        assertThat(correction.parts(1, 4, 10 * HOUR, 6 * HOUR)).isEmpty();
        assertThat(RequestCorrection.run(new double[] {0.1, 0.5}, 10 * HOUR, 0, 0.6))
                .isEqualTo(5 * HOUR);
        assertThat(RequestCorrection.run(new double[0], 10 * HOUR, 6 * HOUR, 0.5))
                .isEqualTo(8 * HOUR);
        assertThat(RequestCorrection.run(new double[] {1.0}, 10 * HOUR, 10 * HOUR, 0))
                .isEqualTo(10 * HOUR + 1);
    }

    /** In the long run, at most 5 % of waits drawn from one distribution exceed the bound of the 95 % quantile. */
    @Test
    void rankBoundsCoverTheirQuantile() {
        RankBound bound = new RankBound();
        RandomStream random = new RandomStream(1);
        int beyond = 0;
        for (int i = 0; i < 3_000; i++) {
            long wait = (long) random.exponential(1_000_000);
            if (i >= 1_000) {
                beyond += wait > bound.quantiles(4, new double[] {0.95})[0] ? 1 : 0;
            }
            bound.learn(4, wait);
        }
        assertThat(beyond).isBetween(20, 100);
        assertThat(bound.quantiles(4, new double[] {0.05, 0.5, 0.95})).isSorted();
        assertThat(bound.quantiles(99, new double[] {0.5})).containsExactly(0);
    }

    @Test
    void rankBoundsForgetWhenTheQueueChanges() {
        RankBound bound = new RankBound();
        for (int i = 0; i < 900; i++) {
            bound.learn(1, 1_000 + i % 10);
        }
        for (int i = 0; i < 80; i++) {
            bound.learn(1, 50_000 + i);
        }
        assertThat(bound.quantiles(1, new double[] {0.5})[0]).isGreaterThanOrEqualTo(50_000);
    }

    @Test
    void recentWaitFactorsCorrectEstimates() {
        WaitFactors factors = new WaitFactors();
        for (int i = 0; i < 20; i++) {
            factors.learn(3, 10 * HOUR, (1 + i % 3) * HOUR);
            factors.learn(3, 0, HOUR);
        }
        assertThat(factors.factor(4)).isEqualTo(0.2);
        assertThat(factors.factor(5)).isEqualTo(1);
        StartEstimator estimator = new StartEstimator() {
            @Override
            public void estimate(StartQuery query, StartTimes answer) {
                answer.begin(query, Basis.PROMISE);
                answer.fill(query.now() + 10 * HOUR);
                answer.job(2, StartTimes.NEVER);
            }

            @Override
            public Basis basis() {
                return Basis.PROMISE;
            }
        };
        CorrectedEstimator corrected = new CorrectedEstimator(estimator, factors);
        StartTimes starts =
                corrected.estimate(StartQuery.of(1_000, 0, 4, 0).add(0, 32, 0).add(0, 4, 0));
        assertThat(starts.job(0)).isEqualTo(1_000 + 2 * HOUR);
        assertThat(starts.job(1)).isEqualTo(1_000 + 10 * HOUR);
        assertThat(starts.job(2)).isEqualTo(StartTimes.NEVER);
        assertThat(starts.basis()).isEqualTo(Basis.LEARNED);
        assertThat(corrected.basis()).isEqualTo(Basis.LEARNED);
    }
}
