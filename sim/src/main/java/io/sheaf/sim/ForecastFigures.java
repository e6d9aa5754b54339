package io.sheaf.sim;

import io.sheaf.predict.Quantiles;
import io.sheaf.sim.ForecastEvaluation.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How good estimates of waits were over some jobs, in seconds.
 *
 * @param coverage90 share of the waits within the 90 % interval
 * @param coverage50 the same of the 50 % interval
 * @param medianError median distance of the wait from the median of the forecast
 * @param rawMedianError the same from the scheduler's own estimate
 * @param boundMedianError the same from the median of earlier waits
 * @param pinball mean pinball loss over all {@linkplain Quantiles#levels levels}
 * @param rawPinball the same with the scheduler's estimate at every level
 * @param boundPinball the same with rank bounds
 */
public record ForecastFigures(
        int samples,
        double coverage90,
        double coverage50,
        double meanWidth90,
        double medianError,
        double rawMedianError,
        double boundMedianError,
        double pinball,
        double rawPinball,
        double boundPinball) {
    /** The median error as a share of that of the scheduler's own estimate; not a number where that one has none. */
    public double medianErrorRatio() {
        return rawMedianError > 0 ? medianError / rawMedianError : Double.NaN;
    }

    /** Of some samples, where this is how long the jobs really waited, in milliseconds. */
    public static ForecastFigures of(List<Sample> samples, ToLongFunction<Sample> waits) {
        int in90 = 0;
        int in50 = 0;
        double width = 0;
        double[] loss = new double[3];
        double[][] error = new double[3][samples.size()];
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            long waited = waits.applyAsLong(sample);
            Quantiles forecast = sample.forecast();
            in90 += forecast.holds90(waited) ? 1 : 0;
            in50 += forecast.holds50(waited) ? 1 : 0;
            width += forecast.high90() - forecast.low90();
            List<Quantiles> estimates = List.of(forecast, Quantiles.always(sample.raw()), sample.bound());
            for (int e = 0; e < estimates.size(); e++) {
                loss[e] += estimates.get(e).pinball(waited);
                error[e][i] = Math.abs(estimates.get(e).median() - waited) / 1000.0;
            }
        }
        double n = samples.size();
        return new ForecastFigures(
                samples.size(),
                in90 / n,
                in50 / n,
                width / n / 1000,
                median(error[0]),
                median(error[1]),
                median(error[2]),
                loss[0] / n / 1000,
                loss[1] / n / 1000,
                loss[2] / n / 1000);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int n = values.length;
        return n == 0 ? Double.NaN : (values[(n - 1) / 2] + values[n / 2]) / 2;
    }
}
