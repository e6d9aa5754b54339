package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How some strategies would fare from a moment on, each in the same futures: the {@link Portfolio}'s comparison.
 *
 * <p>All are played in the first future. One that ends much later than the best is given up, the sooner the more futures are known, and its play is broken off as soon as that is certain; so is one that does
 * what another does. The first one, which is in force, never is; where it is the last one left the contest is over. No more than so many plays are made.
 *
 * <p>It is held piece by piece: whoever asks for it need not wait until it is over.
 */
final class Contest implements Futures.Question<Contest> {
    /** One that is behind the best by more than this part is given up after the first future; after the second one by half of it, and so on. */
    private static final double HOPELESS = 0.1;

    /**
     * How much is played.
     *
     * @param futures the most futures
     * @param plays the most plays
     * @param margin the part by which another one must be better than the one in force
     * @param seed which futures
     */
    record Terms(int futures, int plays, double margin, int seed) {}

    private final Futures.Moment moment;
    private final long now;
    private final List<Contender> entrants;
    private final Terms terms;

    private int future;
    private int plays;
    /** Who comes next in this future, and the least sum of those who have ended in it. */
    private int next;

    private double least = Double.POSITIVE_INFINITY;
    private boolean over;
    private Futures.@Nullable Play play;

    /** Between some, that in force first. */
    Contest(Futures.Moment moment, long now, List<Contender> entrants, Terms terms) {
        this.moment = moment;
        this.now = now;
        this.entrants = List.copyOf(entrants);
        this.terms = terms;
    }

    @Override
    public @Nullable Contest goOn(long effort) {
        long left = effort;
        while (!over && left > 0) {
            Futures.Play playing = play == null ? begin() : play;
            long spent = playing == null ? 0 : playing.goOn();
            left -= spent;
            play = playing;
            if (playing != null && spent == 0) {
                play = null;
                ended(entrants.get(next++), playing.end());
            }
        }
        return over ? this : null;
    }

    /** Begins the next play; null if there is none just now. */
    private Futures.@Nullable Play begin() {
        if (next == entrants.size()) {
            giveUp(slack());
            future++;
            next = 0;
            least = Double.POSITIVE_INFINITY;
            over = future == terms.futures || !hasRivals();
            return null;
        }
        Contender each = entrants.get(next);
        boolean last = !each.givenUp && (moment.isOutOfTime() || plays == terms.plays);
        if (each.givenUp || last) {
            each.givenUp |= future == 0;
            next++;
            breakOff(last);
            return null;
        }
        plays++;
        boolean bounded = next > 0 && least < Double.POSITIVE_INFINITY;
        long until = bounded ? now + (long) ((1 + slack()) * least - each.sum()) : Decision.NEVER;
        return moment.play(each, each.anew ? Switching.NOW : each.memo, terms.seed * terms.futures + future, until);
    }

    private void ended(Contender each, long end) {
        if (end != Decision.NEVER) {
            each.lasted((double) Math.max(1, end - now));
            least = Math.min(least, each.sum());
            return;
        }
        breakOff(moment.isOutOfTime());
        each.givenUp = !over;
    }

    /** A future in which not all were played does not count, but for the first. */
    private void breakOff(boolean last) {
        if (last && future > 0) {
            over = true;
            entrants.forEach(each -> each.forget(future));
        }
    }

    private double slack() {
        return HOPELESS / (future + 1);
    }

    /** Whether there is anyone left but the one in force. */
    private boolean hasRivals() {
        return entrants.stream().skip(1).anyMatch(each -> !each.givenUp);
    }

    /** Gives up those that are far behind, and those that have ended as one before them in every future: it is the same what they do. */
    private void giveUp(double slack) {
        double best = Double.POSITIVE_INFINITY;
        for (Contender each : entrants) {
            best = each.givenUp ? best : Math.min(best, each.mean());
        }
        for (int i = 1; i < entrants.size(); i++) {
            Contender each = entrants.get(i);
            for (int k = 0; k < i && !each.givenUp; k++) {
                Contender before = entrants.get(k);
                boolean alike = !before.givenUp && before.faredLike(each);
                each.like = alike ? before.name() : null;
                each.givenUp = alike;
            }
            each.givenUp |= each.mean() > best * (1 + slack);
        }
    }

    /** The one to go on with: that in force, unless another is better by more than the margin and by more than chance explains. */
    Contender winner() {
        Contender inForce = entrants.get(0);
        Contender best = inForce;
        for (Contender each : entrants) {
            boolean whole = !each.givenUp && each.futures() == most();
            best = whole && (best.givenUp || each.mean() < best.mean()) ? each : best;
        }
        return best == inForce || inForce.givenUp || isSurelyBetter(best, inForce) ? best : inForce;
    }

    private int most() {
        int most = 0;
        for (Contender each : entrants) {
            most = Math.max(most, each.futures());
        }
        return most;
    }

    /** Whether the mean gain is above the margin by more than its standard error. */
    private boolean isSurelyBetter(Contender one, Contender other) {
        int n = one.futures();
        double gain = other.mean() - one.mean();
        double squares = 0;
        for (int f = 0; f < n; f++) {
            double off = other.lasted(f) - one.lasted(f) - gain;
            squares += off * off;
        }
        double error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
        return gain > terms.margin * other.mean() + error;
    }

    /** Takes note of how each fared. */
    void tell(View view, StartEstimator estimator, Considered considered, Contender chosen) {
        if (!considered.isWanted()) {
            return;
        }
        for (Contender each : entrants) {
            String where = each.futures() == 1 ? "1 future" : each.futures() + " futures";
            String ended = each.like == null ? ", given up" : ", like " + each.like;
            String what = each.name() + (each.anew ? " anew" : "") + (each.givenUp ? ended : "") + ", " + where;
            Request asked = each.firstRequest();
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
    private static long queueWait(View view, StartEstimator estimator, Request asked) {
        long start = estimator
                .estimate(StartQuery.of(view.now(), asked.pool(), asked.units(), asked.walltime()))
                .job(0);
        return start == StartTimes.NEVER ? 0 : Math.max(0, start - view.now());
    }
}
