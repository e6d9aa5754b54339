package io.sheaf.sim.model;

import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * Fits the Lublin–Feitelson model to the figures of a cluster, by numerical integration and bisection; no sampling.
 * <ul>
 *   <li>mean width: the change point of the two-stage uniform sizes (the share of serial jobs and of powers of two, and the widest job, are
 *       given);
 *   <li>mean run time: a factor on all run times;
 *   <li>load: with jobs per day, width and run time given, the load determines the correlation of run time and size. The slope of the share
 *       of short jobs over the size is varied, with the share {@link #PIVOT} at the mean width;
 *   <li>jobs per day: a factor on the gaps between arrivals;
 *   <li>requested load: the power of the users' accuracy.
 * </ul>
 */
final class ModelFit {
    /** Share of short jobs at the mean width; the published line has 0.71 at 13 nodes, its mean on 128. */
    static final double PIVOT = 0.71;

    private static final int BISECTIONS = 40;
    private static final int ROUNDS = 8;
    private static final int GRID = 150;
    private static final double PRECISION = 1e-6;
    private static final double TOLERANCE = 1e-3;

    private final ClusterFigures figures;
    private final double limit;
    private final JobSizes sizes;
    private final double[] sizeShare;
    private final double width;

    private double factor = 1;
    private double slope;
    private double shortMean;
    private double longMean;

    private ModelFit(ClusterFigures figures) {
        this.figures = figures;
        this.limit = figures.limitHours() * 3600;
        this.sizes = sizes();
        this.sizeShare = sizes.probabilities();
        this.width = sizes.mean();
    }

    static WorkloadModel of(ClusterFigures figures) {
        return new ModelFit(figures).model();
    }

    private WorkloadModel model() {
        double target = figures.load() * figures.nodes() * 24 / figures.jobsPerDay();
        // The factor moves the mean alone; the slope moves the mean a little where the share is cut off at 0 or 1.
        for (int round = 0; round < ROUNDS && !met(target); round++) {
            factor = solve("mean run time", figures.meanRunHours(), 1e-3, 1e3, f -> {
                setFactor(f);
                return meanRun(slope);
            });
            setFactor(factor);
            slope = -solve("load", target / figures.meanRunHours(), -1, 1, s -> meanWork(-s) / meanRun(-s));
        }
        check("mean run time", meanRun(slope), figures.meanRunHours());
        check("load", meanWork(slope), target);
        RunTimeModel times = times();
        double requested = target * figures.requestedLoad() / figures.load();
        double power = solve("requested load", requested, 0, 30, k -> meanRequest(times, new UserEstimates(k, limit)));
        LogGamma unit = new LogGamma(WorkloadModel.GAP_SHAPE, WorkloadModel.GAP_SCALE, 1, WorkloadModel.LONGEST_GAP);
        double gap = 86_400 / figures.jobsPerDay() / unit.mean();
        LogGamma gaps =
                new LogGamma(WorkloadModel.GAP_SHAPE, WorkloadModel.GAP_SCALE, gap, WorkloadModel.LONGEST_GAP * gap);
        return new WorkloadModel(
                figures.name(), figures.nodes(), sizes, times, gaps, new UserEstimates(power, limit), figures.users());
    }

    private boolean met(double work) {
        double run = figures.meanRunHours();
        return Math.abs(meanRun(slope) - run) < PRECISION * run && Math.abs(meanWork(slope) - work) < PRECISION * work;
    }

    private JobSizes sizes() {
        double high = JobSizes.log2(figures.widest());
        double medium = solve("mean width", figures.meanWidth(), WorkloadModel.LOW, high, m -> sizes(m, high)
                .mean());
        return sizes(medium, high);
    }

    private JobSizes sizes(double medium, double high) {
        return new JobSizes(
                figures.widest(),
                figures.serial(),
                figures.powerOfTwo(),
                WorkloadModel.LOW,
                medium,
                high,
                WorkloadModel.LOW_SHARE);
    }

    private RunTimeModel times() {
        return new RunTimeModel(shorter(), longer(), slope, PIVOT - slope * width);
    }

    private LogGamma shorter() {
        return new LogGamma(WorkloadModel.SHORT_SHAPE, WorkloadModel.SHORT_SCALE, factor, limit);
    }

    private LogGamma longer() {
        return new LogGamma(WorkloadModel.LONG_SHAPE, WorkloadModel.LONG_SCALE, factor, limit);
    }

    private void setFactor(double f) {
        factor = f;
        shortMean = shorter().mean() / 3600;
        longMean = longer().mean() / 3600;
    }

    /** Mean run time in hours. */
    private double meanRun(double s) {
        return sum(s, shortMean, longMean, false);
    }

    /** Mean node hours of a job. */
    private double meanWork(double s) {
        return sum(s, shortMean, longMean, true);
    }

    private double sum(double s, double shortValue, double longValue, boolean timesNodes) {
        RunTimeModel line = new RunTimeModel(shorter(), longer(), s, PIVOT - s * width);
        double sum = 0;
        for (int n = 1; n < sizeShare.length; n++) {
            double share = line.shortShare(n);
            sum += sizeShare[n] * (timesNodes ? n : 1) * (share * shortValue + (1 - share) * longValue);
        }
        return sum;
    }

    /** Mean requested node hours per job. */
    private double meanRequest(RunTimeModel times, UserEstimates estimates) {
        return sum(slope, meanRequest(times.shorter(), estimates), meanRequest(times.longer(), estimates), true);
    }

    private static double meanRequest(LogGamma run, UserEstimates estimates) {
        double[] weight = new double[GRID];
        double[] value = new double[GRID];
        run.grid(weight, value);
        double mean = 0;
        for (int i = 0; i < GRID; i++) {
            mean += weight[i] * estimates.mean(value[i]);
        }
        return mean / 3600;
    }

    /** The argument at which a rising function takes a value, by bisection. */
    private double solve(String name, double target, double from, double to, DoubleUnaryOperator rising) {
        double low = from;
        double high = to;
        if (rising.applyAsDouble(low) > target || rising.applyAsDouble(high) < target) {
            throw unreachable(name, target, rising.applyAsDouble(low), rising.applyAsDouble(high));
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (rising.applyAsDouble(middle) < target) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    private void check(String name, double actual, double target) {
        if (Math.abs(actual - target) > TOLERANCE * target) {
            throw unreachable(name, target, actual, actual);
        }
    }

    private IllegalArgumentException unreachable(String name, double target, double low, double high) {
        return new IllegalArgumentException(String.format(
                Locale.ROOT,
                "%s: no model has a %s of %.4g (in hours and nodes of a job; from %.4g to %.4g can be met); the figures"
                        + " contradict each other or the widest job and the limit",
                figures.name(),
                name,
                target,
                low,
                high));
    }
}
