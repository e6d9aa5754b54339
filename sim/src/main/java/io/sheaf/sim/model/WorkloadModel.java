package io.sheaf.sim.model;

import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfHeader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * A synthetic load of rigid jobs, after U. Lublin and D. G. Feitelson, "The workload on parallel supercomputers: modeling the
 * characteristics of rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003.
 *
 * <p><b>Model.</b> Sizes are {@link JobSizes}, run times {@link RunTimeModel} correlated with them, arrivals {@link DailyArrivals}.
 * The constants here are those that the authors publish for all jobs of a machine, batch and interactive together.
 *
 * <p><b>Departures.</b> The published model has no requests and no users: requests come from {@link UserEstimates}; users are
 * drawn with probability 1/rank, independently for each job. Sizes, run times and arrivals have a factor each, or a parameter
 * moved, to meet the figures of a given cluster: see {@link ModelFit}. There is no weekly rhythm, and users do
 * not hold back when the queue is long as real ones do: at equal figures, queues are longer than those of a log.
 *
 * <p>The same seed gives the same log, whatever the machine. A longer log starts with the shorter one.
 */
public final class WorkloadModel {
    /** Published constants: sizes. */
    static final double LOW = 0.8;

    static final double LOW_SHARE = 0.86;
    /** Published constants: run times. */
    static final double SHORT_SHAPE = 4.2;

    static final double SHORT_SCALE = 0.94;
    static final double LONG_SHAPE = 312;
    static final double LONG_SCALE = 0.03;
    /** Published constants: gaps between arrivals over all hours (the rush hours' shape 10.2303 times 1.0225), and rhythm. */
    static final double GAP_SHAPE = 10.2303 * 1.0225;

    static final double GAP_SCALE = 0.4871;
    static final double LONGEST_GAP = StrictMath.exp(13);
    static final double RHYTHM_SHAPE = 8.1737;
    static final double RHYTHM_SCALE = 3.9631;

    private final String name;
    private final int nodes;
    private final JobSizes sizes;
    private final RunTimeModel runTimes;
    private final LogGamma gaps;
    private final UserEstimates estimates;
    private final double[] userShares;

    WorkloadModel(
            String name,
            int nodes,
            JobSizes sizes,
            RunTimeModel runTimes,
            LogGamma gaps,
            UserEstimates estimates,
            int users) {
        this.name = name;
        this.nodes = nodes;
        this.sizes = sizes;
        this.runTimes = runTimes;
        this.gaps = gaps;
        this.estimates = estimates;
        this.userShares = new double[users];
        double sum = 0;
        for (int i = 0; i < users; i++) {
            sum += 1.0 / (i + 1);
            userShares[i] = sum;
        }
        for (int i = 0; i < users; i++) {
            userShares[i] /= sum;
        }
    }

    /** Nodes of the cluster that the load is for. */
    public int nodes() {
        return nodes;
    }

    /** This number of jobs, from midnight on. */
    public SwfLog generate(long seed, int jobs) {
        return generate(seed, jobs, Long.MAX_VALUE);
    }

    /** The jobs of this number of days, from midnight on. */
    public SwfLog generateDays(long seed, int days) {
        return generate(seed, Integer.MAX_VALUE, days * 86_400L);
    }

    private SwfLog generate(long seed, int jobs, long seconds) {
        RandomStream seeded = new RandomStream(seed);
        RandomStream arriving = seeded.split("arrival");
        RandomStream sizing = seeded.split("size");
        RandomStream running = seeded.split("run");
        RandomStream estimating = seeded.split("estimate");
        RandomStream owning = seeded.split("user");
        DailyArrivals arrivals = new DailyArrivals(gaps, RHYTHM_SHAPE, RHYTHM_SCALE);
        SwfLog.Builder log = SwfLog.builder();
        long[] row = new long[SwfField.COUNT];
        Arrays.fill(row, SwfLog.UNKNOWN);
        set(row, SwfField.STATUS, SwfLog.COMPLETED);
        while (log.size() < jobs) {
            double at = arrivals.next(arriving);
            if (at >= seconds) {
                break;
            }
            int size = sizes.sample(sizing);
            double run = Math.max(1, StrictMath.floor(runTimes.sample(size, running)));
            set(row, SwfField.JOB, log.size() + 1);
            set(row, SwfField.SUBMIT, wholeSeconds(at));
            set(row, SwfField.RUN, wholeSeconds(run));
            set(row, SwfField.ALLOCATED_PROCS, size);
            set(row, SwfField.REQUESTED_PROCS, size);
            set(row, SwfField.REQUESTED_TIME, wholeSeconds(estimates.sample(run, estimating)));
            set(row, SwfField.USER, user(owning));
            log.add(row);
        }
        return log.build(header(seed, log.size()));
    }

    /** Logs count in seconds: the milliseconds of those that have passed. */
    private static long wholeSeconds(double seconds) {
        return ((long) seconds) * 1000;
    }

    private static void set(long[] row, SwfField field, long value) {
        row[field.number() - 1] = value;
    }

    private long user(RandomStream random) {
        int at = Arrays.binarySearch(userShares, random.nextDouble());
        return Math.min(userShares.length, (at < 0 ? -at - 1 : at) + 1);
    }

    private SwfHeader header(long seed, int jobs) {
        return new SwfHeader(List.of(
                new SwfHeader.HeaderField("Version", "2.2"),
                new SwfHeader.HeaderField("Computer", name + ", synthetic"),
                new SwfHeader.HeaderField("Information", "the Lublin-Feitelson model as in Sheaf, seed " + seed),
                new SwfHeader.HeaderField("MaxJobs", Integer.toString(jobs)),
                new SwfHeader.HeaderField("MaxRecords", Integer.toString(jobs)),
                new SwfHeader.HeaderField("UnixStartTime", "0"),
                new SwfHeader.HeaderField("TimeZoneString", "UTC"),
                new SwfHeader.HeaderField("MaxNodes", Integer.toString(nodes)),
                new SwfHeader.HeaderField("MaxProcs", Integer.toString(nodes))));
    }
}
