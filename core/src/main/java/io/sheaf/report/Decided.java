package io.sheaf.report;

import io.sheaf.manager.Order;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A decision of a strategy: what it looked at, what it chose and what it had done.
 *
 * @param chosen what was chosen and why, in words; empty if the strategy did not say
 * @param orders what was carried out of it, in this order
 */
public record Decided(long at, List<Option> options, String chosen, List<Ordered> orders) {
    /** An option that was not chosen, or none was on record. */
    public static final int NONE = -1;

    public Decided {
        options = List.copyOf(options);
        orders = List.copyOf(orders);
    }

    /**
     * Something that might have been done; times in milliseconds from the decision on.
     *
     * @param makespan until the workflow would end; −1 where the strategy does not estimate it
     */
    public record Option(String what, int nodes, long walltime, long queueWait, long makespan) {
        public boolean hasMakespan() {
            return makespan >= 0;
        }
    }

    /**
     * Something that was done.
     *
     * @param token the pilot job that it made or was about
     * @param expectedStart of a pilot job that was submitted; {@link Job#NEVER} if unknown
     */
    public record Ordered(Order order, long token, long expectedStart) {}

    /**
     * The option that was taken: the one that asks for what was submitted. Of several such the one with the least makespan, which is how they differ
     * at all, or that is named in what was chosen; {@link #NONE} if no option is like it.
     */
    public int taken() {
        int best = NONE;
        for (Ordered ordered : orders) {
            if (ordered.order instanceof Order.Submit submit) {
                for (int i = 0; i < options.size(); i++) {
                    Option option = options.get(i);
                    boolean same = option.nodes == submit.request().units()
                            && option.walltime == submit.request().walltime();
                    if (same && (best == NONE || isRather(option, options.get(best)))) {
                        best = i;
                    }
                }
                return best;
            }
        }
        return best;
    }

    private boolean isRather(Option a, Option b) {
        return shorter(a, b) || (a.makespan == b.makespan && chosen.contains(a.what) && !chosen.contains(b.what));
    }

    private static boolean shorter(Option a, Option b) {
        return a.hasMakespan() && (!b.hasMakespan() || a.makespan < b.makespan);
    }

    /** When the workflow was expected to end, by the option taken; {@link Job#NEVER} if that was not estimated. */
    public long expectedEnd() {
        int taken = taken();
        return taken == NONE || !options.get(taken).hasMakespan() ? Job.NEVER : at + options.get(taken).makespan;
    }

    /** In a few words: what was chosen, else what was done. */
    public String summary() {
        if (!chosen.isEmpty()) {
            return chosen;
        }
        long submitted =
                orders.stream().filter(o -> o.order instanceof Order.Submit).count();
        long cancelled =
                orders.stream().filter(o -> o.order instanceof Order.Cancel).count();
        long draining =
                orders.stream().filter(o -> o.order instanceof Order.Drain).count();
        long shortened = orders.size() - submitted - cancelled - draining;
        return Stream.of(
                        count(submitted, "submitted"),
                        count(cancelled, "cancelled"),
                        count(shortened, "shortened"),
                        count(draining, "retired"))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String count(long jobs, String what) {
        return jobs == 0 ? "" : jobs + (jobs == 1 ? " job " : " jobs ") + what;
    }
}
