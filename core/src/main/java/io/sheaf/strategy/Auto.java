package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Auto, Sheaf's own strategy: pilot jobs that are not bound to tasks, several in the queue for the same work, chosen by simulating their effect.
 *
 * <h2>Idea</h2>
 * The published strategies bind tasks to a job when they submit it. A pilot job need not be bound: its nodes start any ready task that is expected to end before the walltime. So several jobs
 * may wait for the same work, and the first that starts runs it: a large one that keeps its place in the queue, narrow and short ones that are backfilled before it, and others that help
 * while it runs.
 *
 * <h2>Decision</h2>
 * Every few minutes, and when a pilot job starts, ends or becomes idle, the unfinished tasks are simulated over the present {@link Plan}, each job from its estimated start on
 * ({@link Rollout}). Then {@link AutoPlanner} applies each {@link Move} that lowers the {@linkplain PlanCost cost}:
 * <ul>
 *   <li>drain a running job with more nodes than needed, if a narrower one can take over ({@link DrainMove});
 *   <li>cancel a queued or idle job that costs more than it gains ({@link CancelMove});
 *   <li>shorten a queued job to the time that all unfinished tasks need on its nodes ({@link ShortenMove});
 *   <li>submit one job: a short one that finds out run times ({@link ScoutMove}), the shape with the greatest gain ({@link AddJobMove}), one that fills a gap with short tasks or all that starts at once ({@link BackfillMove}), or a narrower one in place of a wide queued
 *       one ({@link ReplaceMove}, {@link CancelReplacedMove}). A second later it plans again with that job in the queue;
 *   <li>where walltimes are limited, queue the next job of a chain behind the running one ({@link SuccessorMove}).
 * </ul>
 *
 * <h2>Cost</h2>
 * Makespan + λ · node time, where node time counts in units of the workflow's mean parallelism: with the default λ = 0.3, allocating additional node time
 * equal to the workflow's whole work costs as much as three tenths of its critical path. λ = 0 is as fast as possible. Node time beyond a multiple
 * of the workflow's work ({@code waste}) counts as if λ were greater by 2. No job is submitted with which more than another multiple ({@code most}) would be allocated at the end, unless the run has
 * no job: then the one that allocates least.
 *
 * <h2>Limits</h2>
 * The number of queued jobs ({@code queued}) and of submissions in an hour is limited. After a queued job was cancelled, none is submitted for a quarter of an hour unless there is no other. One
 * queued job is replaced in an hour.
 *
 * @param present the instant from which on it is simulated only; {@link Decision#NEVER} for a real run
 */
record Auto(RunTimes times, Profile profile, Options options, long present) implements Strategy {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** The number of plans within the critical path while tasks wait for a core, subject to bounds on the interval. */
    private static final int PLANS = 16;

    private static final long SHORTEST_GAP = 3 * MINUTE;
    private static final long LONGEST_GAP = 15 * MINUTE;

    /** In a short run the interval is shorter while a job runs, down to this. */
    private static final long SHORT_GAP = 15 * SECOND;

    private static final int PLANS_OF_SHORT_RUN = 8;

    /** The interval is longer by this factor while no task waits for a core. */
    private static final int UNHURRIED = 2;

    /** The interval is longer by this factor with low effort. */
    private static final int HASTE = 4;

    /** In simulations the interval grows with the distance from the present, divided by this. */
    private static final int FAR = 8;

    /** The time without submissions after a queued job was cancelled. */
    private static final long CALM = 15 * MINUTE;

    private static final int MAX_PER_HOUR = 20;

    /** The interval while the batch system has not answered the submission of a narrower job. */
    private static final long SOON = 10 * SECOND;

    /** The maximum margin on run times after tasks were late, in per cent. */
    private static final int MAX_LATE = 100;

    /**
     * The parameters.
     *
     * @param lambda the weight of node time
     * @param queued the maximum number of queued pilot jobs
     * @param waste the multiple of the workflow's work beyond which node time costs much more
     * @param most the multiple of the work that may be allocated at most
     * @param hasty whether fewer shapes are tried, and less often
     * @param likely whether it plans with sampled start times instead of those that the batch system plans
     */
    record Options(double lambda, int queued, double waste, double most, boolean hasty, boolean likely) {
        static final Options DEFAULT = new Options(0.3, 12, 4, 10, false, false);

        /** The text behind the strategy's name. */
        @Override
        public String toString() {
            return Strategies.parameters(
                    lambda == DEFAULT.lambda ? "" : "lambda=" + lambda,
                    queued == DEFAULT.queued ? "" : "queued=" + queued,
                    waste == DEFAULT.waste ? "" : "waste=" + waste,
                    most == DEFAULT.most ? "" : "most=" + most,
                    hasty ? "effort=low" : "",
                    likely ? "starts=likely" : "");
        }
    }

    Auto(RunTimes times, Profile profile, Options options) {
        this(times, profile, options, Decision.NEVER);
    }

    /** The strategy for simulations from an instant on, where only the end counts: the farther ahead, the less often it plans; it drains and replaces no job. */
    Auto forked(long now) {
        return new Auto(times, profile, options, now);
    }

    boolean isHasty() {
        return options.hasty;
    }

    @Override
    public String name() {
        return "auto" + options;
    }

    @Override
    public boolean usesLearntStarts() {
        return options.likely;
    }

    @Override
    public Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : AutoMemo.read(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        AutoMemo before = memo instanceof AutoMemo p ? p : AutoMemo.NEVER;
        long now = view.now();
        long stateHash = stateHash(view);
        long gap = gap(view);
        int left = left(view);
        boolean dropped = left < before.left() && !view.hasJob(PilotJob::isRunning);
        if (stateHash == before.stateHash() && !dropped && now < before.at() + gap) {
            return new Decision(List.of(), before.at() + gap, before);
        }
        AutoMemo hour = before.inHourOf(now);
        AllocatedNodeTime allocated = before.held().update(view);
        int late = Math.max(before.late(), Math.max(late(view), Math.min(MAX_LATE, view.runTimeError())));
        Profile longer = profile.withPadding(late).withMargin(view.walltimeMargin());
        AutoPlanner planner = new AutoPlanner(times, longer, options, view, allocated.at(now), estimator, sink);
        boolean real = present == Decision.NEVER;
        boolean isReplacing = now < before.narrowed() + HOUR;
        AutoPlanner.Planned planned = planner.plan(new AutoPlanner.Allowed(
                Math.max(
                        view.pilotJobs() == 0 ? 1 : 0,
                        now < before.calmUntil() ? 0 : MAX_PER_HOUR - hour.submissions()),
                real,
                real && !isReplacing ? now - (dropped ? 0 : CALM) : Long.MIN_VALUE));
        // The wider job is cancelled as soon as the other one is known to be queued; a drop before the wide one was
        // answered is not forgotten.
        boolean awaitsAnswer = real && (dropped || isReplacing) && view.hasJob(p -> p.isQueued() && !p.isAccepted());
        AutoMemo next = new AutoMemo(
                now,
                planned.submissions() > 0 || awaitsAnswer ? AutoMemo.PLAN_AGAIN : stateHash,
                hour.hour(),
                hour.submissions() + planned.submissions(),
                planned.cancelsQueued() ? now + CALM : before.calmUntil(),
                allocated,
                late,
                awaitsAnswer && dropped ? before.left() : left,
                planned.replaces() ? now : before.narrowed());
        long wait = planned.submissions() > 0 ? SECOND : awaitsAnswer ? SOON : gap;
        return new Decision(planned.orders(), now + wait, next);
    }

    /** The number of unfinished tasks; while no job runs it decreases only when tasks are dropped. */
    private static int left(View view) {
        return IntStream.range(view.firstUnfinishedLevel(), view.workflow().levels())
                .map(view::unfinished)
                .sum();
    }

    /** The time until the next plan if nothing changes. */
    private long gap(View view) {
        long path = times.range(0, view.workflow().levels() - 1).criticalPath();
        long base = Math.max(SHORTEST_GAP, Math.min(LONGEST_GAP, path / PLANS));
        if (view.hasJob(PilotJob::isRunning)) {
            base = Math.min(base, Math.max(SHORT_GAP, path / PLANS_OF_SHORT_RUN));
        }
        long gap = base * (view.nextReady(0) >= 0 ? 1 : UNHURRIED) * (options.hasty ? HASTE : 1);
        return present == Decision.NEVER ? gap : Math.max(gap, (view.now() - present) / FAR);
    }

    /** The lateness of the most overdue task, in per cent of its run time; tasks of less than a minute do not count. */
    private static int late(View view) {
        long late = 0;
        for (int task = view.nextRunning(0); task >= 0; task = view.nextRunning(task + 1)) {
            long due = view.workflow().timeMillis(task, view.needs(task));
            if (due >= MINUTE) {
                late = Math.max(late, (view.now() - view.startedAt(task) - due) * 100 / due);
            }
        }
        return (int) Math.min(MAX_LATE, late);
    }

    /** A number that changes when a new plan is needed: with the tasks of the run, the state of each pilot job, and whether tasks wait for a core. */
    private static long stateHash(View view) {
        long sum = 2L * view.workflow().size() + (view.nextReady(0) >= 0 ? 1 : 0);
        for (PilotJob p : view.jobs()) {
            int busy = p.runningTasks() > 0 ? 2 : 3;
            int state = p.isQueued() ? 1 : p.isEnding() ? 0 : busy;
            sum = sum * 31 + p.token() * 4 + state;
        }
        return (sum + view.unavailablePools()) & Long.MAX_VALUE;
    }
}
