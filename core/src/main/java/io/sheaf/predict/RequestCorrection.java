package io.sheaf.predict;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Learns the fraction of its requested time that a job uses, from completed jobs.
 *
 * <p>The fractions of a job come from the first of these groups with observations: the same user and request, the same user, the same {@linkplain
 * Geometry class}, all jobs. For a running job only fractions above its present one count. If there is none, it may end at any time until its limit.
 */
public final class RequestCorrection {
    private static final int OF_REQUEST = 3;
    private static final int OF_USER = 6;
    private static final int OF_KIND = 12;
    private static final int KEPT = 64;

    /** Used fractions of requests, the latest ones. */
    private static final class Parts {
        private double[] part = new double[4];
        private long count;

        void add(double used) {
            if (count >= part.length && part.length < KEPT) {
                part = Arrays.copyOf(part, 2 * part.length);
            }
            part[(int) (count++ % part.length)] = used;
        }

        /** The fractions above a minimum, ascending. */
        double[] above(double minPart) {
            int size = (int) Math.min(count, part.length);
            double[] found = new double[size];
            int n = 0;
            for (int i = 0; i < size; i++) {
                if (part[i] > minPart) {
                    found[n++] = part[i];
                }
            }
            double[] sorted = Arrays.copyOf(found, n);
            Arrays.sort(sorted);
            return sorted;
        }
    }

    private record UserRequest(int user, int nodes, long requested) {}

    private final Map<UserRequest, Parts> byRequest = new HashMap<>();
    private final Map<Integer, Parts> byUser = new HashMap<>();
    private final Map<Geometry, Parts> byKind = new HashMap<>();
    private final Parts all = new Parts();

    /** Records a completed job. */
    public void learn(int user, int nodes, long requested, long used) {
        double part = Math.min(1, Math.max(0, used / (double) Math.max(1, requested)));
        byRequest
                .computeIfAbsent(new UserRequest(user, nodes, requested), each -> new Parts())
                .add(part);
        byUser.computeIfAbsent(user, each -> new Parts()).add(part);
        byKind.computeIfAbsent(Geometry.of(nodes, requested), each -> new Parts())
                .add(part);
        all.add(part);
    }

    /**
     * The possible used fractions of a job's request, equally likely, ascending; empty without observations.
     *
     * @param elapsed its run time so far, in milliseconds; 0 if it has not started
     */
    public double[] parts(int user, int nodes, long requested, long elapsed) {
        double minPart = elapsed == 0 ? -1 : elapsed / (double) Math.max(1, requested);
        double[] similar = above(byRequest.get(new UserRequest(user, nodes, requested)), minPart);
        if (similar.length < OF_REQUEST) {
            similar = above(byUser.get(user), minPart);
        }
        if (similar.length < OF_USER) {
            similar = above(byKind.get(Geometry.of(nodes, requested)), minPart);
        }
        return similar.length < OF_KIND ? all.above(minPart) : similar;
    }

    private static double[] above(@Nullable Parts parts, double minPart) {
        return parts == null ? new double[0] : parts.above(minPart);
    }

    /**
     * The total run time of a job: more than its elapsed time by at least a millisecond, at most its requested time.
     *
     * @param parts the possible used fractions; any time until its limit if empty
     * @param quantile the position among them, in [0, 1)
     */
    public static long run(double[] parts, long requested, long elapsed, double quantile) {
        double minPart = Math.min(1, elapsed / (double) requested);
        double part = parts.length == 0 ? minPart + quantile * (1 - minPart) : parts[(int) (quantile * parts.length)];
        return Math.max(elapsed + 1, Math.min(requested, Math.round(part * requested)));
    }
}
