package io.sheaf.lab.savings;

import io.sheaf.lab.report.Samples;
import io.sheaf.lab.report.Samples.Interval;
import io.sheaf.lab.savings.SavingsStudy.Compared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a strategy would have saved on all replayed campaigns, in total.
 *
 * @param campaigns those that completed under the strategy
 * @param failed those that did not
 * @param faster those that ended earlier than as submitted
 * @param hours of time from the first submission to the last end
 * @param asSubmittedHours the same time with the jobs as submitted, in hours
 * @param othersHours of waiting of all other users' jobs
 */
public record SavingsTotal(
        String strategy,
        int campaigns,
        int failed,
        int faster,
        int slower,
        Saved hours,
        double asSubmittedHours,
        Saved nodeHours,
        Saved othersHours) {
    private static final long WEEK = 7 * 86_400_000L;
    private static final double SHOWN_HOURS = 0.01;

    /** With fewer campaigns, or campaigns in fewer weeks, there is no interval. */
    public static final int MIN_CAMPAIGNS = 5;

    public static final int MIN_WEEKS = 4;

    /**
     * A sum and its 95 % interval from a bootstrap by weeks.
     *
     * @param interval NaN if there are too few campaigns or weeks
     */
    public record Saved(double sum, Interval interval) {
        public boolean hasInterval() {
            return !Double.isNaN(interval.low());
        }
    }

    public static List<SavingsTotal> of(List<Compared> compared, List<String> strategies) {
        List<SavingsTotal> totals = new ArrayList<>();
        for (int s = 0; s < strategies.size(); s++) {
            int strategy = s;
            List<Compared> completed = compared.stream()
                    .filter(each -> each.replayed().get(strategy).completed())
                    .toList();
            int faster = 0;
            int slower = 0;
            double before = 0;
            for (Compared each : completed) {
                faster += each.savedHours(strategy) >= SHOWN_HOURS ? 1 : 0;
                slower += each.savedHours(strategy) <= -SHOWN_HOURS ? 1 : 0;
                before += each.asSubmitted().turnaround() / 3.6e6;
            }
            String name = strategies.get(s);
            totals.add(new SavingsTotal(
                    name,
                    completed.size(),
                    compared.size() - completed.size(),
                    faster,
                    slower,
                    saved(completed, each -> each.savedHours(strategy), name + " hours"),
                    before,
                    saved(completed, each -> each.savedNodeHours(strategy), name + " node-hours"),
                    saved(completed, each -> each.othersSavedHours(strategy), name + " others")));
        }
        return totals;
    }

    /** The number of weeks in which campaigns began. */
    public static long weeks(List<Compared> compared) {
        return compared.stream().map(each -> each.submitted() / WEEK).distinct().count();
    }

    private static Saved saved(List<Compared> compared, ToDoubleFunction<Compared> value, String purpose) {
        double[] values = compared.stream().mapToDouble(value).toArray();
        List<String> weeks = compared.stream()
                .map(each -> Long.toString(each.submitted() / WEEK))
                .toList();
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        if (values.length < MIN_CAMPAIGNS || weeks(compared) < MIN_WEEKS) {
            return new Saved(sum, new Interval(Double.NaN, Double.NaN));
        }
        Interval mean = Samples.bootstrap(values, weeks, purpose);
        return new Saved(sum, new Interval(values.length * mean.low(), values.length * mean.high()));
    }
}
