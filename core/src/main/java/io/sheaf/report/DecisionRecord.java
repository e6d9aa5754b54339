package io.sheaf.report;

import io.sheaf.manager.Order;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A decision of a strategy: the options, the choice and the orders.
 *
 * @param chosen the choice and its reason as text; empty if the strategy did not record one
 * @param orders the orders that were carried out, in this order
 */
public record DecisionRecord(long at, List<Option> options, String chosen, List<Ordered> orders) {
    /** No recorded option matches. */
    public static final int NONE = -1;

    public DecisionRecord {
        options = List.copyOf(options);
        orders = List.copyOf(orders);
    }

    /**
     * An option of a decision; times in milliseconds from the decision on.
     *
     * @param makespan until the workflow would end; −1 if the strategy does not estimate it
     */
    public record Option(String label, int nodes, long walltime, long queueWait, long makespan) {
        public boolean hasMakespan() {
            return makespan >= 0;
        }
    }

    /**
     * An order that was carried out.
     *
     * @param token the pilot job that it submitted or refers to
     * @param expectedStart of a submitted pilot job; {@link JobRecord#NEVER} if unknown
     */
    public record Ordered(Order order, long token, long expectedStart) {}

    /**
     * The index of the chosen option: the one that matches the submitted request. Of several, the one named in {@link #chosen} or with the shortest
     * makespan; {@link #NONE} if none matches.
     */
    public int chosenOption() {
        int best = NONE;
        for (Ordered ordered : orders) {
            if (ordered.order instanceof Order.Submit submit) {
                for (int i = 0; i < options.size(); i++) {
                    Option option = options.get(i);
                    boolean same = option.nodes == submit.request().units()
                            && option.walltime == submit.request().walltime();
                    if (same && (best == NONE || isBetter(option, options.get(best)))) {
                        best = i;
                    }
                }
                return best;
            }
        }
        return best;
    }

    private boolean isBetter(Option a, Option b) {
        return shorter(a, b) || (a.makespan == b.makespan && chosen.contains(a.label) && !chosen.contains(b.label));
    }

    private static boolean shorter(Option a, Option b) {
        return a.hasMakespan() && (!b.hasMakespan() || a.makespan < b.makespan);
    }

    /** The expected end of the workflow by the chosen option; {@link JobRecord#NEVER} if it was not estimated. */
    public long expectedEnd() {
        int option = chosenOption();
        return option == NONE || !options.get(option).hasMakespan()
                ? JobRecord.NEVER
                : at + options.get(option).makespan;
    }

    /** A short description: the choice, or else the orders. */
    public String summary() {
        if (!chosen.isEmpty()) {
            return chosen;
        }
        return Stream.of(
                        count(Order.Submit.class, "submitted"),
                        count(Order.Cancel.class, "cancelled"),
                        count(Order.Shorten.class, "shortened"),
                        count(Order.Drain.class, "drained"))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String count(Class<? extends Order> kind, String state) {
        long jobs = orders.stream().filter(each -> kind.isInstance(each.order)).count();
        return jobs == 0 ? "" : jobs + (jobs == 1 ? " job " : " jobs ") + state;
    }
}
