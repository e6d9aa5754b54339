package io.sheaf.platform;

/**
 * The random generator MT19937 with 32-bit outputs, of Matsumoto and Nishimura (1998), since the published study used it.
 *
 * <p>A uniform double takes two outputs, as C++ libraries do it.
 */
final class MersenneTwister {
    private static final int SIZE = 624;
    private static final int SHIFT = 397;
    private static final double TWO_32 = 4294967296.0;

    private final int[] state = new int[SIZE];
    private int at = SIZE;

    MersenneTwister(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    /** A number in [0, 1). */
    double uniform() {
        double low = Integer.toUnsignedLong(next());
        double high = Integer.toUnsignedLong(next());
        double value = (low + high * TWO_32) / (TWO_32 * TWO_32);
        return value >= 1 ? Math.nextDown(1.0) : value;
    }

    double uniform(double from, double to) {
        return uniform() * (to - from) + from;
    }

    private int next() {
        if (at == SIZE) {
            refill();
        }
        int y = state[at++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    private void refill() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
            state[i] = state[(i + SHIFT) % SIZE] ^ (y >>> 1) ^ ((y & 1) * 0x9908b0df);
        }
        at = 0;
    }
}
