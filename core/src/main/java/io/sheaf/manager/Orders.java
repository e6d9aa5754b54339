package io.sheaf.manager;

import io.sheaf.predict.Estimator;

/** What a strategy has ordered, carried out; what has become impossible is dropped. */
final class Orders {
    private final Standing run;
    private final Lifecycle lifecycle;
    private final Estimator estimator;

    Orders(Standing run, Lifecycle lifecycle, Estimator estimator) {
        this.run = run;
        this.lifecycle = lifecycle;
        this.estimator = estimator;
    }

    void carryOut(Order order, Considered sink, Effects out) {
        if (order instanceof Order.Submit submit) {
            if (run.placeholders() < run.cap()) {
                Placeholder p = run.enter(longer(submit.request(), submit.claim()), submit.claim());
                if (sink.isWanted()) {
                    sink.ordered(order, p.token, expectedStart(p.request));
                }
                out.submit(p.token, p.request);
            }
        } else if (order instanceof Order.Withdraw withdraw) {
            Placeholder p = run.byToken.get(withdraw.token());
            if (p != null && !p.isEnding()) {
                sink.ordered(order, p.token, -1);
                lifecycle.withdraw(p, out);
            }
        } else if (order instanceof Order.Shorten shorten) {
            Placeholder p = run.byToken.get(shorten.token());
            long walltime = p == null ? 0 : run.margins.walltime(shorten.walltime(), p.claim, run);
            if (p != null && p.isQueued() && walltime < p.request.walltime()) {
                p.shorten(walltime);
                sink.ordered(order, p.token, -1);
                out.shorten(p.token, walltime);
            }
        } else if (order instanceof Order.Retire retire) {
            Placeholder p = run.byToken.get(retire.token());
            if (p != null && p.isRunning() && !p.retired) {
                p.retired = true;
                sink.ordered(order, p.token, -1);
                lifecycle.releaseIfIdle(p, out);
            }
        }
    }

    /** Times that are uncertain are allowed for; where a task was cut off, it is given twice the time that it had beside. */
    private Request longer(Request request, Claim claim) {
        long walltime = run.margins.walltime(request.walltime(), claim, run) + 2 * run.binding.longestCut(claim);
        return walltime == request.walltime()
                ? request
                : new Request(request.pool(), request.units(), walltime, request.notBefore(), request.afterToken());
    }

    /** When a placeholder would start if it were submitted now; −1 if that is not known. */
    private long expectedStart(Request request) {
        Placeholder before = run.byToken.get(request.afterToken());
        if (before != null && !before.isRunning()) {
            return -1;
        }
        long[] start = new long[1];
        int[] units = {request.units()};
        estimator.starts(run.now, request.pool(), units, new long[] {request.walltime()}, 1, start);
        if (start[0] == Long.MAX_VALUE) {
            return -1;
        }
        long free = Math.max(start[0], request.notBefore());
        return before == null ? free : Math.max(free, before.limit());
    }
}
