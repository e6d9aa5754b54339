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

/**
 * The hybrid submission method of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009), Figs 4 and
 * 5; {@code zhang:form=paper}.
 *
 * <h2>Idea</h2>
 * Levels are peeled off the rest of the workflow into the next pilot job, so that its run time hides the wait of the following job and its wait is
 * short for its run time. {@link Zhang} is the version of the GLUME thesis.
 *
 * <h2>Decision</h2>
 * A group of levels is skipped while the wait that it exposes is longer than its run time. From the first other group on, levels are added while the
 * ratio of wait to run time does not increase and does not exceed that of the whole rest in one job. If there is no such group, the rest becomes one
 * job, or one job per task if that job would wait more than twice its run time. All jobs have the width of the whole rest.
 *
 * <h2>Departures from the figures</h2>
 *
 * <ul>
 *   <li>Fig. 4, lines 10–13 are inverted; the text is right.
 *   <li>Fig. 5, lines 11–16: {@code leeway} is uninitialised (here 0), and line 15 omits the time requested already, so that the loop need not
 *       end. The missing time is ear_sTime + real_runTime − peel_waitTime − peel_runTime; each iteration at least halves it.
 *   <li>Fig. 5, line 25 would loop forever once a group is not skipped; it belongs to line 24.
 *   <li>Fig. 5, lines 30, 33 and 41: if the first group that is not skipped is worse than the whole rest, the figure returns the skipped group
 *       before it, or no level. Here the rest is submitted as a whole, as in the text ("if groupLevel does not improve the wait time").
 *   <li>Fig. 4, line 11: the whole rest gets leeway like any other job; otherwise it could start early and expire.
 *   <li>Limits of walltimes, which the paper does not have: groups that do not fit are no candidates, and the most levels that fit take the place of the whole rest ({@link JobChain}).
 *   <li>A rest wider than the cluster runs on the cluster (as in the thesis, 5.1).
 * </ul>
 *
 * <p>Lines 19–21 are implemented as printed: a job that starts before its predecessor's end exposes no wait and is judged by its whole wait. So a
 * group must still run long enough to hide the wait of the next one.
 */
record Hybrid(RunTimes times, Profile profile) implements Strategy {
    private static final long TEN_MINUTES = Leeway.TEN_MINUTES;

    /** A candidate: peel_runTime, peel_waitTime and real_runTime of Fig. 5. */
    private record Peel(long runTime, long waitTime, long realRunTime, boolean dependent) {
        boolean isWorseThan(Peel other) {
            return waitTime / (double) Math.max(1, realRunTime)
                    > other.waitTime / (double) Math.max(1, other.realRunTime);
        }
    }

    @Override
    public String name() {
        return "hybrid";
    }

    @Override
    public Memo memo(String text) {
        return JobChain.memo(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        Decision other = JobChain.unlessNextIsDue(view, memo, profile);
        return other != null ? other : peelLevel(view, estimator, sink);
    }

    /** Fig. 4. */
    private Decision peelLevel(View view, StartEstimator estimator, DecisionSink sink) {
        int first = JobChain.nextLevel(view);
        int last = view.workflow().levels() - 1;
        long earliest = JobChain.delay(view, profile);
        Sizing sizes = new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.OVERLAP)
                .within(estimator, earliest, each -> each.onNodes(each.maxNodes(first, last), first, last));
        View within = sizes.view;
        int width = sizes.maxNodes(first, last);
        LevelJob all = sizes.onNodes(width, first, last);
        Peel whole = new Peel(all.run(), all.queueWait(), all.run(), false);
        note(sink, all, whole);
        int level = groupLevel(sizes, first, last, width, earliest, whole, sink);
        if (level == last && whole.waitTime > 2 * whole.runTime) {
            sink.chosen("one job per task: a job for the remaining tasks would wait more than twice its run time");
            return OneJobPerTask.fromNowOn(view, profile);
        }
        while (level > first && !fits(sizes, first, level, width)) {
            level--;
        }
        if (!fits(sizes, first, level, width)) {
            return JobChain.parts(within, profile, sizes, sizes.onNodes(width, first, first), sink);
        }
        Peel chosen = withLeeway(sizes, first, level, width, earliest);
        sink.chosen(
                level == last
                        ? "all remaining tasks"
                        : "levels up to " + level + ": short wait, and long enough to hide the next one");
        Request request = JobChain.request(within, profile, width, chosen.runTime, chosen.dependent);
        Claim claim = Claim.levels(first, level).sameLevelFirst(profile.sameLevelFirst());
        return Decision.of(JobChain.handled(view), new Order.Submit(request, claim));
    }

    /** Fig. 5: the last level of the group to submit. */
    private int groupLevel(Sizing sizes, int first, int last, int width, long earliest, Peel whole, DecisionSink sink) {
        Peel best = whole;
        boolean giant = true;
        for (int level = first; level < last; level++) {
            if (!fits(sizes, first, level, width)) {
                continue;
            }
            Peel peel = withLeeway(sizes, first, level, width, earliest);
            note(sink, new LevelJob(first, level, width, peel.realRunTime, 0, peel.waitTime), peel);
            boolean exposed = peel.waitTime > earliest;
            long realWait = exposed ? peel.waitTime - earliest : peel.waitTime;
            if (giant && realWait > peel.realRunTime) {
                continue;
            }
            if (exposed && (peel.isWorseThan(best) || peel.isWorseThan(whole))) {
                return giant ? last : level - 1;
            }
            giant = false;
            best = peel;
        }
        return giant ? last : last - 1;
    }

    /** Fig. 5, lines 9–18. */
    private static Peel withLeeway(Sizing sizes, int first, int level, int width, long earliest) {
        long realRun = sizes.run(width, first, level);
        long longest = sizes.longestRun(first, level, width);
        long run = realRun;
        long wait;
        long leeway = 0;
        do {
            run += leeway / 2;
            wait = sizes.queue.waitFor(width, Math.min(run, longest));
            leeway = earliest + realRun - wait - run;
        } while (leeway > TEN_MINUTES && run <= longest);
        long walltime = run + Math.max(0, leeway);
        // Where the leeway does not fit, the job depends on its predecessor.
        return walltime <= longest ? new Peel(walltime, wait, realRun, false) : new Peel(realRun, wait, realRun, true);
    }

    private static boolean fits(Sizing sizes, int first, int level, int width) {
        return sizes.run(width, first, level) <= sizes.longestRun(first, level, width);
    }

    private void note(DecisionSink sink, LevelJob job, Peel peel) {
        if (sink.isRecording()) {
            sink.option(job.label(), job.nodes(), profile.request(peel.runTime), peel.waitTime, -1);
        }
    }
}
