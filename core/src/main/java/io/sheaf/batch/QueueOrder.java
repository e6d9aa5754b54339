package io.sheaf.batch;

import io.sheaf.text.InputException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The order in which queued jobs are considered: arrival, or a Maui-like priority (Zhang, Koelbel and Cooper, "Batch Queue
 * Resource Scheduling for Workflow Applications", 2009, sections II.A and IV.B).
 *
 * <p>Maui adds weighted components: time waited (never capped, so that nothing starves), request in processor-hours (capped),
 * the user's share. Only ratios of weights matter for an order, so everything is counted in <em>time waited</em>: a job's
 * rank is its submission, moved earlier or later by what its request and its owner are worth. The paper names no weights. Ours:
 *
 * <ul>
 *   <li>{@link #LARGE} (FL): one processor-hour requested is worth 6 minutes waited, up to 480 processor-hours (48 h).
 *   <li>{@link #SMALL} (FS): the same, against the job.
 *   <li>{@link #MAUI_FCFS}: as FL with a hundredfold weight of waiting, so that a request is worth at most 29 minutes.
 *   <li>fair share: one processor-hour used recently costs as much waiting as is chosen; usage fades by half in a half-life.
 *   <li>{@link #EXTERNAL}: priorities from outside, larger first.
 *   <li>{@link Multifactor}: Slurm's priority.
 * </ul>
 * Ties go by arrival.
 *
 * @param requestWeight milliseconds of waiting that one requested processor-hour is worth
 * @param requestCap processor-hours beyond which a request counts no more
 * @param usageWeight milliseconds of waiting that one processor-hour of decayed usage costs; 0 without fair share
 * @param halfLife of the usage in milliseconds
 * @param external whether priorities come from outside; then nothing else counts
 * @param multifactor Slurm's priority; null for any other order
 * @param known whether estimates know the order; if not, they {@linkplain InferredOrder infer} it
 */
public record QueueOrder(
        long requestWeight,
        long requestCap,
        long usageWeight,
        long halfLife,
        boolean external,
        @Nullable Multifactor multifactor,
        boolean known) {
    static final long HOUR = 3_600_000;

    /** In order of submission. */
    public static final QueueOrder ARRIVAL = new QueueOrder(0, 0, 0, HOUR, false);

    public static final QueueOrder LARGE = new QueueOrder(HOUR / 10, 480, 0, HOUR, false);
    public static final QueueOrder SMALL = new QueueOrder(-HOUR / 10, 480, 0, HOUR, false);
    public static final QueueOrder MAUI_FCFS = new QueueOrder(HOUR / 1000, 480, 0, HOUR, false);
    public static final QueueOrder EXTERNAL = new QueueOrder(0, 0, 0, HOUR, true);

    private static final String MULTIFACTOR = "multifactor";
    private static final String UNKNOWN = ":known=no";

    /** An order other than Slurm's multifactor priority. */
    public QueueOrder(long requestWeight, long requestCap, long usageWeight, long halfLife, boolean external) {
        this(requestWeight, requestCap, usageWeight, halfLife, external, null, true);
    }

    public QueueOrder {
        if (requestCap < 0 || usageWeight < 0 || halfLife < 1) {
            throw new IllegalArgumentException("queue order with cap " + requestCap + ", usage weight " + usageWeight
                    + ", half-life " + halfLife + ": the first two at least 0, the last at least 1");
        }
    }

    /** The same with fair share: an hour on one processor costs {@code weight} ms of waiting and decays with a half-life. */
    public QueueOrder withFairShare(long weight, long halfLifeMs) {
        return new QueueOrder(requestWeight, requestCap, weight, halfLifeMs, external);
    }

    /** By Slurm's multifactor priority. */
    public static QueueOrder of(Multifactor priority) {
        return new QueueOrder(0, 0, 0, priority.halfLife(), false, priority, true);
    }

    /** The same order, unknown to estimates. */
    public QueueOrder unknown() {
        return new QueueOrder(requestWeight, requestCap, usageWeight, halfLife, external, multifactor, false);
    }

    /** Parses {@code fcfs}, {@code large}, {@code large:known=no}, {@code small}, {@code multifactor} or {@code multifactor:age=1000,fairshare=10000}. */
    public static QueueOrder parse(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (name.startsWith(MULTIFACTOR + ":")) {
            return of(Multifactor.parse(name.substring(MULTIFACTOR.length() + 1)));
        }
        if (name.endsWith(UNKNOWN)) {
            return parse(name.substring(0, name.length() - UNKNOWN.length())).unknown();
        }
        return switch (name) {
            case "fcfs" -> ARRIVAL;
            case "large" -> LARGE;
            case "small" -> SMALL;
            case MULTIFACTOR -> of(Multifactor.USUAL);
            default ->
                throw new InputException(
                        "unknown value '" + text
                                + "'. Possible values: fcfs, large, small (each with :known=no or without), multifactor[:age=W,fairshare=W,…].");
        };
    }

    /** The external priority that estimates assume for our new jobs. */
    public long assumedPriority() {
        return multifactor == null ? 0 : multifactor.assumed();
    }

    boolean isArrival() {
        return requestWeight == 0 && usageWeight == 0 && !external && multifactor == null;
    }

    /** Whether the order changes with usage. */
    boolean sharesFairly() {
        return (usageWeight > 0 && !external) || multifactor != null;
    }

    /** What a job is sorted by, smaller first, the owner's usage left out. */
    long rank(long submit, int units, long walltime, long priority) {
        if (external) {
            return ~priority; // reverses the order of all longs, unlike minus
        }
        if (requestWeight == 0) {
            return submit;
        }
        long cap = requestCap * HOUR;
        long processorTime = walltime > cap / units ? cap : walltime * units;
        return submit - processorTime * requestWeight / HOUR;
    }

    /** How much waiting some usage (processor-milliseconds) costs. */
    long penalty(double usage) {
        return (long) (usage / HOUR * usageWeight);
    }
}
