package io.sheaf.sim;

import io.sheaf.predict.Quantiles;

/**
 * A forecast of a job's queue wait, in milliseconds.
 *
 * @param scheduler the scheduler's own estimate
 * @param waits calibrated quantiles of simulated futures
 * @param rankBound quantiles of earlier waits alone, by rank
 */
public record WaitForecast(long scheduler, Quantiles waits, Quantiles rankBound) {
    /** The scheduler's estimate at every level. */
    public static WaitForecast certain(long scheduler) {
        return new WaitForecast(scheduler, Quantiles.always(scheduler), Quantiles.always(scheduler));
    }
}
