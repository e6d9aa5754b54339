package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.stream.LongStream;

/**
 * A run at instant 0 for moves that are worked out by hand: independent tasks of an hour, none started, nodes of one
 * core.
 *
 * <p>With n tasks the work is n hours, the critical path one hour and the parallelism n: with λ = 0.3 a node-minute
 * costs 0.3 / n minutes. Node time costs more beyond 4 n node-hours and is limited to 10 n node-hours.
 */
final class OnPaper implements StartEstimator {
    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;
    private static final int CAP = 8;

    final RunTimes times;
    final Manager view;
    /** The estimated starts of new and of queued jobs. */
    long newStart;

    long queuedStart;

    /** Jobs of at most these nodes start at once. */
    private int narrow;

    /** Jobs of at most this walltime start at once. */
    private long gap;

    private OnPaper(int tasks, int nodes, Rules rules) {
        this(nodes, CAP, rules, LongStream.generate(() -> HOUR).limit(tasks).toArray());
    }

    private OnPaper(int nodes, int cap, Rules rules, long... runs) {
        WorkflowBuilder builder = new WorkflowBuilder("hours");
        for (int i = 0; i < runs.length; i++) {
            builder.time(builder.task("t" + i), runs[i] * 1_000);
        }
        Workflow workflow = builder.build();
        times = new RunTimes(workflow, TaskOrder.BOTTOM_LEVEL, 1);
        view = new Manager(
                workflow,
                TaskOrder.BOTTOM_LEVEL::ranks,
                new Submitting(),
                this,
                DecisionSink.NOTHING,
                nodes,
                cap,
                rules);
    }

    static OnPaper hours(int tasks) {
        return hours(tasks, tasks);
    }

    /** Tasks of any run times on as many nodes. */
    static OnPaper tasks(long... runs) {
        return new OnPaper(runs.length, CAP, Rules.DEFAULT, runs);
    }

    /** Three tasks of an hour in a run with a maximum number of jobs. */
    static OnPaper threeHours(int cap) {
        return new OnPaper(3, cap, Rules.DEFAULT, HOUR, HOUR, HOUR);
    }

    /** The same on a cluster of some nodes. */
    static OnPaper hours(int tasks, int nodes) {
        return new OnPaper(tasks, nodes, Rules.DEFAULT);
    }

    /** The same with a maximum walltime. */
    static OnPaper hours(int tasks, int nodes, long walltime) {
        return new OnPaper(tasks, nodes, Rules.DEFAULT.walltime(walltime));
    }

    /** The same where run times are upper limits. */
    static OnPaper hoursAtMost(int tasks) {
        return new OnPaper(tasks, tasks, Rules.DEFAULT.keepGoing(true).ample(true));
    }

    /** The manager has submitted a job. */
    OnPaper withJob() {
        view.settle(0, new NoEffects());
        return this;
    }

    /** That job, of three nodes, has started; its agents have not connected. */
    OnPaper withConnectingJob() {
        withJob();
        view.on(new Event.Started(0, view.jobs().get(0).token(), false), new NoEffects());
        return this;
    }

    /** All jobs that would be submitted start at an instant. */
    OnPaper starting(long at) {
        newStart = at;
        return this;
    }

    /** Jobs of at most some nodes that would be submitted start at once. */
    OnPaper narrowStartingAtOnce(int nodes) {
        narrow = nodes;
        return this;
    }

    /** Jobs of at most a walltime that would be submitted start at once. */
    OnPaper shortStartingAtOnce(long walltime) {
        gap = walltime;
        return this;
    }

    OnPaper queuedStarting(long at) {
        queuedStart = at;
        return this;
    }

    /** A decision in which nothing starts at once, so that an end may be delayed by 5 %. */
    Planning planning() {
        PlanCost cost = new PlanCost(times, Auto.Options.DEFAULT, 0, 0, false);
        return new Planning(view, Profile.OWN, 1, this, DecisionSink.NOTHING, new Rollout(times.tasks(), view), cost);
    }

    static Plan.Job job(long token, Plan.State state, int nodes, long walltime, long start) {
        return new Plan.Job(token, state, Request.of(nodes, walltime), 0, start, start, false, false);
    }

    /** A plan of some jobs whose fallback has one node and starts ten hours after its submission. */
    static Plan plan(Plan.Job... jobs) {
        Plan plan = Plan.empty(Plan.Fallback.of(1, 10 * HOUR));
        for (Plan.Job job : jobs) {
            plan = plan.with(job);
        }
        return plan;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        answer.begin(query, Basis.SIMULATED);
        for (int i = 0; i < query.queued(); i++) {
            answer.queued(i, queuedStart);
        }
        for (int i = 0; i < query.jobs(); i++) {
            boolean atOnce = query.units(i) <= narrow || query.walltime(i) <= gap;
            answer.job(i, atOnce ? 0 : newStart);
        }
    }

    @Override
    public Basis basis() {
        return Basis.SIMULATED;
    }

    private static final class Submitting implements Strategy {
        @Override
        public String name() {
            return "submitting";
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            return Decision.of(memo, new Order.Submit(Request.of(3, HOUR), Claim.levels(0, 0)));
        }
    }
}
