package io.sheaf.batch;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Slurm's multifactor priority: a weighted sum of factors between 0 and 1, larger first.
 *
 * <ul>
 *   <li>Age: the time since a job became eligible, up to {@code maxAge}.
 *   <li>Size: the job's units as a part of the cluster's, or one minus it if small jobs are favoured.
 *   <li>Fair share: {@link FairTree} over accounts and users. Usage decays by half in {@code halfLife}.
 * </ul>
 *
 * <p>Partition, QOS and nice value do not change while a job is queued: {@link Submission#priority} is their sum. As in Slurm, the sum is truncated
 * to a whole number of at least 1, equal priorities go by arrival, and a job that depends on another has no age.
 *
 * <p>Priorities are computed at the first event after {@code period}, and when a user submits for the first time. New jobs have the factors of the
 * last computation.
 *
 * @param age weight of the age
 * @param maxAge milliseconds after which the age factor is 1
 * @param size weight of the size
 * @param favorsSmall whether smaller jobs have the larger size factor
 * @param fairShare weight of the fair share
 * @param halfLife of the usage, in milliseconds
 * @param period between two computations, in milliseconds
 * @param ownShares the shares of our user, or of our account if the log has accounts; all others have 1
 * @param known whether our priority is known to estimates; if not, they assume that our new jobs are last
 */
public record Multifactor(
        long age,
        long maxAge,
        long size,
        boolean favorsSmall,
        long fairShare,
        long halfLife,
        long period,
        double ownShares,
        boolean known) {
    private static final long DAY = 86_400_000;
    /** More than any sum of weights. */
    private static final long LAST = -(1L << 40);

    private static final List<String> KEYS =
            List.of("age", "max-age", "size", "favor", "fairshare", "half-life", "period", "share", "known");

    /** Fair share counts ten times as much as age; times as in Slurm's defaults. */
    public static final Multifactor USUAL = new Multifactor(1000, 7 * DAY, 0, false, 10_000, 7 * DAY, 300_000, 1, true);

    public Multifactor {
        if (age < 0 || size < 0 || fairShare < 0 || maxAge < 1 || halfLife < 1 || period < 1 || !(ownShares >= 0)) {
            throw new InputException("multifactor priority: weights and shares must be at least 0, times above 0");
        }
    }

    /** Parses settings such as {@code age=1000,max-age=7d,fairshare=10000,size=500,favor=small,half-life=7d,period=5m,share=2,known=no}. */
    static Multifactor parse(String text) {
        Map<String, String> options = new HashMap<>();
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String key = equals < 0 ? each : each.substring(0, equals);
            if (!KEYS.contains(key)) {
                throw new InputException(
                        "multifactor priority has no setting '" + key + "'; use " + String.join(", ", KEYS));
            }
            options.put(key, each.substring(equals + 1));
        }
        return new Multifactor(
                weight(options, "age", USUAL.age),
                time(options, "max-age", USUAL.maxAge),
                weight(options, "size", USUAL.size),
                choice(options, "favor", "large", "small"),
                weight(options, "fairshare", USUAL.fairShare),
                time(options, "half-life", USUAL.halfLife),
                time(options, "period", USUAL.period),
                weight(options, "share", 1),
                !choice(options, "known", "yes", "no"));
    }

    /** Whether a setting has the other of two values. */
    private static boolean choice(Map<String, String> options, String key, String defaultValue, String other) {
        String value = options.getOrDefault(key, defaultValue);
        if (!value.equals(defaultValue) && !value.equals(other)) {
            throw new InputException("multifactor priority: '" + key + "' is " + defaultValue + " or " + other
                    + ", not '" + value + "'");
        }
        return value.equals(other);
    }

    private static long weight(Map<String, String> options, String key, long defaultValue) {
        String value = options.get(key);
        if (value == null || value.matches("[0-9]{1,9}")) {
            return value == null ? defaultValue : Long.parseLong(value);
        }
        throw new InputException(
                "multifactor priority: '" + key + "' must be a whole number from 0, is '" + value + "'");
    }

    private static long time(Map<String, String> options, String key, long defaultValue) {
        String value = options.get(key);
        return value == null ? defaultValue : TimeText.millis(value);
    }

    /** What estimates add to the priority of our new jobs. */
    long assumed() {
        return known ? 0 : LAST;
    }

    /**
     * The priority of a job.
     *
     * @param waited milliseconds since it became eligible
     * @param units of the job, of {@code all} in the cluster
     * @param share the fair-share factor of its user
     * @param fixed the weighted factors that do not change
     */
    long priority(long waited, int units, int all, double share, long fixed) {
        double ageFactor = Math.min(1, Math.max(0, waited) / (double) maxAge);
        double sizeFactor = (favorsSmall ? all - units : units) / (double) all;
        return Math.max(1, (long) (age * ageFactor + size * sizeFactor + fairShare * share + fixed));
    }

    /** The waiting time that raises a priority as much as a fair-share factor that is larger by {@code share}; NEVER if none does. */
    public long waitEquivalent(double share) {
        return share * fairShare > age ? BatchEngine.NEVER : age == 0 ? 0 : (long) (share * fairShare / age * maxAge);
    }
}
