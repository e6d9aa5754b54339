package io.sheaf.random;

import java.util.Arrays;

/**
 * A stream of random numbers named by a seed and a purpose, equal to the bit on every JDK and machine.
 *
 * <p>SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): a counter that steps
 * by a constant, scrambled. {@link #split} names a sub-stream, so that what one part of a program draws never shifts what
 * another part gets. Functions that are not correctly rounded come from StrictMath.
 */
public final class RandomStream {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final double UNIT = 0x1.0p-53;

    private final long key;
    private long state;
    private double spareGaussian = Double.NaN;

    public RandomStream(long seed) {
        key = mix(seed ^ GOLDEN);
        state = key;
    }

    /** An independent stream for this purpose; the same whatever was drawn from this one before. */
    public RandomStream split(String purpose) {
        long hash = key;
        for (int i = 0; i < purpose.length(); i++) {
            hash = mix(hash + GOLDEN + purpose.charAt(i));
        }
        return new RandomStream(hash);
    }

    /** An independent stream for the index-th of many alike things. */
    public RandomStream split(long index) {
        return new RandomStream(mix(key + GOLDEN) ^ mix(index));
    }

    public long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /** Uniform on [0, 1). */
    public double nextDouble() {
        return (nextLong() >>> 11) * UNIT;
    }

    /** Uniform on [low, high). */
    public double uniform(double low, double high) {
        return low + (high - low) * nextDouble();
    }

    /** Uniform on 0 … bound − 1, without bias. */
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** Uniform on 0 … bound − 1, without bias. */
    public long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        long bits = nextLong() >>> 1;
        long value = bits % bound;
        while (bits - value + (bound - 1) < 0) {
            bits = nextLong() >>> 1;
            value = bits % bound;
        }
        return value;
    }

    /** Uniform on low … high, both included. */
    public int between(int low, int high) {
        return low + (int) nextLong(high - (long) low + 1);
    }

    public boolean chance(double probability) {
        return nextDouble() < probability;
    }

    /** Standard normal, by Marsaglia's polar method. */
    public double gaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        double x;
        double y;
        double square;
        do {
            x = 2 * nextDouble() - 1;
            y = 2 * nextDouble() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        double scale = StrictMath.sqrt(-2 * StrictMath.log(square) / square);
        spareGaussian = y * scale;
        return x * scale;
    }

    public double exponential(double mean) {
        return -mean * StrictMath.log(1 - nextDouble());
    }

    public double lognormal(double mu, double sigma) {
        return StrictMath.exp(mu + sigma * gaussian());
    }

    /** Log-normal with this mean and this standard deviation as a fraction of the mean. */
    public double lognormalAround(double mean, double deviation) {
        double variance = StrictMath.log(1 + deviation * deviation);
        return mean * lognormal(-variance / 2, StrictMath.sqrt(variance));
    }

    /** Gamma with this shape and scale (Marsaglia and Tsang, ACM TOMS 26(3), 2000). */
    public double gamma(double shape, double scale) {
        if (shape < 1) {
            return gamma(shape + 1, scale) * StrictMath.pow(1 - nextDouble(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / StrictMath.sqrt(9 * d);
        while (true) {
            double x = gaussian();
            double v = 1 + c * x;
            if (v <= 0) {
                continue;
            }
            v = v * v * v;
            double u = 1 - nextDouble();
            if (StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
                return d * v * scale;
            }
        }
    }

    /** The numbers 0 … n − 1 in random order. */
    public int[] permutation(int n) {
        int[] order = new int[n];
        Arrays.setAll(order, i -> i);
        for (int i = n - 1; i > 0; i--) {
            int other = nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return order;
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
