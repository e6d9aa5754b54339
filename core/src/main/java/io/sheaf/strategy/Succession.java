package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Zhang, Hybrid and GLUME have in common: jobs of consecutive levels that follow each other, the next one queued while the last one runs.
 *
 * <p>There is never more than one queued. The next one begins behind the last level that a running one claims, and cannot work before
 * that one's time is over (the <em>delay</em>). When one expires with tasks left, the queued one is withdrawn, running ones that can do nothing
 * now are, too, and levels are taken up again from the first that is not done.
 */
final class Succession {
    /** How many expiries have been dealt with. */
    record Seen(int expiries) implements Memo {
        @Override
        public String text() {
            return Integer.toString(expiries);
        }
    }

    private Succession() {}

    /** The memo of a strategy that submits a succession of jobs, or has gone over to one job per task. */
    static Memo memo(String text) {
        Memo individual = OneJobPerTask.memoOf(text);
        if (individual != null) {
            return individual;
        }
        return text.isEmpty() ? Memo.NONE : new Seen(Integer.parseInt(text));
    }

    /**
     * What to do instead of choosing the next job; null if that is due: nothing is to be withdrawn after an expiry, nothing queued, and levels
     * are left.
     */
    static @Nullable Decision unlessNextIsDue(View view, Memo memo) {
        int seen = memo instanceof Seen s ? s.expiries : 0;
        if (view.expiries() > seen) {
            List<Order> withdrawals = withdrawals(view);
            if (!withdrawals.isEmpty()) {
                return new Decision(withdrawals, Decision.NEVER, seen(view));
            }
        }
        boolean due = !hasQueued(view) && nextLevel(view) < view.workflow().levels();
        return due ? null : Decision.nothing(seen(view));
    }

    static Memo seen(View view) {
        return new Seen(view.expiries());
    }

    private static boolean hasQueued(View view) {
        for (int i = 0; i < view.placeholders(); i++) {
            if (view.placeholder(i).isQueued()) {
                return true;
            }
        }
        return false;
    }

    /** The first level for the next job: not done, and claimed by no running one. */
    static int nextLevel(View view) {
        int next = view.firstUnfinishedLevel();
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isRunning()) {
                next = Math.max(next, p.claim().lastLevel() + 1);
            }
        }
        return next;
    }

    /** How long from now until all running placeholders are over, as far as is planned. */
    static long delay(View view, Profile profile) {
        long delay = 0;
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isRunning()) {
                long over = p.startedAt() + profile.planned(p.request().walltime());
                delay = Math.max(delay, over - view.now());
            }
        }
        return delay;
    }

    /** What to withdraw after an expiry: what is queued, and what runs but has nothing that it could do now. */
    static List<Order> withdrawals(View view) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isQueued() || (p.isRunning() && !canWork(view, p))) {
                orders.add(new Order.Withdraw(p.token()));
            }
        }
        return orders;
    }

    /** Whether a placeholder has a task that runs or could. */
    static boolean canWork(View view, Placeholder p) {
        for (int level = p.claim().firstLevel(); level <= p.claim().lastLevel(); level++) {
            for (int i = 0; i < view.workflow().width(level); i++) {
                int task = view.workflow().taskOfLevel(level, i);
                if (view.isReady(task) || view.isRunning(task)) {
                    return true;
                }
            }
        }
        return false;
    }
}
