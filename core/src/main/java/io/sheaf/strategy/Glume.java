package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.List;

/**
 * GLUME, Group Levels Using Makespan Estimates (thesis chapter 6, Algorithms 1–3).
 *
 * <h2>Idea</h2>
 * Split the remaining levels into two jobs, the second of which waits while the first runs. One job for all levels is the baseline.
 *
 * <h2>Decision</h2>
 * Estimate the makespan of each split and of the single job, and submit the first job of the best. When that job starts, decide again for the
 * remaining levels, so a workflow may become many jobs.
 *
 * <h2>Departures from the text</h2>
 * <ul>
 *   <li>Line 17 adds the waits of both jobs, though the second waits while the first runs: the makespan of a split is
 *       wait₁ + max(run₁, wait₂) + run₂, leeways included, as the text around it says and the authors' program has it.
 *   <li>Line 23 requests leeway + run; the {@link Profile} adds the margins of a site.
 *   <li>The texts do not break ties. As in the authors' program, the largest of equally good node counts wins, and the single job, then the earliest
 *       split, of equally good splits.
 *   <li>Limits of walltimes: the first job of a split is one that fits; the rest behind it counts as a chain of jobs ({@link Sizing}, {@link JobChain}). If the single job does not fit and each split would be too
 *       idle, the most levels that fit are the next job.
 *   <li>Leeway follows the authors' program, see {@link Leeway}.
 * </ul>
 *
 * <h2>Options</h2>
 * All are off by default and in comparisons with published figures; then at most one job is queued.
 * <ul>
 *   <li>{@code beat}: the fraction by which a split must beat the single job.
 *   <li>{@code fallback} (thesis 8.2, first direction): one job per task from now on, if all remaining levels form one job that would wait,
 *       counted from its predecessor's end, more than twice its run time. This is Zhang's rule, as the thesis suggests.
 *   <li>{@code vertical} (8.2, second direction): the chosen job may become several concurrent jobs, see {@link VerticalSplit}.
 *   <li>{@code dependency}: a job depends on its predecessor's end instead of requesting leeway. Its estimated start is the later of the two.
 * </ul>
 */
record Glume(RunTimes times, Profile profile, Options options) implements Strategy {
    /** Options beyond Algorithms 1–3. */
    record Options(double beat, boolean fallback, boolean vertical, boolean dependency) {
        /** The options that differ from the defaults, as in the strategy's name. */
        @Override
        public String toString() {
            return Strategies.parameters(
                    beat > 0 ? "beat=" + beat : "",
                    fallback ? "fallback=true" : "",
                    vertical ? "split=vertical" : "",
                    dependency ? "leeway=dependency" : "");
        }
    }

    @Override
    public String name() {
        return "glume" + options;
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        Decision other = JobChain.unlessNextIsDue(view, memo, profile);
        if (other != null) {
            return other;
        }
        int first = JobChain.nextLevel(view);
        int last = view.workflow().levels() - 1;
        long delay = JobChain.delay(view, profile);
        Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.LARGEST, Sizing.Waits.OVERLAP)
                .within(estimator, delay, each -> each.best(first, last, delay));
        View within = sizing.view;
        LevelJob chosen = split(sizing, first, last, delay, sink);
        if (!sizing.fits(chosen)) {
            return JobChain.parts(within, profile, sizing, sizing.best(first, first, 0), sink);
        }
        if (options.fallback && chosen.lastLevel() == last && chosen.queueWait() - delay > 2 * chosen.run()) {
            sink.chosen("one job per task: a job for the remaining tasks would wait more than twice its run time");
            return OneJobPerTask.fromNowOn(view, profile);
        }
        VerticalSplit sideBySide = options.vertical ? VerticalSplit.of(chosen, within, sizing, delay) : null;
        return sideBySide == null
                ? Decision.of(JobChain.handled(view), submit(within, chosen, TaskGroup.ALL))
                : submit(within, chosen, sideBySide, sizing, delay, sink);
    }

    private Order submit(View view, LevelJob job, TaskGroup tasks) {
        Request request = JobChain.request(
                view, profile, job.nodes(), job.runWithLeeway(), options.dependency || job.dependent());
        Claim claim = Claim.levels(job.firstLevel(), job.lastLevel()).only(tasks);
        return new Order.Submit(request, claim.sameLevelFirst(profile.sameLevelFirst()));
    }

    private Decision submit(View view, LevelJob job, VerticalSplit cut, Sizing sizing, long delay, DecisionSink sink) {
        LevelJob part = new LevelJob(job.firstLevel(), job.lastLevel(), cut.nodes(), cut.run(), 0, cut.queueWait());
        LevelJob extended = withLeeway(sizing, part, delay);
        List<Order> orders = cut.groups().stream()
                .map(group -> submit(view, extended, group))
                .toList();
        sink.chosen(job.label() + " as " + orders.size() + " jobs side by side: the first starts earlier");
        return new Decision(orders, Decision.NEVER, JobChain.handled(view));
    }

    @Override
    public Memo memo(String text) {
        return JobChain.memo(text);
    }

    /**
     * Algorithm 1.
     *
     * <p>The search for a second job stops where it can no longer make its split the best: leeway lengthens the request and never shortens the
     * wait, so the job ends no earlier than PickBestNumNodes finds. If the options are recorded, all splits are evaluated.
     */
    private LevelJob split(Sizing sizing, int first, int last, long delay, DecisionSink sink) {
        sizing.prepare(first, last);
        LevelJob best = pickBestAllocation(sizing, delay, first, last);
        long whole = best.queueWait() + best.runWithLeeway();
        boolean submittable = sizing.fits(best);
        long min = submittable ? whole : Long.MAX_VALUE;
        double bound = submittable ? whole * (1 - options.beat) : Double.MAX_VALUE;
        note(sink, best.label() + " as one job", best, whole);
        LevelJob[] firsts = new LevelJob[last - first];
        for (int l = last - 1; l >= first; l--) {
            firsts[l - first] = pickBestAllocation(sizing, delay, first, l);
        }
        for (LevelJob a : firsts) {
            if (!sizing.fits(a)) {
                continue;
            }
            // In place of the single job, until a split is found: the most levels that fit.
            best = submittable || min < Long.MAX_VALUE ? best : a;
            if (isTooIdle(a)) {
                continue;
            }
            long before = sink.isRecording() ? Sizing.ANY_END : min - a.queueWait();
            LevelJob sized = sizing.bestBefore(a.lastLevel() + 1, last, a.runWithLeeway(), before);
            if (sized == null) {
                continue;
            }
            LevelJob b = withLeeway(sizing, sized, a.runWithLeeway());
            if (isTooIdle(b)) {
                continue;
            }
            long makespan = a.queueWait() + Math.max(a.runWithLeeway(), b.queueWait()) + b.runWithLeeway();
            note(sink, a.label() + " first", a, makespan);
            if (makespan < bound && makespan < min) {
                min = makespan;
                best = a;
            }
        }
        sink.chosen(best.label() + ": ends earliest");
        return best;
    }

    /** Lines 9 and 14: the leeway, in which all nodes are idle, exceeds a tenth of the run time. */
    private static boolean isTooIdle(LevelJob a) {
        return a.leeway() * 10 > a.run();
    }

    /** Algorithm 2. */
    private LevelJob pickBestAllocation(Sizing sizing, long delay, int first, int last) {
        return withLeeway(sizing, sizing.best(first, last, delay), delay);
    }

    private LevelJob withLeeway(Sizing sizing, LevelJob sized, long delay) {
        if (options.dependency || !sizing.fits(sized)) {
            return sized.afterPredecessor(delay);
        }
        Queue queue = sizing.queue;
        long leeway = Leeway.bySearch(queue, sized.nodes(), sized.run(), sized.queueWait(), delay);
        return sizing.withLeeway(sized, leeway, delay);
    }

    private void note(DecisionSink sink, String label, LevelJob a, long makespan) {
        if (sink.isRecording()) {
            sink.option(label, a.nodes(), profile.request(a.runWithLeeway()), a.queueWait(), makespan);
        }
    }
}
