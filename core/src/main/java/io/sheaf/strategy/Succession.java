package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;

/**
 * What Zhang and GLUME have in common: jobs of consecutive levels that follow each other, the next one queued while the last one runs.
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

    static Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : new Seen(Integer.parseInt(text));
    }

    static int expiries(Memo memo) {
        return memo instanceof Seen seen ? seen.expiries : 0;
    }

    static boolean hasQueued(View view) {
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

    private static boolean canWork(View view, Placeholder p) {
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
