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
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OneJobPerTask (thesis 2.3, 5.2): each task is a job of its own, submitted when its parents are done and the cap allows.
 *
 * <p>The cap counts jobs in the system, queued and running (the thesis says "running"; its simulator counts both). Ready tasks go in order of
 * their numbers. <b>Individual</b> (Zhang et al. 2009, IV.A) is the same. A request has less margin where the maximum walltime requires it.
 */
record OneJobPerTask(String name, Profile profile) implements Strategy {
    /** One job per task for the rest of the run. */
    private record FromNowOn() implements Memo {
        static final String TEXT = "individual";

        @Override
        public String text() {
            return TEXT;
        }
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        return new Decision(submissions(view, profile), Decision.NEVER, memo);
    }

    /** The memo that means one job per task from now on, if this is its text. */
    static @Nullable Memo memoOf(String text) {
        return text.equals(FromNowOn.TEXT) ? new FromNowOn() : null;
    }

    /** Whether another strategy has switched to one job per task. */
    static boolean isChosen(Memo memo) {
        return memo instanceof FromNowOn;
    }

    /** The decision of another strategy that switches to one job per task, or has switched before. */
    static Decision fromNowOn(View view, Profile profile) {
        return new Decision(submissions(view, profile), Decision.NEVER, new FromNowOn());
    }

    /** A job for each ready task without one, within the cap. */
    private static List<Order> submissions(View view, Profile profile) {
        List<Order> orders = new ArrayList<>();
        int room = view.cap() - view.pilotJobs();
        if (room <= 0) {
            return orders;
        }
        Workflow workflow = view.workflow();
        for (int task = view.nextReady(0); task >= 0 && room > 0; task = view.nextReady(task + 1)) {
            if (!view.isNamed(task)) {
                int nodes = workflow.resources(task).nodes();
                long walltime = profile.request(workflow.timeMillis(task), view.walltime(nodes));
                orders.add(new Order.Submit(Request.of(nodes, walltime), Claim.task(task, workflow.level(task))));
                room--;
            }
        }
        return orders;
    }
}
