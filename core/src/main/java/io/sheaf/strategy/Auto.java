package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.List;

/**
 * Auto, Sheaf's own strategy: pilot jobs that are tied to no tasks, several in the queue for the same work, chosen by playing on what they
 * would come to.
 *
 * <h2>Idea</h2>
 * The published strategies tie tasks to a job when they submit it. A pilot job need not be tied: its nodes take whatever is ready when it
 * starts and is expected to end before the walltime. So several may wait for the same work, and whichever starts first does it: a
 * large one that keeps its place in the queue, narrow and short ones that slip into holes before it, and others that help while it runs.
 *
 * <h2>Decision</h2>
 * Every few minutes, and when a pilot job starts, ends or falls idle, the rest of the workflow is played on over the pilot jobs that are
 * there, each from when it is expected to start ({@link Rollout}). Then, by what it would change ({@link AutoPlanner}),
 * <ul>
 *   <li>a pilot job is cancelled that is queued or idle and does more harm than good;
 *   <li>one that runs on more nodes than will be needed is draining, if a narrower one runs that can take over;
 *   <li>a queued one is shortened to what all that is left would take on its nodes: it keeps its place;
 *   <li>a queued one that has more nodes than what is left needs is exchanged for a narrower one that starts no later ({@link ResizeMove});
 *   <li>one pilot job is submitted, the {@linkplain Shapes shape} with the greatest gain; a second later it is asked again, with that one in the queue.
 * </ul>
 *
 * <h2>What is best</h2>
 * Makespan + λ · node time held, where node time counts in units of the workflow's mean parallelism: with the default λ = 0.3, allocating additional node time
 * equal to the workflow's whole work costs as much as three tenths of its critical path. λ = 0 is as fast as possible. What would be held beyond a multiple
 * of the workflow's work ({@code waste}) counts as if λ were greater by 2, and nothing is asked for with
 * which more than another multiple ({@code most}) would have been held at the end, unless nothing else is there: then it is what would be held least with.
 *
 * <h2>Good manners</h2>
 * At most so many pilot jobs are queued ({@code queued}), so many submitted in an hour, and for a quarter of an hour after a queued one was cancelled none is
 * submitted unless there is no other. A queued one is exchanged once an hour at most. Nothing is asked for that would not bring a gain by what can be seen now.
 */
final class Auto implements Strategy {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** How often it is planned while tasks wait for a core: so many times in what the workflow takes at least, within bounds. */
    private static final int PLANS = 16;

    private static final long SHORTEST_GAP = 3 * MINUTE;
    private static final long LONGEST_GAP = 15 * MINUTE;

    /** How many times as long it is while no task waits for a core. */
    private static final int UNHURRIED = 2;

    /** How many times as long it is when in haste. */
    private static final int HASTE = 4;

    /** What lies so many times as far ahead in thought as the gap is planned no more often. */
    private static final int FAR = 8;

    /** How long nothing is submitted after a queued one was cancelled. */
    private static final long CALM = 15 * MINUTE;

    private static final int MOST_PER_HOUR = 20;

    /** When it is planned again while the answer to a submission in place of a wider one is awaited. */
    private static final long SOON = 10 * SECOND;

    /** By how many per cent of what is expected more time is asked for at most, once tasks were seen to be late. */
    private static final int MOST_LATE = 100;

    /**
     * What may be chosen.
     *
     * @param lambda what node time counts
     * @param queued the most pilot jobs in the queue at once
     * @param waste how many times the work of the workflow may be held before that counts much more
     * @param most how many times the work may be held at most
     * @param hasty whether fewer shapes are looked at, and less often
     * @param likely whether it hears when jobs will most likely start, and not what the batch system plans
     */
    record Options(double lambda, int queued, double waste, double most, boolean hasty, boolean likely) {
        static final Options DEFAULT = new Options(0.3, 4, 4, 10, false, false);

        /** As they stand behind the strategy's name. */
        @Override
        public String toString() {
            List<String> set = new ArrayList<>();
            if (lambda != DEFAULT.lambda) {
                set.add("lambda=" + lambda);
            }
            if (queued != DEFAULT.queued) {
                set.add("queued=" + queued);
            }
            if (waste != DEFAULT.waste) {
                set.add("waste=" + waste);
            }
            if (most != DEFAULT.most) {
                set.add("most=" + most);
            }
            if (hasty) {
                set.add("effort=low");
            }
            if (likely) {
                set.add("starts=likely");
            }
            return set.isEmpty() ? "" : ":" + String.join(",", set);
        }
    }

    private final RunTimes times;
    private final Profile profile;
    private final Options options;
    /** The instant from which on it is simulated only; {@link Decision#NEVER} for a real run. */
    private final long present;

    Auto(RunTimes times, Profile profile, Options options) {
        this(times, profile, options, Decision.NEVER);
    }

    private Auto(RunTimes times, Profile profile, Options options, long present) {
        this.times = times;
        this.profile = profile;
        this.options = options;
        this.present = present;
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
    public boolean wantsLikelyStarts() {
        return options.likely;
    }

    @Override
    public Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : AutoMemo.read(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered) {
        AutoMemo before = memo instanceof AutoMemo p ? p : AutoMemo.NEVER;
        long now = view.now();
        long seen = seen(view);
        long gap = gap(view);
        int left = left(view);
        boolean dropped = left < before.left() && !isAnyRunning(view);
        if (seen == before.seen() && !dropped && now < before.at() + gap) {
            return new Decision(List.of(), before.at() + gap, before);
        }
        AutoMemo hour = before.inHourOf(now);
        AllocatedNodeTime allocated = before.held().seen(view);
        int late = Math.max(before.late(), Math.max(late(view), Math.min(MOST_LATE, view.timesOff())));
        AutoPlanner planner =
                new AutoPlanner(times, profile.adding(late), options, view, allocated.at(now), estimator, considered);
        boolean real = present == Decision.NEVER;
        boolean isReplacing = now < before.narrowed() + HOUR;
        AutoPlanner.Planned planned = planner.plan(new AutoPlanner.Allowed(
                view.pilotJobs() == 0 || (hour.submissions() < MOST_PER_HOUR && now >= before.calmUntil()),
                real,
                real && !isReplacing ? now - (dropped ? 0 : CALM) : Long.MIN_VALUE));
        // The wider job is cancelled as soon as the other one is known to be queued; a drop before the wide one was
        // answered is not forgotten.
        boolean awaitsAnswer = real && (dropped || isReplacing) && isAnyUnanswered(view);
        AutoMemo next = new AutoMemo(
                now,
                planned.submits() || awaitsAnswer ? AutoMemo.ASK_AGAIN : seen,
                hour.hour(),
                hour.submissions() + (planned.submits() ? 1 : 0),
                planned.cancelsQueued() ? now + CALM : before.calmUntil(),
                allocated,
                late,
                awaitsAnswer && dropped ? before.left() : left,
                planned.replaces() ? now : before.narrowed());
        return new Decision(planned.orders(), now + (planned.submits() ? SECOND : awaitsAnswer ? SOON : gap), next);
    }

    /** How many tasks are not done; while nothing runs these become fewer only when somebody drops them. */
    private static int left(View view) {
        int left = 0;
        for (int level = view.firstUnfinishedLevel(); level < view.workflow().levels(); level++) {
            left += view.unfinished(level);
        }
        return left;
    }

    private static boolean isAnyRunning(View view) {
        for (int i = 0; i < view.pilotJobs(); i++) {
            if (view.pilotJob(i).isRunning()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the batch system has not said yet what came of a submission. */
    private static boolean isAnyUnanswered(View view) {
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.isQueued() && !p.isAccepted()) {
                return true;
            }
        }
        return false;
    }

    /** How long until it is planned again, if nothing happens. */
    private long gap(View view) {
        long path = times.range(0, view.workflow().levels() - 1).criticalPath();
        long usual = Math.max(SHORTEST_GAP, Math.min(LONGEST_GAP, path / PLANS));
        long gap = usual * (view.nextReady(0) >= 0 ? 1 : UNHURRIED) * (options.hasty ? HASTE : 1);
        return present == Decision.NEVER ? gap : Math.max(gap, (view.now() - present) / FAR);
    }

    /** By how many per cent of its time the task that is most overdue is so; a task of less than a minute tells nothing. */
    private static int late(View view) {
        long late = 0;
        for (int task = view.nextRunning(0); task >= 0; task = view.nextRunning(task + 1)) {
            long due = TaskOrder.millis(view.workflow(), task);
            if (due >= MINUTE) {
                late = Math.max(late, (view.now() - view.startedAt(task) - due) * 100 / due);
            }
        }
        return (int) Math.min(MOST_LATE, late);
    }

    /** What makes a new plan worth while when it changes: the tasks of the run, the state of each pilot job, and whether tasks wait for a core. */
    private static long seen(View view) {
        long sum = 2L * view.workflow().size() + (view.nextReady(0) >= 0 ? 1 : 0);
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            int busy = p.runningTasks() > 0 ? 2 : 3;
            int state = p.isQueued() ? 1 : p.isEnding() ? 0 : busy;
            sum = sum * 31 + p.token() * 4 + state;
        }
        return sum & Long.MAX_VALUE;
    }
}
