package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.PoolStarts;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Wraps another strategy for a workflow with unknown run times: it decides with guesses, which become better with each task that runs.
 *
 * <h2>Guesses</h2>
 * Unknown times are quantiles of {@linkplain TimeGuesses what is believed about them}. The belief changes when a task ends, when one is cut off, and while one
 * runs. No task waits to be measured.
 *
 * <h2>Strategies whose jobs run any task</h2>
 * For {@link Auto}, a job on {@linkplain IdleNodes free nodes} runs ready tasks of unknown times at once. Beside it, jobs wait in the queue: those for the median of each
 * time, then those for a high and a low quantile. The first that starts measures the times; the strategy then shortens or cancels the others. Until then it cancels and
 * shortens no queued job, and drains none.
 *
 * <h2>Other strategies</h2>
 * Their jobs are bound to tasks, so there is one guess: a quantile above the median. A queued job whose walltime is too short for the expected times of its tasks is
 * cancelled; the strategy then plans again.
 *
 * <p>All state is in the view, so it needs no memo of its own, and a journal replays it like any decision.
 */
public final class UnknownTimes implements Strategy {
    private static final double MEDIAN = 0.5;

    /** The quantile for jobs that are bound to tasks. */
    private static final double BOUND = 0.7;

    /** The quantiles for additional queued jobs. */
    private static final double[] OTHERS = {0.98, 0.2};

    /** When to plan again after a submission, and after one was left out. */
    private static final long SOON = 1_000;

    private static final long LATER = 180_000;

    /** The strategy for a quantile of the unknown times. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Guessed(long[] quantiles, Workflow workflow, Strategy strategy) {}

    private final Profile profile;
    private final PerWorkflow.Maker maker;
    private final Workflow workflow;
    private final TimeGuesses.Kinds kinds;
    private final Strategy strategy;
    /** The last guesses; they depend on the view. Index 0 is for the decision itself. */
    private final @Nullable Guessed[] last = new Guessed[1 + OTHERS.length];
    /** Created on demand; depends on the workflow only. */
    private @Nullable RunTimes times;

    /**
     * A strategy for a workflow.
     *
     * @param maker creates it for a workflow in which all times are known
     */
    public UnknownTimes(Workflow workflow, Profile profile, PerWorkflow.Maker maker) {
        this.profile = profile;
        this.maker = maker;
        this.workflow = workflow;
        kinds = new TimeGuesses.Kinds(workflow);
        strategy = maker.of(workflow);
    }

    /**
     * Creates a strategy by its name, with guesses if run times of the workflow are unknown.
     *
     * @param times those of the workflow
     */
    public static Strategy named(String name, RunTimes times, Profile profile) {
        if (times.workflow().tasksWithoutTime() == 0) {
            return Strategies.named(name, times, profile);
        }
        return new UnknownTimes(
                times.workflow(),
                profile,
                each -> Strategies.named(name, new RunTimes(each, profile.planOrder(), times.node()), profile));
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public Strategy forWorkflow(Workflow changed) {
        return new UnknownTimes(changed, profile, maker);
    }

    @Override
    public boolean usesLearntStarts() {
        return strategy.usesLearntStarts();
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        List<Order> tooShort = tooShort(view);
        if (!tooShort.isEmpty()) {
            if (sink.isRecording()) {
                sink.chosen("tasks take longer than expected when the job was submitted");
            }
            return new Decision(tooShort, Decision.NEVER, memo);
        }
        boolean known = isKnown(view);
        if (known && !(strategy instanceof Auto)) {
            return strategy.decide(view, memo, estimator, sink);
        }
        TimeGuesses guesses = new TimeGuesses(view, kinds);
        if (!(strategy instanceof Auto)) {
            return decide(0, BOUND, guesses, view, memo, estimator, sink);
        }
        Profile longer = profile.withMargin(view.walltimeMargin());
        Order.Submit atOnce = new IdleNodes(view, guesses, longer, estimator).job(sink);
        if (atOnce != null) {
            return new Decision(List.of(atOnce), view.now() + SOON, memo);
        }
        if (known) {
            return strategy.decide(view, memo, estimator, sink);
        }
        Decision decision =
                keeping(decide(0, MEDIAN, guesses, view, memo, estimator, sink), view, memo, estimator, sink);
        boolean isPlan = decision.memo() instanceof AutoMemo planned && planned.at() == view.now();
        return isPlan && decision.orders().isEmpty() && view.nextReady(0) >= 0 && !isServed(view, estimator)
                ? another(decision, guesses, view, estimator, sink)
                : decision;
    }

    private Decision decide(
            int index,
            double quantile,
            TimeGuesses guesses,
            View view,
            Memo memo,
            StartEstimator estimator,
            DecisionSink sink) {
        long[] quantiles = guesses.quantiles(quantile);
        Guessed guessed = last[index];
        if (guessed == null || !Arrays.equals(guessed.quantiles, quantiles)) {
            Workflow timed = guesses.workflow(quantile);
            guessed = new Guessed(quantiles, timed, maker.of(timed));
            last[index] = guessed;
        }
        return guessed.strategy.decide(new TimedView(view, guessed.workflow), memo, estimator, sink);
    }

    /**
     * Whether another job would only wait: the jobs that run or start now have all nodes, or room for all ready tasks as soon as their agents have
     * connected.
     */
    private static boolean isServed(View view, StartEstimator estimator) {
        int nodes = 0;
        int connecting = 0;
        for (PilotJob p : view.jobs()) {
            if (p.isRunning()) {
                nodes += p.request().units();
                connecting += p.isConnecting(view.now()) ? p.connectingNodes() : 0;
            } else if (p.isQueued() && startsNow(p, view, estimator)) {
                nodes += p.request().units();
                connecting += p.request().units();
            }
        }
        long room = (long) connecting * view.coresPerNode() * Resources.CORE;
        for (int task = view.nextReady(0); task >= 0 && room >= 0; task = view.nextReady(task + 1)) {
            Resources needed = view.workflow().resources(task);
            room -= needed.millicores() * needed.nodes();
        }
        return room >= 0 || nodes >= Math.max(view.nodes(), view.pools().nodes());
    }

    private static boolean startsNow(PilotJob queued, View view, StartEstimator estimator) {
        StartQuery query = StartQuery.ofQueued(view.now(), new long[] {queued.token()}, 1);
        return estimator.estimate(query).queued(0) <= view.now();
    }

    /** The decision without cancellations and shortenings of queued jobs, without drains, and without a job that would start before a task is ready for it. */
    private static Decision keeping(
            Decision decision, View view, Memo before, StartEstimator estimator, DecisionSink sink) {
        List<Order> orders = new ArrayList<>(decision.orders());
        // The nodes of a running job that is cancelled are free at once.
        boolean frees = orders.stream()
                .anyMatch(order -> order instanceof Order.Cancel cancel && !isQueued(view, cancel.token()));
        boolean early = orders.removeIf(order -> order instanceof Order.Submit submit
                && view.nextReady(0) < 0
                && (frees || startsAtOnce(submit.request(), view, estimator)));
        orders.removeIf(order -> order instanceof Order.Shorten
                || order instanceof Order.Drain
                || (order instanceof Order.Cancel cancel && isQueued(view, cancel.token())));
        if (orders.size() == decision.orders().size()) {
            return decision;
        }
        if (orders.isEmpty() && sink.isRecording()) {
            sink.chosen(
                    early
                            ? "a further job would start before a task is ready for it"
                            : "the jobs stay as they are until run times are known");
        }
        Memo memo = decision.memo() instanceof AutoMemo planned
                ? planned.calmUntil(before instanceof AutoMemo b ? b.calmUntil() : AutoMemo.NEVER.calmUntil())
                : decision.memo();
        long wakeAt = early ? Math.max(decision.wakeAt(), view.now() + LATER) : decision.wakeAt();
        return new Decision(orders, wakeAt, memo, decision.observations());
    }

    private static boolean startsAtOnce(Request request, View view, StartEstimator estimator) {
        int pool = request.pool();
        long start = pool == Pools.ANY
                ? new PoolStarts(view.pools(), estimator)
                        .of(view.now(), request.units(), request.walltime())
                        .start(0)
                : estimator
                        .estimate(StartQuery.of(view.now(), pool, request.units(), request.walltime()))
                        .job(0);
        return start <= view.now();
    }

    private static boolean isQueued(View view, long token) {
        PilotJob p = view.find(token);
        return p != null && p.isQueued();
    }

    /** Adds the first job that the strategy would submit if times were much longer or shorter than their medians. */
    private Decision another(
            Decision decision, TimeGuesses guesses, View view, StartEstimator estimator, DecisionSink sink) {
        for (int i = 0; i < OTHERS.length; i++) {
            Decision other = decide(1 + i, OTHERS[i], guesses, view, Memo.NONE, estimator, DecisionSink.NOTHING);
            for (Order order : other.orders()) {
                if (order instanceof Order.Submit submit) {
                    if (sink.isRecording()) {
                        sink.chosen("in case unknown run times are much " + (OTHERS[i] > MEDIAN ? "longer" : "shorter")
                                + " than believed");
                    }
                    return new Decision(List.of(submit), view.now() + SOON, decision.memo(), decision.observations());
                }
            }
        }
        return decision;
    }

    /** Whether the times of all unfinished tasks are known. */
    private boolean isKnown(View view) {
        return Arrays.stream(kinds.unknown).allMatch(view::isDone);
    }

    /** Cancels queued jobs that claim whole levels and are now too short for the known times of their tasks. */
    private List<Order> tooShort(View view) {
        List<Order> orders = new ArrayList<>();
        BitSet done = new BitSet();
        for (PilotJob p : view.jobs()) {
            Claim claim = p.claim();
            if (p.isQueued() && claim.tasks().isAll() && !claim.onlyIfFits()) {
                for (int task = 0; done.isEmpty() && task < workflow.size(); task++) {
                    done.set(task, view.isDone(task));
                }
                long needed = times(view)
                        .millis(
                                claim.firstLevel(),
                                claim.lastLevel(),
                                p.request().units(),
                                done);
                if (needed > p.request().walltime()) {
                    orders.add(new Order.Cancel(p.token()));
                }
            }
        }
        return orders;
    }

    private RunTimes times(View view) {
        RunTimes known = times;
        if (known == null) {
            known = new RunTimes(workflow, profile.planOrder(), view.node());
            times = known;
        }
        return known;
    }
}
