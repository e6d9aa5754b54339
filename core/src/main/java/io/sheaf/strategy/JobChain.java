package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
import io.sheaf.workflow.BinarySearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of Zhang, Hybrid and GLUME: a chain of jobs of consecutive levels, the next one queued while the last one runs.
 *
 * <p>The next job is chosen when none is queued. It begins after the levels that running jobs claim, and cannot work before their walltimes end (the
 * <em>delay</em>): it requests leeway, or depends on the job that ends last. When a job expires with tasks left, the strategy cancels the queued job
 * and the running jobs that cannot work. It continues from the first unfinished level.
 *
 * <h2>Limits</h2>
 * The texts have no limit of walltimes. Here a job is one of the groups of levels that fit. A single level that does not fit becomes {@linkplain #parts several jobs side by side}, which is the
 * second direction of the thesis' outlook (8.2). A job whose leeway does not fit depends on its predecessor's end, as its {@link LevelJob} says.
 */
final class JobChain {
    /** The number of handled expiries. */
    record HandledExpiries(int expiries) implements Memo {
        @Override
        public String text() {
            return Integer.toString(expiries);
        }
    }

    private JobChain() {}

    /** The memo of a strategy that submits a chain of jobs, or has switched to one job per task. */
    static Memo memo(String text) {
        Memo individual = OneJobPerTask.memoOf(text);
        if (individual != null) {
            return individual;
        }
        return text.isEmpty() ? Memo.NONE : new HandledExpiries(Integer.parseInt(text));
    }

    /**
     * The decision if no next job is due; null if one is: no switch to one job per task, no cancellations after an expiry, no queued job, and levels left.
     */
    static @Nullable Decision unlessNextIsDue(View view, Memo memo, Profile profile) {
        if (OneJobPerTask.isChosen(memo)) {
            return OneJobPerTask.fromNowOn(view, profile);
        }
        int expiries = memo instanceof HandledExpiries handled ? handled.expiries : 0;
        if (view.expiries() > expiries) {
            List<Order> cancellations = cancellations(view);
            if (!cancellations.isEmpty()) {
                return new Decision(cancellations, Decision.NEVER, handled(view));
            }
        }
        boolean due = !view.hasJob(PilotJob::isQueued)
                && nextLevel(view) < view.workflow().levels();
        return due ? null : Decision.nothing(handled(view));
    }

    /** The memo after a decision that has handled all expiries so far. */
    static Memo handled(View view) {
        return new HandledExpiries(view.expiries());
    }

    /** The first level of the next job: unfinished and not claimed by a running job. */
    static int nextLevel(View view) {
        int next = view.firstUnfinishedLevel();
        while (next < view.workflow().levels() && isClaimed(view, next)) {
            next++;
        }
        return next;
    }

    private static boolean isClaimed(View view, int level) {
        boolean partly = false;
        for (PilotJob p : view.jobs()) {
            if (p.isRunning() && p.claim().hasLevel(level)) {
                if (p.claim().tasks().isAll()) {
                    return true;
                }
                partly = true;
            }
        }
        for (int i = 0; partly && i < view.workflow().width(level); i++) {
            int task = view.workflow().taskOfLevel(level, i);
            partly = view.isDone(task)
                    || view.hasJob(p -> p.isRunning() && p.claim().tasks().contains(task));
        }
        return partly || view.unfinished(level) == 0;
    }

    /** The running pilot job with the latest planned end; null if none runs. */
    private static @Nullable PilotJob predecessor(View view, Profile profile) {
        return view.jobs().stream()
                .filter(PilotJob::isRunning)
                .max(Comparator.comparingLong(p -> end(p, profile)))
                .orElse(null);
    }

    private static long end(PilotJob p, Profile profile) {
        return p.startedAt() + profile.planned(p.request().walltime());
    }

    /** The time until the planned end of all running pilot jobs, in milliseconds. */
    static long delay(View view, Profile profile) {
        PilotJob last = predecessor(view, profile);
        return last == null ? 0 : Math.max(0, end(last, profile) - view.now());
    }

    /** A request for nodes × time, optionally to start after the predecessor's end. */
    static Request request(View view, Profile profile, int nodes, long time, boolean afterPredecessor) {
        Request request = Request.of(nodes, profile.request(time, view.walltime(nodes)));
        PilotJob last = predecessor(view, profile);
        return afterPredecessor && last != null ? request.after(last.token()) : request;
    }

    /**
     * Concurrent jobs for the next level, which is too long for one job: each for as many of its tasks as fit, the longest first. Tasks beyond the cap are left for the next decision.
     *
     * @param job for the whole level
     */
    static Decision parts(View view, Profile profile, Sizing sizing, LevelJob job, DecisionSink sink) {
        int level = job.firstLevel();
        long longest = sizing.longestRun(level, level, job.nodes());
        int[] tasks = view.workflow()
                .tasksOfLevels(level, level)
                .filter(task -> !view.isDone(task) && !view.isNamed(task))
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer task) -> -view.workflow().timeMillis(task)))
                .mapToInt(Integer::intValue)
                .toArray();
        List<Order> orders = new ArrayList<>();
        int room = view.cap() - view.pilotJobs();
        for (int from = 0; from < tasks.length && orders.size() < room; ) {
            int first = from;
            int fits = BinarySearch.last(first + 1, tasks.length + 1, end -> {
                TaskGroup group = TaskGroup.of(Arrays.copyOfRange(tasks, first, end));
                return sizing.run(job.nodes(), level, level, group) <= longest;
            });
            TaskGroup selected = TaskGroup.of(Arrays.copyOfRange(tasks, from, fits));
            long run = sizing.run(job.nodes(), level, level, selected);
            Request request = request(view, profile, job.nodes(), run, !isClaimedByAny(view, level));
            orders.add(new Order.Submit(request, Claim.levels(level, level).only(selected)));
            from = fits;
        }
        sink.chosen(
                "level " + level + " as " + orders.size() + " jobs side by side: one job would be longer than allowed");
        return new Decision(orders, Decision.NEVER, handled(view));
    }

    /** Whether a running job claims tasks of a level, so that the others need not wait for its end. */
    private static boolean isClaimedByAny(View view, int level) {
        return view.hasJob(p -> p.claim().hasLevel(level));
    }

    /** The cancellations after an expiry: queued jobs, and running jobs that have nothing to run now. */
    static List<Order> cancellations(View view) {
        return view.jobs().stream()
                .filter(p -> p.isQueued() || (p.isRunning() && !canWork(view, p)))
                .<Order>map(p -> new Order.Cancel(p.token()))
                .toList();
    }

    /** Whether a pilot job has a task that runs or could run. */
    static boolean canWork(View view, PilotJob p) {
        int last = Math.min(p.claim().lastLevel(), view.workflow().levels() - 1);
        return view.workflow()
                .tasksOfLevels(p.claim().firstLevel(), last)
                .filter(p.claim().tasks()::contains)
                .anyMatch(task -> view.isReady(task) || view.isRunning(task));
    }
}
