package io.sheaf.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;
import org.junit.jupiter.api.Test;

/** Compares statistics with another implementation and with hand-computed values. */
class StatisticsTest {
    private static double[] gaussians(RandomStream random, int n, double mean) {
        double[] values = new double[n];
        Arrays.setAll(values, i -> mean + random.gaussian());
        return values;
    }

    @Test
    void thePairedTestAgreesWithAnotherImplementation() {
        RandomStream random = new RandomStream(3);
        for (int n : new int[] {2, 3, 10, 289, 5000}) {
            for (double shift : new double[] {0, 0.05, 1, 20}) {
                double[] differences = gaussians(random, n, shift);
                double expected = TTest.withDefaults()
                        .with(AlternativeHypothesis.TWO_SIDED)
                        .test(differences)
                        .getPValue();
                assertThat(StudentT.pairedP(differences)).isCloseTo(expected, within(1e-10));
            }
        }
    }

    @Test
    void thePairedTestAllowsEqualDifferences() {
        assertThat(StudentT.pairedP(new double[] {0, 0, 0})).isEqualTo(1);
        assertThat(StudentT.pairedP(new double[] {2, 2, 2})).isEqualTo(0);
        assertThat(StudentT.pairedP(new double[] {2})).isNaN();
    }

    /**
     * The mean of 400 normal values is within 1.96 / 20 = 0.098 in 95 % of cases, so few of 60 intervals may miss it.
     */
    @Test
    void theBootstrapIntervalApproximatesTheNormalOne() {
        RandomStream random = new RandomStream(5);
        int hits = 0;
        for (int i = 0; i < 60; i++) {
            double[] values = gaussians(random, 400, 7);
            Samples.Interval interval = Samples.bootstrap(values, "test " + i);
            assertThat(interval.high() - interval.low()).isCloseTo(0.196, within(0.04));
            hits += interval.low() <= 7 && 7 <= interval.high() ? 1 : 0;
        }
        assertThat(hits).isBetween(53, 60);
    }

    /**
     * The twenty values of each of 25 blocks are equal, so the interval is that of 25 values and not that of 500. With
     * only three blocks, single values are resampled.
     */
    @Test
    void valuesOfABlockAreResampledTogether() {
        double[] blocks = gaussians(new RandomStream(3), 25, 7);
        double[] values = new double[500];
        List<String> names = new ArrayList<>();
        List<String> three = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            values[i] = blocks[i % 25];
            names.add("week " + i % 25);
            three.add("week " + i % 3);
        }
        Samples.Interval together = Samples.bootstrap(values, names, "a");
        Samples.Interval alone = Samples.bootstrap(values, "a");
        Samples.Interval of25 = Samples.bootstrap(blocks, "a");
        assertThat(together.high() - together.low()).isCloseTo(of25.high() - of25.low(), within(0.1));
        assertThat(together.high() - together.low()).isGreaterThan(3 * (alone.high() - alone.low()));
        assertThat(Samples.bootstrap(values, three, "a")).isEqualTo(alone);
        assertThat(Samples.bootstrap(new double[0], List.of(), "a").low()).isNaN();
    }

    @Test
    void theSamePurposeGivesTheSameInterval() {
        double[] values = gaussians(new RandomStream(1), 40, 0);
        assertThat(Samples.bootstrap(values, "a")).isEqualTo(Samples.bootstrap(values, "a"));
        assertThat(Samples.bootstrap(values, "a")).isNotEqualTo(Samples.bootstrap(values, "b"));
        assertThat(Samples.bootstrap(new double[0], "a").low()).isNaN();
    }

    @Test
    void quantilesInterpolateBetweenValues() {
        double[] values = {4, 1, 3, 2};
        Arrays.sort(values);
        assertThat(Samples.quantile(values, 0)).isEqualTo(1);
        assertThat(Samples.quantile(values, 0.5)).isEqualTo(2.5);
        assertThat(Samples.quantile(values, 1)).isEqualTo(4);
    }
}
