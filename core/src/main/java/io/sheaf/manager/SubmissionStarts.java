package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.List;
import java.util.function.Function;

/**
 * Start estimates of the pilot jobs that a decision submits, each with the earlier ones in the queue.
 *
 * <p>A decision may submit hundreds of jobs. Estimating each one separately would simulate the queue each time, so one query covers several jobs and
 * its answers are cached.
 */
final class SubmissionStarts {
    /** The number of jobs in the first query, and the maximum. */
    private static final int FEW = 4;

    private static final int MANY = 512;

    private final ManagedRun run;
    private final StartEstimator estimator;
    private final Function<Order.Submit, Request> requestOf;
    private final StartQuery query = new StartQuery();
    private final StartTimes starts = new StartTimes();
    private List<Order> orders = List.of();
    /** The index of the order of the first cached start, and the number of cached starts. */
    private int first;

    private int known;
    private int assumed;

    /** Uses an estimator; the function maps an order to its request. */
    SubmissionStarts(ManagedRun run, StartEstimator estimator, Function<Order.Submit, Request> requestOf) {
        this.run = run;
        this.estimator = estimator;
        this.requestOf = requestOf;
    }

    /** Starts a list of orders that are carried out one after the other. */
    void begin(List<Order> all) {
        orders = all;
        known = 0;
        assumed = FEW;
    }

    /** The estimated start if the order with this number were submitted now; −1 if unknown. */
    long start(int number, Request request) {
        PilotJob before = run.byToken.get(request.afterToken());
        if (before != null && !before.isRunning()) {
            return -1;
        }
        if (number < first || number >= first + known) {
            estimate(number, request);
        }
        long start = starts.job(number - first);
        if (start == StartTimes.NEVER) {
            return -1;
        }
        long free = Math.max(start, request.notBefore());
        return before == null ? free : Math.max(free, before.limit());
    }

    /** Queries an order and the following ones that differ only in size. */
    private void estimate(int number, Request request) {
        query.begin(run.now, StartQuery.Arrangement.IN_ORDER).add(request.pool(), request.units(), request.walltime());
        query.needing(request.node().memory());
        int count = 1;
        while (count < assumed && isPlain(request) && number + count < orders.size()) {
            if (!(orders.get(number + count) instanceof Order.Submit next)) {
                break;
            }
            Request its = requestOf.apply(next);
            if (!isPlain(its) || its.pool() != request.pool() || !its.node().equals(request.node())) {
                break;
            }
            query.add(its.pool(), its.units(), its.walltime());
            count++;
        }
        first = number;
        estimator.estimate(query, starts);
        known = starts.answered();
        assumed = Math.max(2, Math.min(MANY, known == count ? 4 * known : 2 * known));
    }

    private static boolean isPlain(Request request) {
        return request.notBefore() == Request.AT_ONCE && request.afterToken() == Request.NONE;
    }
}
