package io.sheaf.sim.model;

import io.sheaf.random.RandomStream;

/**
 * When jobs arrive, after Lublin and Feitelson: times between arrivals have a gamma distributed logarithm, and the day has a
 * rhythm. The rhythm is a second gamma density over 48 half hours, of a day that begins at half past five; a gap drawn passes
 * slowly at night and fast in the afternoon, so that the mean rate over whole days is not changed.
 */
final class DailyArrivals {
    private static final int BUCKETS = 48;
    private static final int DAY_START = 11;
    private static final double BUCKET_SECONDS = 1800;

    private final LogGamma gaps;
    private final double[] pace;
    private int bucket;
    private double intoBucket;
    private double bucketStart;

    /** Arrivals from midnight on. */
    DailyArrivals(LogGamma gaps, double rhythmShape, double rhythmScale) {
        this.gaps = gaps;
        this.pace = pace(rhythmShape, rhythmScale);
    }

    /** Seconds from the first midnight to the next arrival. */
    double next(RandomStream random) {
        double remaining = gaps.sample(random);
        // Half hours with their pace: a bucket of pace 2 uses up a gap twice as fast.
        while (remaining > (BUCKET_SECONDS - intoBucket) * pace[bucket]) {
            remaining -= (BUCKET_SECONDS - intoBucket) * pace[bucket];
            bucketStart += BUCKET_SECONDS;
            intoBucket = 0;
            bucket = (bucket + 1) % BUCKETS;
        }
        intoBucket += remaining / pace[bucket];
        return bucketStart + intoBucket;
    }

    /** How fast time passes in each half hour from midnight; 1 on average. */
    static double[] pace(double shape, double scale) {
        double[] pace = new double[BUCKETS];
        double sum = 0;
        double peak = (shape - 1) * scale;
        for (int i = DAY_START; i < DAY_START + BUCKETS; i++) {
            double density = 0;
            for (int part = 0; part < 10; part++) {
                double x = i - 0.5 + (part + 0.5) / 10;
                density += StrictMath.exp((shape - 1) * StrictMath.log(x / peak) - (x - peak) / scale);
            }
            pace[i % BUCKETS] = density;
            sum += density;
        }
        for (int i = 0; i < BUCKETS; i++) {
            pace[i] *= BUCKETS / sum;
        }
        return pace;
    }
}
