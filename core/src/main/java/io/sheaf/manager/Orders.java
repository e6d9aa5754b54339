package io.sheaf.manager;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Carries out a strategy's orders and drops those that have become impossible. */
final class Orders {
    /** The number of submissions of a decision whose pools are chosen one by one; of more, equal ones in a row share a choice. */
    private static final int MAX_CHOICES = 32;

    private final ManagedRun run;
    private final Lifecycle lifecycle;
    private final SubmissionStarts starts;
    private final StartEstimator estimator;

    Orders(ManagedRun run, Lifecycle lifecycle, StartEstimator estimator) {
        this.run = run;
        this.lifecycle = lifecycle;
        this.estimator = estimator;
        starts = new SubmissionStarts(run, estimator, this::request);
    }

    /** The decision with a pool for each submission that leaves it open: that with the earliest estimated start, with the earlier submissions in the queue. */
    Decision withPools(Decision decision, DecisionSink sink) {
        if (run.pools().count() == 0) {
            return decision;
        }
        List<Order> orders = new ArrayList<>(decision.orders());
        List<Request> before = new ArrayList<>();
        int[] jobs = run.jobsByPool();
        int groupSize = 1 + orders.size() / MAX_CHOICES;
        for (int i = 0; i < orders.size(); i++) {
            if (orders.get(i) instanceof Order.Submit ordered) {
                Order.Submit submit = narrowed(ordered);
                Request request = request(submit);
                if (request.pool() == Pools.ANY) {
                    Request last = before.isEmpty() ? request : before.get(before.size() - 1);
                    int pool = before.size() % groupSize != 0 && request.units() == last.units()
                            ? last.pool()
                            : choose(request, submit.claim(), before, jobs, sink);
                    request = submit.request().in(pool);
                    orders.set(i, new Order.Submit(request, submit.claim()));
                } else if (sink.isRecording()) {
                    // The strategy has chosen the pool; the waits in the others are recorded beside it.
                    choose(request, submit.claim(), before, jobs, sink);
                }
                before.add(request);
                jobs[request.pool()]++;
            }
        }
        return new Decision(orders, decision.wakeAt(), decision.memo(), decision.observations());
    }

    /**
     * The order for the pool of most of the claimed tasks, where no pool has nodes for all: no more nodes than the tasks that fit there can use, and on
     * fewer nodes than these for a longer time.
     */
    private Order.Submit narrowed(Order.Submit order) {
        Pools pools = run.pools();
        if (order.request().pool() != Pools.ANY || !pools.areEachTooSmall(run.node())) {
            return order;
        }
        int[] tooLarge = tooLarge(order.claim(), pools, 1);
        int best = 1;
        for (int number = 2; number < tooLarge.length; number++) {
            boolean larger = pools.pool(number).size() > pools.pool(best).size();
            boolean better = tooLarge[number] < tooLarge[best] || (tooLarge[number] == tooLarge[best] && larger);
            best = better ? number : best;
        }
        Pool pool = pools.pool(best);
        int max = Math.min(pool.size(), pool.limits().units());
        int useful =
                Math.max(1, Math.min(order.request().units(), run.binding.work.nodes(order.claim(), run.node(best))));
        Request request = order.request().on(Math.min(useful, max));
        long rounds = (useful + request.units() - 1L) / request.units();
        return new Order.Submit(rounds == 1 ? request : request.lasting(rounds * request.walltime()), order.claim());
    }

    /** The pool of a request behind some others; the one with the longest walltime of those with as many nodes if none allows it. */
    private int choose(Request request, Claim claim, List<Request> before, int[] jobs, DecisionSink sink) {
        Pools pools = run.pools();
        int[] tooLarge = tooLarge(claim, pools, request.units());
        int fewest = Arrays.stream(tooLarge).skip(1).min().orElse(0);
        int best = Pools.ANY;
        int longest = Pools.ANY;
        long first = StartTimes.NEVER;
        StartQuery query = new StartQuery();
        for (int number = 1; number <= pools.count(); number++) {
            Pool pool = pools.pool(number);
            if (tooLarge[number] > fewest) {
                continue;
            }
            if (pool.allows(request.units(), 1)
                    && (longest == Pools.ANY
                            || pool.limits().walltime(request.units())
                                    > pools.pool(longest).limits().walltime(request.units()))) {
                longest = number;
            }
            if (!pool.allows(request.units(), request.walltime()) || jobs[number] >= pool.jobs()) {
                continue;
            }
            query.begin(run.now, before.isEmpty() ? StartQuery.Arrangement.ALONE : StartQuery.Arrangement.WITH_QUEUED);
            before.forEach(each -> query.add(each.pool(), each.units(), each.walltime()));
            query.add(number, request.units(), request.walltime());
            long start = estimator.estimate(query).job(before.size());
            if (sink.isRecording()) {
                long wait = start == StartTimes.NEVER ? -1 : Math.max(0, start - run.now);
                sink.option("in " + pool.name(), request.units(), request.walltime(), wait, -1);
            }
            if (best == Pools.ANY || start < first || (start == first && isBetter(number, best, request, claim))) {
                best = number;
                first = start;
            }
        }
        return best == Pools.ANY ? longest : best;
    }

    /** Whether a pool is to be preferred to another with the same start: the claimed tasks can use more of its nodes at once, or as much at a lower price. */
    private boolean isBetter(int number, int other, Request request, Claim claim) {
        Pools pools = run.pools();
        Resources node = run.node(number);
        Resources otherNode = run.node(other);
        long cores = pools.areUnequal() ? run.binding.work.cores(claim) : 0;
        long useful = Math.min(cores, (long) node.cores() * request.units());
        long otherUseful = Math.min(cores, (long) otherNode.cores() * request.units());
        long memory = run.binding.work.atOnce(claim, node).memory();
        long otherMemory = run.binding.work.atOnce(claim, otherNode).memory();
        boolean equal = useful == otherUseful && memory == otherMemory;
        return equal
                ? pools.pool(number).price() < pools.pool(other).price()
                : (useful >= otherUseful && memory >= otherMemory);
    }

    /** For each pool with enough nodes the number of claimed tasks that do not fit on one; of ready ones where no pool suits all, so that each job runs some. */
    private int[] tooLarge(Claim claim, Pools pools, int units) {
        int[] count = new int[pools.count() + 1];
        boolean ready = pools.areEachTooSmall(run.node()) && run.binding.work.isAnyReady(claim, run.node());
        for (int number = 1; number < count.length && pools.areUnequal(); number++) {
            count[number] = pools.allows(number, units, 1)
                    ? run.binding.work.tooLarge(claim, run.node(number), ready)
                    : Integer.MAX_VALUE;
        }
        return count;
    }

    void carryOut(List<Order> orders, DecisionSink sink, Effects out) {
        starts.begin(orders);
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
            PilotJob p = run.enter(request(order), order.claim());
            if (sink.isRecording()) {
                sink.ordered(order, p.token, starts.start(number, p.request));
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
    private Request request(Order.Submit order) {
        Request request = order.request();
        Claim claim = order.claim();
        long needed = run.margins.walltime(request.walltime(), claim, run) + 2 * run.binding.work.longestCut(claim);
        long walltime = Math.min(needed, run.sizes.walltime(request.pool(), request.units()));
        Request longer = walltime == request.walltime() ? request : request.lasting(walltime);
        return longer.needing(run.binding.work.atOnce(claim, run.node(request.pool())))
                .avoiding(excludedHosts(request.units(), claim));
    }

    /** The nodes that a job of this size avoids: no more than leave it enough. */
    private List<String> excludedHosts(int units, Claim claim) {
        if (run.health.isEmpty()) {
            return List.of();
        }
        List<String> avoided = List.copyOf(run.health.avoidedFor(run.hostsUp(), claim, run.workflow()));
        return avoided.subList(0, Math.max(0, Math.min(avoided.size(), run.sizes.allowedNodes - units)));
    }
}
