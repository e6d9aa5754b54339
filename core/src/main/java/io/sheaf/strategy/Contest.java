package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Portfolio}'s comparison of strategies from a fork of the run, each in the same futures.
 *
 * <p>All are simulated in the first future. One that ends much later than the best is dropped, the sooner the more futures are known, and its simulation ends as soon as that is certain; so is one that
 * ends like another in every future. An exception of a strategy ends the contest: it is an error of that strategy, not a result. The first one, which is in force, is never dropped for being late; if it is the last one left, the contest
 * ends. The number of simulations is limited.
 *
 * <p>A session: it belongs to the {@link Lookahead} that runs it piece by piece. Its outcome is a value.
 */
final class Contest implements Lookahead.Question<Contest.Outcome> {
    /** A contender that is behind the best by more than this part is dropped after the first future; after the second one by half of it, and so on. */
    private static final double HOPELESS = 0.1;

    /**
     * How much is simulated.
     *
     * @param futures the maximum number of futures
     * @param simulations the maximum number of simulations
     * @param margin the part by which another strategy must be better than the one in force
     * @param seed selects the futures
     */
    record Terms(int futures, int simulations, double margin, int seed) {}

    /**
     * The result of one contender.
     *
     * @param text its name and how it fared
     * @param first its first request; null if it made none
     * @param mean the mean time until the run ends, in milliseconds; −1 if it ended in no future
     */
    record Result(String text, @Nullable Request first, long mean) {}

    /** The strategy to continue with, why, and the results of all. */
    record Outcome(Contender winner, String reason, List<Result> results) {
        void note(View view, StartEstimator estimator, DecisionSink sink) {
            if (!sink.isRecording()) {
                return;
            }
            for (Result each : results) {
                Request first = each.first;
                sink.option(
                        each.text,
                        first == null ? 0 : first.units(),
                        first == null ? 0 : first.walltime(),
                        first == null ? 0 : queueWait(view, estimator, first),
                        each.mean);
            }
            sink.chosen(winner.name() + reason);
        }

        private static long queueWait(View view, StartEstimator estimator, Request request) {
            StartQuery query = StartQuery.of(view.now(), request.pool(), request.units(), request.walltime());
            long start = estimator.estimate(query).job(0);
            return start == StartTimes.NEVER ? 0 : Math.max(0, start - view.now());
        }
    }

    /** A contender and how it fares. */
    private static final class Entry {
        final Contender contender;
        /** The time until the run ends, for each future. */
        final List<Double> times = new ArrayList<>();

        boolean dropped;
        /** The contender that does the same, if it was dropped for that. */
        @Nullable
        String reason;

        @Nullable
        Request first;

        Entry(Contender contender) {
            this.contender = contender;
        }

        double sum() {
            double sum = 0;
            for (double each : times) {
                sum += each;
            }
            return sum;
        }

        double mean() {
            return times.isEmpty() ? Double.POSITIVE_INFINITY : sum() / times.size();
        }

        Result result() {
            String dropReason = reason == null ? ", given up" : reason;
            String where = times.size() == 1 ? ", 1 future" : ", " + times.size() + " futures";
            String text = contender.name()
                    + (contender.cancelsFirst() ? " after cancelling queued jobs" : "")
                    + (dropped ? dropReason : "")
                    + where;
            return new Result(text, first, times.isEmpty() ? -1 : Math.round(mean()));
        }
    }

    private final Lookahead.Fork fork;
    private final long now;
    private final List<Entry> entries;
    private final Terms terms;

    private int future;
    private int simulations;
    /** The entry that is next in this future, and the least sum of those that have ended in it. */
    private int next;

    private double minCost = Double.POSITIVE_INFINITY;
    private boolean over;
    private Lookahead.@Nullable SteppedSimulation simulation;

    /** Between some contenders, the one in force first. */
    Contest(Lookahead.Fork fork, long now, List<Contender> contenders, Terms terms) {
        this.fork = fork;
        this.now = now;
        this.entries = contenders.stream().map(Entry::new).toList();
        this.terms = terms;
    }

    @Override
    public @Nullable Outcome proceed(long effort) {
        long remaining = effort;
        while (!over && remaining > 0) {
            Lookahead.SteppedSimulation running = simulation == null ? begin() : simulation;
            simulation = running;
            if (running != null) {
                long spent = running.step();
                remaining -= spent;
                if (spent == 0) {
                    simulation = null;
                    ended(entries.get(next++), running);
                }
            }
        }
        return over ? outcome() : null;
    }

    /** A future in which not all were simulated does not count, except for the first: there, those that were not simulated are dropped. */
    @Override
    public Outcome conclude() {
        if (!over && future == 0) {
            entries.subList(next, entries.size()).forEach(each -> each.dropped = true);
            drop(slack());
        } else if (!over) {
            forgetFuture();
        }
        over = true;
        return outcome();
    }

    /** Begins the next simulation; null if there is none just now. */
    private Lookahead.@Nullable SteppedSimulation begin() {
        if (next == entries.size()) {
            drop(slack());
            future++;
            next = 0;
            minCost = Double.POSITIVE_INFINITY;
            over = future == terms.futures || !hasRivals();
            return null;
        }
        Entry each = entries.get(next);
        if (each.dropped) {
            next++;
            return null;
        }
        if (simulations == terms.simulations) {
            conclude();
            return null;
        }
        simulations++;
        boolean bounded = next > 0 && minCost < Double.POSITIVE_INFINITY;
        long until = bounded ? now + (long) ((1 + slack()) * minCost - each.sum()) : Decision.NEVER;
        Contender contender = each.contender;
        return fork.simulate(contender, contender.begin(), terms.seed * terms.futures + future, until);
    }

    private void ended(Entry each, Lookahead.SteppedSimulation simulated) {
        each.first = each.first == null ? simulated.firstRequest() : each.first;
        if (simulated.end() != Decision.NEVER) {
            each.times.add((double) Math.max(1, simulated.end() - now));
            minCost = Math.min(minCost, each.sum());
        } else {
            each.dropped = true;
        }
    }

    private void forgetFuture() {
        for (Entry each : entries) {
            while (each.times.size() > future) {
                each.times.remove(each.times.size() - 1);
            }
        }
    }

    private double slack() {
        return HOPELESS / (future + 1);
    }

    private boolean hasRivals() {
        return entries.stream().skip(1).anyMatch(each -> !each.dropped);
    }

    /** Drops contenders that are far behind, and those that have ended like one before them in every future. */
    private void drop(double slack) {
        double best = Double.POSITIVE_INFINITY;
        for (Entry each : entries) {
            best = each.dropped ? best : Math.min(best, each.mean());
        }
        for (int i = 1; i < entries.size(); i++) {
            Entry each = entries.get(i);
            for (int k = 0; k < i && !each.dropped; k++) {
                Entry before = entries.get(k);
                if (!before.dropped && before.times.equals(each.times)) {
                    each.reason = ", like " + before.contender.name();
                    each.dropped = true;
                }
            }
            each.dropped |= each.mean() > best * (1 + slack);
        }
    }

    private Outcome outcome() {
        Entry winner = winner();
        String reason = winner == entries.get(0)
                ? ": no other one is surely better"
                : ": ends earliest in the mean of " + winner.times.size() + " futures";
        return new Outcome(
                winner.contender, reason, entries.stream().map(Entry::result).toList());
    }

    /** The one in force, unless another one is better by more than the margin and by more than chance explains. */
    private Entry winner() {
        int max = entries.stream().mapToInt(each -> each.times.size()).max().orElse(0);
        Entry inForce = entries.get(0);
        Entry best = inForce;
        for (Entry each : entries) {
            boolean whole = !each.dropped && each.times.size() == max;
            best = whole && (best.dropped || each.mean() < best.mean()) ? each : best;
        }
        return best == inForce || inForce.dropped || isSurelyBetter(best, inForce) ? best : inForce;
    }

    /** Whether the mean gain is above the margin by more than its standard error. */
    private boolean isSurelyBetter(Entry one, Entry other) {
        int n = one.times.size();
        double gain = other.mean() - one.mean();
        double squares = 0;
        for (int f = 0; f < n; f++) {
            double off = other.times.get(f) - one.times.get(f) - gain;
            squares += off * off;
        }
        double error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
        return gain > terms.margin * other.mean() + error;
    }
}
