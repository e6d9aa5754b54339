package io.sheaf.bench;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.planner.Policies;
import io.sheaf.predict.StartEstimator;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * How long does a manager take for the end of a task, and the bindings that follow, with 100 workflows of 1,000 tasks; how long for one more workflow; and how
 * much memory do they need?
 *
 * <p>Four pilot jobs of 16 nodes share all of them. Argument: the number of rounds; prints the last.
 */
public final class HowLongDoesAForestTake {
    private static final int WORKFLOWS = 100;
    private static final int TASKS = 1_000;
    private static final int PILOT_JOBS = 4;
    private static final int NODES = 16;
    private static final long LONG = 1_000_000_000_000L;

    private record Started(long token, int task, int attempt) {}

    private HowLongDoesAForestTake() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        List<Workflow> workflows = new ArrayList<>();
        for (int i = 0; i < WORKFLOWS; i++) {
            Recipe recipe = new Recipe(TASKS, 0, i, Map.of("edge-length", "high"));
            workflows.add(Families.named("random").generate(recipe).prefixed("w" + i + "/"));
        }
        for (String policy : Policies.NAMES) {
            for (int round = 1; round <= rounds; round++) {
                run(policy, workflows, round == rounds);
            }
        }
    }

    private static void run(String policy, List<Workflow> workflows, boolean reported) {
        long before = Measure.used();
        Deque<Started> running = new ArrayDeque<>();
        Effects effects = effects(running);
        Manager manager = manager(policy);
        manager.on(new Event.Opened(0), effects);
        double last = 0;
        for (int i = 0; i < WORKFLOWS; i++) {
            long from = Measure.cpu();
            Origin origin = new Origin("w" + i, "owner " + i % 7, 0, "");
            manager.on(new Event.Grown(0, Addition.of(origin, workflows.get(i))), effects);
            last = (Measure.cpu() - from) / 1e6;
        }
        double megabytes = (Measure.used() - before) / 1e6;
        manager.settle(0, effects);
        for (int token = 1; token <= PILOT_JOBS; token++) {
            manager.on(new Event.Started(0, token), effects);
        }
        long[] nanos = new long[WORKFLOWS * TASKS];
        int ended = 0;
        long begin = Measure.cpu();
        while (!running.isEmpty()) {
            Started first = running.remove();
            long from = System.nanoTime();
            manager.on(
                    new Event.TaskEnded(ended, first.token, first.task, first.attempt, Event.Outcome.SUCCEEDED),
                    effects);
            nanos[ended++] = System.nanoTime() - from;
        }
        double micros = (Measure.cpu() - begin) / 1e3 / ended;
        Arrays.sort(nanos, 0, ended);
        if (reported) {
            Measure.print(
                    "%-18s %d tasks: %.2f µs of processor time each; an end with its bindings median %.2f, 99.9 %% within %.2f µs;"
                            + " the last workflow took %.1f ms to add, all need %.1f MB",
                    policy, ended, micros, nanos[ended / 2] / 1e3, nanos[(int) (ended * 0.999)] / 1e3, last, megabytes);
        }
    }

    private static Manager manager(String policy) {
        Strategy decidesOnce = new Strategy() {
            @Override
            public String name() {
                return "once";
            }

            @Override
            public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
                List<Order> orders = new ArrayList<>();
                for (int i = view.pilotJobs(); i < PILOT_JOBS; i++) {
                    orders.add(new Order.Submit(Request.of(NODES, LONG), Claim.levels(0, Integer.MAX_VALUE)));
                }
                return new Decision(orders, Decision.NEVER, memo);
            }
        };
        Manager manager = new Manager(
                new WorkflowBuilder("nothing yet").build(),
                Profile.OWN.runOrder()::ranks,
                decidesOnce,
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                NODES,
                PILOT_JOBS,
                Rules.DEFAULT.keepGoing(true));
        manager.shareBetweenWorkflows(Policies.named(policy, 1), Map.of("owner 1", 2.0));
        return manager;
    }

    private static Effects effects(Deque<Started> running) {
        return new NoEffects() {
            @Override
            public void start(long token, int[] nodes, int task, int attempt) {
                running.add(new Started(token, task, attempt));
            }
        };
    }
}
