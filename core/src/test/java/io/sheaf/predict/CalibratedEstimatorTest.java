package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The estimator with the least error answers first, and the next one answers what it does not know. */
class CalibratedEstimatorTest {
    private static final long NOW = 1_000_000;

    /** Answers with a fixed wait for jobs of up to {@code max} units; starts of larger jobs are unknown. */
    private record Fixed(long delay, int max, boolean seesQueue, Basis basis) implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis);
            answer.fill(query.isWithQueued() && !seesQueue ? StartTimes.UNKNOWN : query.now() + delay);
            for (int i = 0; i < query.jobs(); i++) {
                answer.job(i, query.units(i) > max ? StartTimes.UNKNOWN : answer.job(i));
            }
        }
    }

    private final CalibratedEstimator combined = combined();

    private static CalibratedEstimator combined() {
        Map<String, StartEstimator> members = new LinkedHashMap<>();
        members.put("engine", new Fixed(100, 4, true, Basis.SIMULATED));
        members.put("mean", new Fixed(500, 8, false, Basis.LEARNED));
        return new CalibratedEstimator(
                members,
                token -> token == 7 ? new CalibratedEstimator.Queued(NOW - 300, 0, 2, 60_000) : null,
                StartEstimator.UNINFORMED);
    }

    private static Calibration meanWasRight() {
        Calibration calibration = new Calibration();
        for (int i = 0; i < 5; i++) {
            calibration.add("engine", 0, 3_600_000);
            calibration.add("mean", 3_600_000, 3_600_000);
        }
        return calibration;
    }

    @Test
    void theNextEstimatorAnswersForUnknownStarts() {
        StartTimes starts =
                combined.estimate(StartQuery.of(NOW, 0, 4, 1).add(0, 8, 1).add(0, 9, 1));
        assertThat(starts.job(0)).isEqualTo(NOW + 100);
        assertThat(starts.job(1)).isEqualTo(NOW + 500);
        assertThat(starts.job(2))
                .as("without an estimate: as on an empty cluster")
                .isEqualTo(NOW);
        assertThat(starts.basis()).isEqualTo(Basis.SIMULATED);
        assertThat(combined.estimate(StartQuery.of(NOW, 0, 9, 1)).basis()).isEqualTo(Basis.NONE);
    }

    @Test
    void theMemoryOfAQueryReachesTheEstimators() {
        List<Long> queries = new ArrayList<>();
        StartEstimator recording = new StartEstimator() {
            @Override
            public void estimate(StartQuery query, StartTimes answer) {
                queries.add(query.memory());
                answer.begin(query, Basis.SIMULATED);
                answer.fill(query.isWithQueued() ? StartTimes.UNKNOWN : query.now());
            }

            @Override
            public Basis basis() {
                return Basis.SIMULATED;
            }
        };
        CalibratedEstimator one =
                new CalibratedEstimator(Map.of("engine", recording), token -> null, StartEstimator.UNINFORMED);
        one.estimate(StartQuery.of(NOW, 0, 4, 1).needing(5));
        one.estimate(StartQuery.ofQueued(NOW, new long[0], 0).add(0, 4, 1).needing(7));
        assertThat(queries).containsExactly(5L, 7L, 7L);
    }

    @Test
    void theEstimatorWithTheLeastErrorAnswersFirst() {
        assertThat(combined.best()).isEqualTo("engine");
        combined.learn(meanWasRight());
        assertThat(combined.best()).isEqualTo("mean");
        assertThat(combined.estimate(StartQuery.of(NOW, 0, 4, 1)).job(0)).isEqualTo(NOW + 500);
        assertThat(combined.basis()).isEqualTo(Basis.LEARNED);
    }

    /** The queued job has waited for 300 of the 500 that such jobs wait. */
    @Test
    void aQueuedJobWaitsForTheRestOfTheLearnedWait() {
        StartQuery query = StartQuery.ofQueued(NOW, new long[] {7, 8}, 2).add(0, 2, 60_000);
        assertThat(combined.estimate(query).queued(0)).as("by the engine").isEqualTo(NOW + 100);
        combined.learn(meanWasRight());
        StartTimes starts = combined.estimate(query);
        assertThat(starts.queued(0)).isEqualTo(NOW + 200);
        assertThat(starts.queued(1)).as("an unknown job").isEqualTo(StartTimes.NEVER);
        assertThat(starts.job(0)).isEqualTo(NOW + 500);
    }

    /** Four waits of two nodes and two of sixteen: three waits of a similar size suffice, two do not. */
    @Test
    void aLearnedWaitIsTheMeanOfJobsOfSimilarSize() {
        LearnedEstimator learned = new LearnedEstimator();
        assertThat(learned.estimate(StartQuery.of(NOW, 0, 2, 1)).job(0)).isEqualTo(StartTimes.UNKNOWN);
        List<LearnedEstimator.Wait> waits = new ArrayList<>();
        for (long wait : new long[] {10_000, 20_000, 30_000, 40_000}) {
            waits.add(new LearnedEstimator.Wait(2, wait));
        }
        waits.add(new LearnedEstimator.Wait(16, 1_000_000));
        waits.add(new LearnedEstimator.Wait(16, 100_000));
        learned.learn(waits);
        StartTimes starts = learned.estimate(StartQuery.of(NOW, 0, 4, 1).add(0, 16, 1));
        assertThat(starts.job(0)).isEqualTo(NOW + 25_000);
        assertThat(starts.job(1)).as("of all six").isEqualTo(NOW + 200_000);
        learned.learn(waits.stream()
                .map(wait -> new LearnedEstimator.Wait(wait.units(), 900))
                .toList());
        assertThat(learned.estimate(StartQuery.of(NOW, 0, 4, 1)).job(0))
                .as("at once")
                .isEqualTo(NOW);
    }

    /** Waits of 0, 10 and 40 in three drawn queues, of which the last never starts wide jobs. */
    @Test
    void aSampleHasAMedianAndQuantiles() {
        List<StartEstimator> drawn = List.of(
                new Fixed(40, 4, true, Basis.SIMULATED),
                new Fixed(0, 8, true, Basis.SIMULATED),
                new Fixed(10, 8, true, Basis.SIMULATED));
        SampledEstimator sampled = new SampledEstimator(now -> drawn);
        StartTimes starts =
                sampled.estimate(StartQuery.of(NOW, 0, 4, 1).add(0, 8, 1).withQuantiles());
        assertThat(starts.job(0)).isEqualTo(NOW + 10);
        // At 5 %: a tenth of the way from 0 to 10; at 75 %: half of the way from 10 to 40.
        assertThat(starts.waits(0)).isEqualTo(new Quantiles(1, 5, 10, 25, 37));
        assertThat(starts.job(1)).isEqualTo(StartTimes.UNKNOWN);
        assertThat(starts.waits(1)).isNull();
        assertThat(sampled.estimate(StartQuery.of(NOW, 0, 4, 1)).waits(0)).isNull();
    }
}
