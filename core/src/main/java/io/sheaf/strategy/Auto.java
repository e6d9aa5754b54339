package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Auto: one large placeholder for all that is left keeps its place in the queue, and small ones slip into holes before it.
 *
 * <h2>Idea</h2>
 * The published strategies tie tasks to a job when they submit it. A placeholder need not be tied: its nodes take whatever is ready when it
 * starts. So several may stand in the queue for the same work, and whichever starts first does it.
 */
final class Auto implements Strategy {
    private static final long LOOK_EVERY = 15 * 60_000;
    private static final long WORTH = 5 * 60_000;

    /** When the queued large placeholder was last looked at. */
    private record Looked(long at) implements Memo {
        @Override
        public String text() {
            return Long.toString(at);
        }
    }

    private final RunTimes times;
    private final Profile profile;

    Auto(RunTimes times, Profile profile) {
        this.times = times;
        this.profile = profile;
    }

    @Override
    public String name() {
        return "auto";
    }

    @Override
    public Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : new Looked(Long.parseLong(text));
    }

    @Override
    public Decision decide(View view, Memo memo, Estimator estimator, Considered considered) {
        long looked = memo instanceof Looked l ? l.at : Long.MIN_VALUE / 2;
        int first = view.firstUnfinishedLevel();
        int last = view.workflow().levels() - 1;
        List<Order> orders = new ArrayList<>();
        Placeholder large = null;
        int room = view.cap() - view.placeholders();
        int smallQueued = 0;
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            boolean isLarge = !p.claim().onlyIfFits();
            if (!p.isEnding()) {
                large = isLarge ? p : large;
                smallQueued += !isLarge && p.isQueued() ? 1 : 0;
                if (p.isRunning() && p.runningTasks() == 0 && !isLarge) {
                    orders.add(new Order.Withdraw(p.token()));
                }
            }
        }
        if (large != null && large.isRunning()) {
            for (int i = 0; i < view.placeholders(); i++) {
                Placeholder p = view.placeholder(i);
                if (p.isQueued()) {
                    orders.add(new Order.Withdraw(p.token()));
                }
            }
            return new Decision(orders, Decision.NEVER, memo);
        }
        boolean look = view.now() >= looked + LOOK_EVERY;
        if (large == null || look) {
            looked = view.now();
            Sizing sizing = new Sizing(times, view, estimator, profile, TieRule.SMALLEST);
            LevelJob chosen = sizing.best(first, last, 0);
            boolean replace = large != null && isWorthIt(view, estimator, sizing, large, chosen, first, last);
            if (replace) {
                orders.add(new Order.Withdraw(large.token()));
            }
            // A withdrawn one counts until its end is told: then the next decision submits.
            if (large == null && room > 0) {
                orders.add(new Order.Submit(
                        Request.of(chosen.nodes(), profile.request(chosen.run())), Claim.levels(first, last)));
                room--;
            }
        }
        small(view, first, last, Math.min(room, readyNodes(view) - smallQueued), smallQueued, orders);
        return new Decision(orders, looked + LOOK_EVERY, new Looked(looked));
    }

    private boolean isWorthIt(
            View view, Estimator estimator, Sizing sizing, Placeholder large, LevelJob chosen, int first, int last) {
        long[] start = new long[1];
        estimator.queued(view.now(), new long[] {large.token()}, 1, start);
        if (start[0] == Long.MAX_VALUE) {
            return false;
        }
        long end = start[0] - view.now() + sizing.run(large.request().units(), first, last);
        return chosen.queueWait() + chosen.run() + WORTH <= end;
    }

    private static int readyNodes(View view) {
        int count = 0;
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            count++;
        }
        return (count + view.coresPerNode() - 1) / view.coresPerNode();
    }

    private void small(View view, int first, int last, int room, int skip, List<Order> orders) {
        Workflow workflow = view.workflow();
        int[] ranks = profile.runOrder().ranks(workflow);
        List<Integer> ready = new ArrayList<>();
        for (int task = view.nextReady(0); task >= 0 && room > 0; task = view.nextReady(task + 1)) {
            ready.add(task);
        }
        ready.sort((a, b) -> Integer.compare(ranks[a], ranks[b]));
        for (int i = 0; i < room; i++) {
            int task = ready.get(Math.min(ready.size() - 1, i + skip));
            long walltime = profile.request(TaskOrder.millis(workflow, task));
            orders.add(new Order.Submit(
                    Request.of(workflow.resources(task).nodes(), walltime),
                    Claim.levels(first, last).onlyWhatFits()));
        }
    }
}
