package io.sheaf.predict;

import java.util.Arrays;
import java.util.stream.LongStream;

/** The candidate waits of a learner, ascending. */
public final class Alternatives {
    private static final long SECOND = 1_000;

    /**
     * The 53 alternatives of Souza et al., 4.3, up to 100,000 s. The paper gives their number, the maximum, and that they include multiples of 10,
     * 100, 1,000 and 10,000 s, denser for small ones. The spacing is ours: 10 to 90 s by 5 (17), 100 to 900 s by 50 (17), 1,000 to 9,000 s by 1,000
     * (9), 10,000 to 90,000 s by 10,000 (9), 100,000 s.
     */
    public static final Alternatives SOUZA = new Alternatives(souza());

    private final long[] millis;

    private Alternatives(long[] millis) {
        this.millis = millis;
    }

    private static long[] souza() {
        long[][] steps = {{10, 90, 5}, {100, 900, 50}, {1_000, 9_000, 1_000}, {10_000, 100_000, 10_000}};
        return Arrays.stream(steps)
                .flatMapToLong(step -> LongStream.iterate(step[0], s -> s <= step[1], s -> s + step[2]))
                .map(seconds -> seconds * SECOND)
                .toArray();
    }

    /** Any waits in milliseconds, ascending. */
    public static Alternatives of(long... millis) {
        for (int i = 0; i < millis.length; i++) {
            if (millis[i] < 0 || (i > 0 && millis[i] <= millis[i - 1])) {
                throw new IllegalArgumentException("alternatives must ascend from 0 on: " + Arrays.toString(millis));
            }
        }
        if (millis.length == 0) {
            throw new IllegalArgumentException("there is no alternative");
        }
        return new Alternatives(millis.clone());
    }

    public int size() {
        return millis.length;
    }

    public long millis(int alternative) {
        return millis[alternative];
    }

    /** The alternative closest to a wait; of two the shorter one. */
    public int nearest(long wait) {
        int found = Arrays.binarySearch(millis, wait);
        if (found >= 0) {
            return found;
        }
        int above = -found - 1;
        if (above == 0 || above == millis.length) {
            return Math.max(0, above - 1);
        }
        return wait - millis[above - 1] <= millis[above] - wait ? above - 1 : above;
    }
}
