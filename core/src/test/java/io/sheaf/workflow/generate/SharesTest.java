package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SharesTest {
    @Test
    void dividesInProportion() {
        // Running sums of 10 × {1, 3, 4} / 4: 2.5 → 3, 7.5 → 8, 10; the parts are their differences.
        assertThat(Shares.of(10, new double[] {1, 2, 1})).containsExactly(3, 5, 2);
    }

    @Test
    void equalWeightsGetEqualParts() {
        assertThat(Shares.of(12, new double[] {7, 7, 7, 7})).containsExactly(3, 3, 3, 3);
    }

    @Test
    void zeroWeightsShareEqually() {
        assertThat(Shares.of(10, new double[] {0, 0})).containsExactly(5, 5);
        assertThat(Shares.of(10, new double[0])).isEmpty();
    }

    @Test
    void partsSumToTheTotalAndAreNearTheirShare() {
        RandomStream random = new RandomStream(5);
        for (int round = 0; round < 1_000; round++) {
            double[] weights = new double[1 + random.nextInt(50)];
            Arrays.setAll(weights, i -> random.chance(0.2) ? 0 : random.lognormal(0, 3));
            weights[0] = 1;
            long total = random.nextLong(1L << random.between(1, 50));
            long[] parts = Shares.of(total, weights);
            double all = Arrays.stream(weights).sum();
            assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
            for (int i = 0; i < parts.length; i++) {
                assertThat(parts[i]).isNotNegative();
                assertThat(Math.abs(parts[i] - total * (weights[i] / all))).isLessThanOrEqualTo(1.5);
            }
        }
    }

    @Test
    void totalsBeyondDoublePrecisionAreExact() {
        long total = (1L << 60) + 1;
        assertThat(Arrays.stream(Shares.of(total, new double[] {1, 1, 1})).sum())
                .isEqualTo(total);
    }
}
