package io.sheaf.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
    private static final int DRAWS = 200_000;

    /** Results of experiments depend on these numbers, which must never change. */
    @Test
    void numbersOfASeedNeverChange() {
        RandomStream random = new RandomStream(42);
        assertThat(Long.toHexString(random.nextLong())).isEqualTo("57e1faba65107204");
        assertThat(Long.toHexString(random.nextLong())).isEqualTo("f4abd143feb24055");
        assertThat(Long.toHexString(random.split("arrivals").nextLong())).isEqualTo("8e87e4125c9bfdfc");
        assertThat(Long.toHexString(Double.doubleToLongBits(random.gamma(2.5, 3))))
                .isEqualTo("4019944911cd9ef8");
    }

    @Test
    void splitsDoNotDependOnDrawnNumbers() {
        RandomStream a = new RandomStream(1);
        RandomStream b = new RandomStream(1);
        b.nextLong();
        assertThat(a.split("x").nextLong()).isEqualTo(b.split("x").nextLong());
        assertThat(a.split("x").nextLong()).isNotEqualTo(a.split("y").nextLong());
        assertThat(a.split(1).nextLong()).isNotEqualTo(a.split(2).nextLong());
        assertThat(a.split(0).nextLong()).isNotEqualTo(new RandomStream(1).nextLong());
    }

    @Test
    void distributionsHaveTheirMeanAndVariance() {
        expect(RandomStream::nextDouble, 0.5, 1.0 / 12);
        expect(RandomStream::gaussian, 0, 1);
        expect(random -> random.exponential(4), 4, 16);
        expect(random -> random.gamma(2.5, 3), 7.5, 22.5);
        expect(random -> random.gamma(0.5, 2), 1, 2);
        expect(random -> random.between(3, 7), 5, 2);
        expect(
                random -> random.lognormal(0, 0.5),
                StrictMath.exp(0.125),
                StrictMath.exp(0.25) * (StrictMath.exp(0.25) - 1));
    }

    private static void expect(ToDoubleFunction<RandomStream> draw, double mean, double variance) {
        RandomStream random = new RandomStream(99);
        double[] values = new double[DRAWS];
        Arrays.setAll(values, i -> draw.applyAsDouble(random));
        double measured = Arrays.stream(values).average().orElseThrow();
        double spread =
                Arrays.stream(values).map(v -> (v - measured) * (v - measured)).sum() / DRAWS;
        // Five standard errors of the mean; the variance within 3 %.
        assertThat(measured).isCloseTo(mean, within(5 * Math.sqrt(variance / DRAWS)));
        assertThat(spread).isCloseTo(variance, within(0.03 * variance));
    }

    @Test
    void permutationsContainEachNumberOnce() {
        int[] order = new RandomStream(5).permutation(1000);
        int[] sorted = order.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < 1000; i++) {
            assertThat(sorted[i]).isEqualTo(i);
        }
        assertThat(order).isNotEqualTo(sorted);
    }
}
