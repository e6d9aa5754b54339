package io.sheaf.lab.report;

/** The paired t-test; own code, since a library for one distribution would enlarge the single file. */
final class StudentT {
    private static final int MAX_STEPS = 500;
    private static final double CLOSE = 1e-15;
    private static final double TINY = 1e-300;

    private StudentT() {}

    /**
     * The two-tailed p-value of the differences; NaN for fewer than two. If all differences are equal, it is 1 for differences of 0, otherwise 0.
     */
    static double pairedP(double[] differences) {
        int n = differences.length;
        if (n < 2) {
            return Double.NaN;
        }
        double mean = Samples.mean(differences);
        double squares = 0;
        for (double difference : differences) {
            squares += (difference - mean) * (difference - mean);
        }
        if (squares == 0) {
            return mean == 0 ? 1 : 0;
        }
        double t = mean / Math.sqrt(squares / (n - 1) / n);
        return twoTailed(t, n - 1);
    }

    /** P(|T| ≥ |t|) with ν degrees of freedom: the incomplete beta function I(ν / (ν + t²); ν / 2, 1 / 2). */
    static double twoTailed(double t, double freedom) {
        return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
    }

    private static double incompleteBeta(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        double front = StrictMath.exp(
                logGamma(a + b) - logGamma(a) - logGamma(b) + a * StrictMath.log(x) + b * StrictMath.log(1 - x));
        // The fraction converges fast only on this side.
        return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
    }

    /** The continued fraction of the incomplete beta function, by Lentz's method. */
    private static double fraction(double x, double a, double b) {
        double c = 1;
        double d = 1 / nonZero(1 - (a + b) * x / (a + 1));
        double value = d;
        for (int m = 1; m <= MAX_STEPS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / nonZero(1 + even * d);
            c = nonZero(1 + even / c);
            value *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / nonZero(1 + odd * d);
            c = nonZero(1 + odd / c);
            value *= d * c;
            if (Math.abs(d * c - 1) < CLOSE) {
                break;
            }
        }
        return value;
    }

    private static double nonZero(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /** Stirling's series, shifted to arguments for which it is exact to the last digits. */
    private static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 15) {
            shift += StrictMath.log(z);
            z++;
        }
        double w = 1 / (z * z);
        double series = (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
        return (z - 0.5) * StrictMath.log(z) - z + 0.5 * StrictMath.log(2 * Math.PI) + series - shift;
    }
}
