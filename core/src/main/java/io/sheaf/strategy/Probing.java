package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.TaskGroup;
import io.sheaf.manager.View;
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
 * Wraps another strategy for a workflow with unknown run times: measures them first, and decides again when they change.
 *
 * <h2>Cold start</h2>
 * Ready tasks of a category without any time cannot be planned. So the first {@value #PROBES} tasks of each such category run in one small pilot job
 * of ten minutes, which most queues can backfill. After each expiry its walltime doubles. The other strategy decides when these times are measured,
 * unless a pilot job already claims these tasks and will measure them. Unknown times of later levels are planned with the mean of the known ones.
 *
 * <h2>When times change</h2>
 * The other strategy is created again for the workflow with its new times. A queued pilot job whose walltime is too short for the expected times of
 * its tasks is cancelled; the strategy then plans again.
 *
 * <p>All state is in the view, so it needs no memo, and a journal replays it like any decision.
 */
public final class Probing implements Strategy {
    private static final int PROBES = 3;
    private static final long PROBE_MILLIS = 600_000;
    private static final int MOST_DOUBLINGS = 10;

    private final Profile profile;
    private final PerWorkflow.Maker maker;
    private final Strategy strategy;
    private final Workflow workflow;
    /** Created on demand; depends on the workflow only. */
    private @Nullable RunTimes times;

    /**
     * A strategy for a workflow.
     *
     * @param maker creates it for a workflow in which all times are known
     */
    public Probing(Workflow workflow, Profile profile, PerWorkflow.Maker maker) {
        this.profile = profile;
        this.maker = maker;
        this.workflow = workflow;
        strategy = maker.of(guessed(workflow));
    }

    /** Replaces unknown times by the mean of the known ones. */
    static Workflow guessed(Workflow workflow) {
        List<Integer> unknown = new ArrayList<>();
        long sum = 0;
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.timeMicros(task) == Workflow.UNKNOWN) {
                unknown.add(task);
            } else {
                sum += workflow.timeMicros(task);
            }
        }
        long[] mean = new long[unknown.size()];
        Arrays.fill(mean, sum / Math.max(1, workflow.size() - unknown.size()));
        return unknown.isEmpty()
                ? workflow
                : workflow.timed(unknown.stream().mapToInt(Integer::intValue).toArray(), mean);
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public Strategy forWorkflow(Workflow changed) {
        return new Probing(changed, profile, maker);
    }

    @Override
    public boolean wantsLikelyStarts() {
        return strategy.wantsLikelyStarts();
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
        BitSet unknown = unknown(view);
        if (!unknown.isEmpty()) {
            return probe(view, unknown, memo, estimator, considered);
        }
        List<Order> tooShort = tooShort(view);
        if (!tooShort.isEmpty()) {
            if (considered.isWanted()) {
                considered.chosen("tasks take longer than expected when the job was submitted");
            }
            return new Decision(tooShort, Decision.NEVER, memo);
        }
        return strategy.decide(view, memo, estimator, considered);
    }

    /** Ready tasks with unknown times that no pilot job of ours will run. */
    private BitSet unknown(View view) {
        BitSet found = new BitSet();
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            if (workflow.timeMicros(task) == Workflow.UNKNOWN && !isClaimed(view, task)) {
                found.set(task);
            }
        }
        return found;
    }

    private boolean isClaimed(View view, int task) {
        for (int i = 0; i < view.pilotJobs(); i++) {
            Claim claim = view.pilotJob(i).claim();
            int level = workflow.level(task);
            if (claim.firstLevel() <= level
                    && level <= claim.lastLevel()
                    && claim.tasks().contains(task)) {
                return true;
            }
        }
        return false;
    }

    /** Submits the first tasks of each category that is not being probed yet. */
    private Decision probe(View view, BitSet unknown, Memo memo, StartEstimator estimator, DecisionSink considered) {
        int[] taken = new int[workflow.categories().size()];
        for (int task = 0; task < workflow.size(); task++) {
            boolean underWay = view.isRunning(task) || (view.isReady(task) && !unknown.get(task));
            if (underWay && workflow.timeMicros(task) == Workflow.UNKNOWN) {
                taken[workflow.categoryNumber(task)] = PROBES;
            }
        }
        List<Integer> probes = new ArrayList<>();
        for (int task = unknown.nextSetBit(0); task >= 0; task = unknown.nextSetBit(task + 1)) {
            if (taken[workflow.categoryNumber(task)]++ < PROBES) {
                probes.add(task);
            }
        }
        if (probes.isEmpty() || view.pilotJobs() >= view.cap()) {
            return Decision.nothing(memo);
        }
        Order.Submit order = pilotJob(view, probes);
        if (considered.isWanted()) {
            Request asked = order.request();
            long start = estimator
                    .estimate(StartQuery.of(view.now(), asked.pool(), asked.units(), asked.walltime()))
                    .job(0);
            considered.option("probes", asked.units(), asked.walltime(), start - view.now(), -1);
            considered.chosen("the run times of these tasks are not known yet");
        }
        return Decision.of(memo, order);
    }

    private Order.Submit pilotJob(View view, List<Integer> probes) {
        long millicores = 0;
        int least = 1;
        int first = workflow.levels();
        int last = 0;
        for (int task : probes) {
            millicores += workflow.resources(task).millicores()
                    * workflow.resources(task).nodes();
            least = Math.max(least, workflow.resources(task).nodes());
            first = Math.min(first, workflow.level(task));
            last = Math.max(last, workflow.level(task));
        }
        long ofANode = (long) view.coresPerNode() * Resources.CORE;
        long wanted = (millicores + ofANode - 1) / ofANode;
        int nodes = (int) Math.max(least, Math.min(view.nodes(), wanted));
        long walltime = profile.request(PROBE_MILLIS << Math.min(MOST_DOUBLINGS, view.expiries()));
        int[] tasks = probes.stream().mapToInt(Integer::intValue).toArray();
        return new Order.Submit(
                Request.of(nodes, walltime), Claim.levels(first, last).only(TaskGroup.of(tasks)));
    }

    /** Cancels queued jobs that claim whole levels and are now too short for them. */
    private List<Order> tooShort(View view) {
        List<Order> orders = new ArrayList<>();
        BitSet done = new BitSet();
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
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
            known = new RunTimes(guessed(workflow), profile.planOrder(), view.node());
            times = known;
        }
        return known;
    }
}
