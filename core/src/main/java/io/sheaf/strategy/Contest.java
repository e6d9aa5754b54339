package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How some strategies would fare from a moment on, each in the same futures: the {@link Portfolio}'s comparison.
 *
 * <p>All are played in the first future. One that ends much later than the best is given up, the sooner the more futures are known; the first one, which is in force, never is. No more than so many
 * plays are made.
 */
final class Contest {
    /** One that is behind the best by more than this part is given up after the first future; after the second one by half of it, and so on. */
    private static final double HOPELESS = 0.3;

    /** A play is broken off when it takes so many times as long as the best one in the same future. */
    private static final double BEYOND = 1.5;

    /** A strategy that takes part: it may first withdraw what is queued. */
    static final class Entrant implements Strategy {
        private final String name;
        private final Strategy strategy;
        final Memo memo;
        final boolean anew;
        private final List<Double> lasted = new ArrayList<>();
        private @Nullable Request first;
        private boolean givenUp;

        /** Under a name that need not be what the one who plays calls itself. */
        Entrant(String name, Strategy strategy, Memo memo, boolean anew) {
            this.name = name;
            this.strategy = strategy;
            this.memo = memo;
            this.anew = anew;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Memo memo(String text) {
            return strategy.memo(text);
        }

        /** Once it has withdrawn what is queued it is the strategy; the manager asks again when that is gone. */
        @Override
        public Decision decide(View view, Memo remembered, Estimator estimator, Considered considered) {
            if (remembered.equals(Switching.NOW)) {
                List<Order> withdrawals = Switching.withdrawals(view);
                if (!withdrawals.isEmpty()) {
                    return new Decision(withdrawals, Decision.NEVER, memo);
                }
                return decide(view, memo, estimator, considered);
            }
            Decision decision = strategy.decide(view, remembered, estimator, considered);
            if (first == null) {
                for (Order order : decision.orders()) {
                    first = first == null && order instanceof Order.Submit submit ? submit.request() : first;
                }
            }
            return decision;
        }

        double mean() {
            double sum = 0;
            for (double each : lasted) {
                sum += each;
            }
            return lasted.isEmpty() ? Double.POSITIVE_INFINITY : sum / lasted.size();
        }

        int futures() {
            return lasted.size();
        }
    }

    private final List<Entrant> entrants;
    private final double margin;

    private Contest(List<Entrant> entrants, double margin) {
        this.entrants = entrants;
        this.margin = margin;
    }

    /**
     * Plays them.
     *
     * @param entrants that in force first
     * @param futures the most futures
     * @param budget the most plays
     * @param seed which futures
     */
    static Contest held(
            Futures.Moment moment,
            long now,
            List<Entrant> entrants,
            int futures,
            int budget,
            long seed,
            double margin) {
        int plays = 0;
        for (int f = 0; f < futures; f++) {
            double best = Double.POSITIVE_INFINITY;
            for (Entrant each : entrants) {
                if (each.givenUp) {
                    continue;
                }
                boolean over = moment.isOutOfTime() || plays++ >= budget;
                if (over && f > 0) {
                    return new Contest(entrants, margin).without(f);
                }
                if (over) {
                    each.givenUp = true;
                    continue;
                }
                boolean bounded = each != entrants.get(0) && best < Double.POSITIVE_INFINITY;
                long until = bounded ? now + (long) (BEYOND * best) : Decision.NEVER;
                long end = moment.end(each, each.anew ? Switching.NOW : each.memo, (int) (seed * futures + f), until);
                if (end == Decision.NEVER && moment.isOutOfTime() && f > 0) {
                    return new Contest(entrants, margin).without(f);
                }
                if (end == Decision.NEVER) {
                    each.givenUp = true;
                } else {
                    each.lasted.add((double) Math.max(1, end - now));
                    best = Math.min(best, (double) (end - now));
                }
            }
            giveUp(entrants, HOPELESS / (f + 1));
        }
        return new Contest(entrants, margin);
    }

    /** A future in which not all were played does not count. */
    private Contest without(int future) {
        for (Entrant each : entrants) {
            while (each.lasted.size() > future) {
                each.lasted.remove(each.lasted.size() - 1);
            }
        }
        return this;
    }

    private static void giveUp(List<Entrant> entrants, double slack) {
        double best = Double.POSITIVE_INFINITY;
        for (Entrant each : entrants) {
            best = each.givenUp ? best : Math.min(best, each.mean());
        }
        for (Entrant each : entrants.subList(1, entrants.size())) {
            each.givenUp |= each.mean() > best * (1 + slack);
        }
    }

    /** The one to go on with: that in force, unless another is better by more than the margin and by more than chance explains. */
    Entrant winner() {
        Entrant inForce = entrants.get(0);
        Entrant best = inForce;
        for (Entrant each : entrants) {
            boolean whole = !each.givenUp && each.lasted.size() == most();
            best = whole && (best.givenUp || each.mean() < best.mean()) ? each : best;
        }
        return best == inForce || inForce.givenUp || isSurelyBetter(best, inForce) ? best : inForce;
    }

    private int most() {
        int most = 0;
        for (Entrant each : entrants) {
            most = Math.max(most, each.lasted.size());
        }
        return most;
    }

    /** Whether the mean gain is above the margin by more than its standard error. */
    private boolean isSurelyBetter(Entrant one, Entrant other) {
        int n = one.lasted.size();
        double gain = other.mean() - one.mean();
        double squares = 0;
        for (int f = 0; f < n; f++) {
            double off = other.lasted.get(f) - one.lasted.get(f) - gain;
            squares += off * off;
        }
        double error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
        return gain > margin * other.mean() + error;
    }

    /** Takes note of how each fared. */
    void tell(View view, Estimator estimator, Considered considered, Entrant chosen) {
        if (!considered.isWanted()) {
            return;
        }
        for (Entrant each : entrants) {
            String where = each.futures() == 1 ? "1 future" : each.futures() + " futures";
            String what = each.name() + (each.anew ? " anew" : "") + (each.givenUp ? ", given up" : "") + ", " + where;
            Request asked = each.first;
            considered.option(
                    what,
                    asked == null ? 0 : asked.units(),
                    asked == null ? 0 : asked.walltime(),
                    asked == null ? 0 : queueWait(view, estimator, asked),
                    each.futures() == 0 ? -1 : Math.round(each.mean()));
        }
        String why = chosen == entrants.get(0)
                ? ": no other one is surely better"
                : ": ends earliest in the mean of " + chosen.futures() + " futures";
        considered.chosen(chosen.name() + why);
    }

    /** How long a job would wait by the batch system's own estimate. */
    private static long queueWait(View view, Estimator estimator, Request asked) {
        long[] start = new long[1];
        estimator.starts(view.now(), asked.pool(), new int[] {asked.units()}, new long[] {asked.walltime()}, 1, start);
        return start[0] == Long.MAX_VALUE ? 0 : Math.max(0, start[0] - view.now());
    }
}
