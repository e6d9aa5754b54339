package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import java.util.List;

/** Carries out a strategy's orders and drops those that have become impossible. */
final class Orders {
    private final ManagedRun run;
    private final Lifecycle lifecycle;
    private final SubmissionStarts foresight;

    Orders(ManagedRun run, Lifecycle lifecycle, StartEstimator estimator) {
        this.run = run;
        this.lifecycle = lifecycle;
        foresight = new SubmissionStarts(run, estimator, this::asked);
    }

    void carryOut(List<Order> orders, DecisionSink sink, Effects out) {
        foresight.begin(orders);
        for (int i = 0; i < orders.size(); i++) {
            if (orders.get(i) instanceof Order.Submit submit) {
                submit(submit, i, sink, out);
            } else {
                change(orders.get(i), sink, out);
            }
        }
    }

    private void submit(Order.Submit order, int number, DecisionSink sink, Effects out) {
        if (run.pilotJobs() < run.cap()) {
            PilotJob p = run.enter(asked(order), order.claim());
            if (sink.isWanted()) {
                sink.ordered(order, p.token, foresight.start(number, p.request));
            }
            out.submit(p.token, p.request);
        }
    }

    private void change(Order order, DecisionSink sink, Effects out) {
        if (order instanceof Order.Cancel cancel) {
            PilotJob p = run.byToken.get(cancel.token());
            if (p != null && !p.isEnding()) {
                sink.ordered(order, p.token, -1);
                lifecycle.cancel(p, out);
            }
        } else if (order instanceof Order.Shorten shorten) {
            PilotJob p = run.byToken.get(shorten.token());
            long walltime = p == null ? 0 : run.margins.walltime(shorten.walltime(), p.claim, run);
            if (p != null && p.isQueued() && walltime < p.request.walltime()) {
                p.shorten(walltime);
                sink.ordered(order, p.token, -1);
                out.shorten(p.token, walltime);
            }
        } else if (order instanceof Order.Drain drain) {
            PilotJob p = run.byToken.get(drain.token());
            if (p != null && p.isRunning() && !p.draining) {
                p.draining = true;
                sink.ordered(order, p.token, -1);
                lifecycle.releaseIfIdle(p, out);
            }
        }
    }

    /** The request with a margin for uncertain run times. A task that was cut off gets at least twice its previous time, within the limit. */
    private Request asked(Order.Submit order) {
        Request request = order.request();
        Claim claim = order.claim();
        long wanted = run.margins.walltime(request.walltime(), claim, run) + 2 * run.binding.longestCut(claim);
        long walltime = Math.min(wanted, run.walltime());
        Request longer = walltime == request.walltime() ? request : request.lasting(walltime);
        return longer.needing(run.binding.atOnce(claim, run.node())).avoiding(without(request.units(), claim));
    }

    /** The nodes that a job of this size avoids: no more than leave it enough. */
    private List<String> without(int units, Claim claim) {
        if (run.health.isEmpty()) {
            return List.of();
        }
        List<String> avoided = List.copyOf(run.health.avoidedFor(run.hostsUp(), claim, run.workflow()));
        return avoided.subList(0, Math.max(0, Math.min(avoided.size(), run.allNodes() - units)));
    }
}
