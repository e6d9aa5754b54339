package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import org.jspecify.annotations.Nullable;

/**
 * Zhang's algorithm in the version of the thesis (chapter 5): the next job is the group of levels with the smallest ratio of queue wait to run time.
 *
 * <h2>Idea</h2>
 * A job that waits little for the work it does is worth submitting. Its run time then hides the queue wait of the job after it.
 *
 * <h2>Decision</h2>
 * <ol>
 *   <li>Add levels one by one to the next job, with one node per task of the widest level.
 *   <li>Skip groups that would wait longer than they run, until one does not.
 *   <li>From then on, accept a group whose ratio wait / run is not higher than the best so far.
 *   <li>If all remaining levels form one job that would wait more than twice its run time, submit one job per task from now on.
 * </ol>
 *
 * <h2>Enhancements (thesis 5.3), each on or off</h2>
 * <ul>
 *   <li><b>global</b>: evaluate all groups instead of stopping at the first that is worse than the one before;
 *   <li><b>sizing</b>: once the levels are fixed, choose the node count with the earliest end;
 *   <li><b>bsearch</b>: find the leeway by binary search instead of halving ({@link Leeway}).
 * </ul>
 *
 * <p>With {@code leeway=dependency} a job requests no leeway and depends on its predecessor's end.
 *
 * <h2>Repairs (thesis 5.1)</h2>
 * Levels wider than the cluster run on fewer nodes; the leeway loop ends.
 *
 * <h2>Departures from the texts</h2>
 * <ul>
 *   <li>Stop rule: thesis 5.1 stops when the ratio is <em>lower</em> than the previous one, which would keep the worse group. Zhang et al., thesis 5.3
 *       ("worsen, i.e., increase") and the authors' program stop when it is higher, and so does this class.
 *   <li>Whole workflow: both texts evaluate it first, as a baseline. The authors' program evaluates it last, as the longest group.
 *   <li>Skipped groups: Zhang et al. (Fig. 5, lines 22–25) and the authors' program skip while wait &gt; run; the thesis does not mention it.
 *   <li>Limits of walltimes: only groups that fit are candidates ({@link JobChain}). Where each waits longer than it runs, the most levels that fit take the place of the whole rest.
 *   <li>One job per task: as in both texts. The pseudo-code of Zhang et al. (lines 10–13) has the condition inverted.
 * </ul>
 */
record Zhang(RunTimes times, Profile profile, boolean global, boolean sizing, boolean bsearch, boolean dependency)
        implements Strategy {
    @Override
    public String name() {
        return global && sizing && bsearch && !dependency
                ? "zhang"
                : "zhang:global=" + global + ",sizing=" + sizing + ",bsearch=" + bsearch
                        + (dependency ? ",leeway=dependency" : "");
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
        Sizing sizes = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.OVERLAP)
                .within(estimator, delay, each -> each.best(first, last, delay));
        View within = sizes.view;
        LevelJob group = groupLevels(sizes, first, last, sink);
        if ((group == null || group.lastLevel() == last) && waitsTooLong(sizes.widest(first, last))) {
            sink.chosen("one job per task: a job for the remaining tasks would wait more than twice its run time");
            return OneJobPerTask.fromNowOn(view, profile);
        }
        if (group == null) {
            group = longest(sizes, first, last);
        }
        if (!sizes.fits(group)) {
            return JobChain.parts(within, profile, sizes, sizes.best(first, first, 0), sink);
        }
        LevelJob job = withLeeway(sizes, group, delay);
        sink.chosen(job.label() + ": lowest ratio of wait to run time");
        Request request =
                JobChain.request(within, profile, job.nodes(), job.runWithLeeway(), dependency || job.dependent());
        return Decision.of(
                JobChain.handled(view),
                new Order.Submit(
                        request, Claim.levels(first, job.lastLevel()).sameLevelFirst(profile.sameLevelFirst())));
    }

    @Override
    public Memo memo(String text) {
        return JobChain.memo(text);
    }

    /** The group to submit; null if each that is within the maximum walltime waits longer than it runs, and the last level is not. */
    private @Nullable LevelJob groupLevels(Sizing sizes, int first, int last, DecisionSink sink) {
        LevelJob best = null;
        for (int end = first; end <= last; end++) {
            LevelJob group = sizes.widest(first, end);
            if (!sizes.fits(group)) {
                continue;
            }
            if (sink.isRecording()) {
                sink.option(group.label(), group.nodes(), profile.request(group.run()), group.queueWait(), -1);
            }
            if (best == null) {
                if (group.queueWait() <= group.run() || end == last) {
                    best = group;
                }
            } else if (ratio(group) <= ratio(best)) {
                best = group;
            } else if (!global) {
                break;
            }
        }
        return best;
    }

    /** The most levels that fit into one job, in place of the whole rest; the first one if none fits. */
    private static LevelJob longest(Sizing sizes, int first, int last) {
        LevelJob longest = sizes.widest(first, first);
        for (int end = first + 1; end <= last; end++) {
            LevelJob group = sizes.widest(first, end);
            longest = sizes.fits(group) ? group : longest;
        }
        return longest;
    }

    private static double ratio(LevelJob a) {
        return a.queueWait() / (double) Math.max(1, a.run());
    }

    private static boolean waitsTooLong(LevelJob all) {
        return all.queueWait() > 2 * all.run();
    }

    private LevelJob withLeeway(Sizing sizes, LevelJob group, long delay) {
        Queue queue = sizes.queue;
        LevelJob a = sizing ? sizes.best(group.firstLevel(), group.lastLevel(), delay) : group;
        if (dependency) {
            return a;
        }
        long leeway = bsearch
                ? Leeway.bySearch(queue, a.nodes(), a.run(), a.queueWait(), delay)
                : Leeway.byHalving(queue, a.nodes(), a.run(), a.queueWait(), delay);
        LevelJob with = sizes.withLeeway(a, leeway, delay);
        return new LevelJob(
                a.firstLevel(), a.lastLevel(), a.nodes(), a.run(), with.leeway(), a.queueWait(), with.dependent());
    }
}
