package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;

/**
 * GLUME, Group Levels Using Makespan Estimates (thesis chapter 6, Algorithms 1–3).
 *
 * <h2>Idea</h2>
 * Of all ways to split what is left into two jobs of consecutive levels, the second waiting while the first runs, the one is taken that ends
 * earliest by estimate; the first job of it is submitted. When that job starts, the rest is considered anew, so a workflow may become many jobs.
 * One job for everything is the baseline.
 *
 * <h2>Departures from the text</h2>
 * <ul>
 *   <li>Line 17 adds the waits of both jobs, though the second waits while the first runs: the makespan of a split is
 *       wait₁ + max(run₁, wait₂) + run₂, leeways included, as the text around it says and the authors' program has it.
 *   <li>Line 23 requests leeway + run; the {@link Profile} adds what a site needs.
 *   <li>Of equally good node counts the largest is taken, of equally good splits the first, one job before all.
 * </ul>
 *
 * <p>{@code beat} is the fraction by which a split must beat the single job; the published figures are with 0.
 */
final class Glume implements Strategy {
    private final RunTimes times;
    private final Profile profile;
    private final double beat;

    Glume(RunTimes times, Profile profile, double beat) {
        this.times = times;
        this.profile = profile;
        this.beat = beat;
    }

    @Override
    public String name() {
        return "glume";
    }

    @Override
    public Decision decide(View view, Memo memo, Estimator estimator, Considered considered) {
        Decision other = Succession.unlessNextIsDue(view, memo);
        if (other != null) {
            return other;
        }
        int first = Succession.nextLevel(view);
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.LARGEST);
        LevelJob chosen =
                split(sizing, first, view.workflow().levels() - 1, Succession.delay(view, profile), considered);
        Request request = Request.of(chosen.nodes(), profile.request(chosen.asked()));
        return Decision.of(
                Succession.seen(view),
                new Order.Submit(
                        request, Claim.levels(first, chosen.lastLevel()).sameLevelFirst(profile.sameLevelFirst())));
    }

    @Override
    public Memo memo(String text) {
        return Succession.memo(text);
    }

    /**
     * Algorithm 1.
     *
     * <p>A second job is searched only as far as it could make its split the best one: with leeway it asks for more and waits no less, so
     * it does not end before the date that PickBestNumNodes finds. Where the options are wanted, all are told.
     */
    private LevelJob split(Sizing sizing, int first, int last, long delay, Considered considered) {
        sizing.prepare(first, last);
        LevelJob best = pickBestAllocation(sizing, delay, first, last);
        long whole = best.queueWait() + best.asked();
        long least = whole;
        note(considered, best.what() + " as one job", best, whole);
        LevelJob[] firsts = new LevelJob[last - first];
        for (int l = last - 1; l >= first; l--) {
            firsts[l - first] = pickBestAllocation(sizing, delay, first, l);
        }
        for (LevelJob a : firsts) {
            if (isTooIdle(a)) {
                continue;
            }
            long before = considered.isWanted() ? Sizing.ANY_END : least - a.queueWait();
            LevelJob sized = sizing.bestBefore(a.lastLevel() + 1, last, a.asked(), before);
            if (sized == null) {
                continue;
            }
            LevelJob b = withLeeway(sizing.queue(), sized, a.asked());
            if (isTooIdle(b)) {
                continue;
            }
            long makespan = a.queueWait() + Math.max(a.asked(), b.queueWait()) + b.asked();
            note(considered, a.what() + " first", a, makespan);
            if (makespan < whole * (1 - beat) && makespan < least) {
                least = makespan;
                best = a;
            }
        }
        considered.chosen(best.what() + ": ends earliest");
        return best;
    }

    /** Lines 10 and 15: more than a tenth of the run time would be spent waiting for the predecessor. */
    private static boolean isTooIdle(LevelJob a) {
        return a.leeway() * 10 > a.run();
    }

    /** Algorithm 2. */
    private static LevelJob pickBestAllocation(Sizing sizing, long delay, int first, int last) {
        return withLeeway(sizing.queue(), sizing.best(first, last, delay), delay);
    }

    private static LevelJob withLeeway(Queue queue, LevelJob sized, long delay) {
        long leeway = Leeway.bySearch(queue, sized.nodes(), sized.run(), sized.queueWait(), delay);
        if (leeway == 0) {
            return sized;
        }
        long wait = queue.waitFor(sized.nodes(), sized.run() + leeway);
        return new LevelJob(sized.firstLevel(), sized.lastLevel(), sized.nodes(), sized.run(), leeway, wait);
    }

    private void note(Considered considered, String what, LevelJob a, long makespan) {
        if (considered.isWanted()) {
            considered.option(what, a.nodes(), profile.request(a.asked()), a.queueWait(), makespan);
        }
    }
}
