package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampledEstimatorTest {
    private static final long HOUR = 3_600_000;
    private static final int OURS = 2;

    private final RequestCorrection correction = new RequestCorrection();

    private SampledEstimator sampled(BatchEngine engine) {
        return new SampledEstimator(new SampledEnds(
                engine,
                token -> (int) token,
                true,
                new SampledEnds.UsedFractions() {
                    @Override
                    public double @Nullable [] parts(int handle, long elapsed) {
                        return handle == OURS
                                ? null
                                : correction.parts(1, engine.units(handle), engine.walltime(handle), elapsed);
                    }

                    @Override
                    public int user(int handle) {
                        return 1;
                    }
                },
                15,
                new RandomStream(4)));
    }

    /** On 4 nodes: one job uses all of them, another waits for two, and behind it our job waits for four. */
    @ParameterizedTest
    @ValueSource(strings = {"conservative", "easy"})
    void backgroundJobsEndAsLearnedAndOursAtTheirWalltime(String policy) {
        BatchEngine engine =
                new BatchEngine(policy.equals("easy") ? Policy.depth(Policy.EASY) : Policy.conservative(), 4);
        engine.submit(0, Submission.of(4, 10 * HOUR));
        engine.pass(0, new int[1]);
        engine.submit(0, Submission.of(2, 10 * HOUR));
        engine.submit(0, Submission.of(4, HOUR));
        long now = HOUR / 2;
        engine.pass(now, new int[3]);
        SampledEstimator sampled = sampled(engine);
        StartQuery two = StartQuery.of(now, 0, 4, HOUR).add(0, 2, HOUR);
        assertThat(sampled.estimate(two).job(0))
                .as("without history, jobs may end at any time")
                .isBetween(now, 21 * HOUR);
        for (int i = 0; i < 20; i++) {
            correction.learn(1, 4, 10 * HOUR, HOUR);
            correction.learn(1, 2, 10 * HOUR, HOUR);
        }
        SampledEstimator learnt = sampled(engine);
        StartTimes start = learnt.estimate(two);
        // The first ends after an hour, the second runs for one more, and ours for its hour: 3 hours.
        assertThat(start.job(0)).isEqualTo(3 * HOUR);
        assertThat(start.job(1)).as("beside the second job").isEqualTo(HOUR);
        learnt.estimate(StartQuery.ofQueued(now, new long[] {OURS}, 1).add(0, 4, HOUR), start);
        assertThat(start.queued(0)).isEqualTo(2 * HOUR);
        assertThat(start.job(0)).isEqualTo(3 * HOUR);
        learnt.estimate(StartQuery.ofQueued(now, new long[0], 0).add(0, 4, HOUR).cancelling(OURS), start);
        assertThat(start.job(0)).as("after our queued job is cancelled").isEqualTo(2 * HOUR);
        assertThat(engine.limit(0)).as("the queue itself is unchanged").isEqualTo(10 * HOUR);
        assertThat(learnt.basis()).isEqualTo(Basis.LEARNED);
    }
}
