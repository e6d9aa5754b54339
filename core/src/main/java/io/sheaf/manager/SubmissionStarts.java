package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.List;
import java.util.function.Function;

/**
 * Start estimates of the pilot jobs that a decision submits, each with those before it in the queue.
 *
 * <p>A strategy may order hundreds at once. To ask for them singly takes long where the queue is played forward for each, so the estimator is asked for
 * several in turn, and what it has told is kept for those that come next.
 */
final class SubmissionStarts {
    /** How many are asked for at first, and at most. */
    private static final int FEW = 4;

    private static final int MANY = 512;

    private final ManagedRun run;
    private final StartEstimator estimator;
    private final Function<Order.Submit, Request> asked;
    private final StartQuery query = new StartQuery();
    private final StartTimes starts = new StartTimes();
    private List<Order> orders = List.of();
    /** The order that the first of the starts is of, and how many there are. */
    private int first;

    private int known;
    private int hoped;

    /** Asks an estimator; orders ask the batch system for what the function says. */
    SubmissionStarts(ManagedRun run, StartEstimator estimator, Function<Order.Submit, Request> asked) {
        this.run = run;
        this.estimator = estimator;
        this.asked = asked;
    }

    /** These will be carried out now, one after the other. */
    void begin(List<Order> all) {
        orders = all;
        known = 0;
        hoped = FEW;
    }

    /** When a pilot job would start if it were submitted now by the number-th order; −1 if that is not known. */
    long start(int number, Request request) {
        PilotJob before = run.byToken.get(request.afterToken());
        if (before != null && !before.isRunning()) {
            return -1;
        }
        if (number < first || number >= first + known) {
            ask(number, request);
        }
        long start = starts.job(number - first);
        if (start == StartTimes.NEVER) {
            return -1;
        }
        long free = Math.max(start, request.notBefore());
        return before == null ? free : Math.max(free, before.limit());
    }

    /** Asks for an order and for those behind it that differ from it in their size only. */
    private void ask(int number, Request request) {
        query.begin(run.now, StartQuery.Arrangement.IN_ORDER).add(request.pool(), request.units(), request.walltime());
        int count = 1;
        while (count < hoped && isPlain(request) && number + count < orders.size()) {
            if (!(orders.get(number + count) instanceof Order.Submit next)) {
                break;
            }
            Request its = asked.apply(next);
            if (!isPlain(its) || its.pool() != request.pool()) {
                break;
            }
            query.add(its.pool(), its.units(), its.walltime());
            count++;
        }
        first = number;
        estimator.estimate(query, starts);
        known = starts.answered();
        hoped = Math.max(2, Math.min(MANY, known == count ? 4 * known : 2 * known));
    }

    private static boolean isPlain(Request request) {
        return request.notBefore() == Request.AT_ONCE && request.afterToken() == Request.NONE;
    }
}
