package io.sheaf.runtime.recorded;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Rules;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.MemoryUse;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.past.PastQueue;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.run.DynamicGroups;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.BackgroundReports;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of a finished run with other strategies, simulated in the same queue with the measured run times.
 *
 * <p>The run's own strategy is simulated too. The difference between that simulation and the actual run shows how
 * reliable the comparison is.
 *
 * @param ran the strategy of the run
 * @param tries one result per strategy, the run's own first; empty if the run cannot be simulated
 * @param unknown the limits of the reconstructed queue, or the reason for an empty result
 * @param earlier by category: how much earlier its tasks would have started on average with the memory that earlier attempts suggest, in milliseconds;
 *     only categories that requested at least {@link MemoryUse#FAR} times that
 */
public record Regret(String ran, List<StrategyResult> tries, List<String> unknown, Map<String, Long> earlier) {
    /** Background jobs arrive for this multiple of the run's makespan, since another strategy may take longer. */
    private static final int SPAN = 20;

    private static final long MIN_SPAN = 3_600_000;

    public Regret {
        tries = List.copyOf(tries);
        unknown = List.copyOf(unknown);
        earlier = Map.copyOf(earlier);
    }

    /**
     * The result of one strategy.
     *
     * @param makespan in milliseconds
     * @param held allocated node-milliseconds
     * @param used used node-milliseconds
     */
    public record StrategyResult(String strategy, boolean completed, long makespan, long held, long used, int jobs) {}

    /** Simulates a run with its own strategy and with others. */
    public static Regret of(RecordedRun run, List<String> strategies) throws IOException {
        String ran = RunFiles.strategy(run.folder(), run.spec());
        RunRecord record = run.record(run.now());
        String why = impossible(run, record);
        PastQueue past = why.isEmpty() ? past(run, record) : null;
        if (past == null) {
            return new Regret(
                    ran, List.of(), List.of(why.isEmpty() ? "the run has no queue snapshots" : why), Map.of());
        }
        Set<String> names = new LinkedHashSet<>();
        names.add(ran);
        names.addAll(strategies);
        List<StrategyResult> tries = new ArrayList<>();
        for (String name : names) {
            tries.add(result(name, simulate(run, run.submittedWorkflow(), record, past.queue(), name)));
        }
        List<String> unknown = new ArrayList<>(past.unknown());
        if (run.spec().pools().count() > past.queue().engine().policy().pools().count()) {
            unknown.add("node pools: simulated as one");
        }
        return new Regret(ran, tries, unknown, earlier(run, record, past, ran));
    }

    /** Simulates the run once more with the suggested memory of its categories. */
    private static Map<String, Long> earlier(RecordedRun run, RunRecord record, PastQueue past, String ran) {
        Map<String, List<Long>> peaks = new HashMap<>();
        for (AttemptResult each : run.history().results()) {
            if (each.message().outcome() == AttemptOutcome.SUCCEEDED
                    && each.message().usage().peakMemoryBytes() > 0) {
                String category = ExpectedRunTimes.category(
                        run.submittedWorkflow(), each.message().attempt().task());
                peaks.computeIfAbsent(category, unused -> new ArrayList<>())
                        .add(each.message().usage().peakMemoryBytes());
            }
        }
        Workflow submitted = run.submittedWorkflow();
        Map<String, CategoryRequest> requests = new HashMap<>();
        for (int task = 0; task < submitted.size(); task++) {
            String category = ExpectedRunTimes.category(submitted, task);
            long suggested = MemoryUse.suggested(peaks.getOrDefault(category, List.of()));
            if (suggested > 0 && submitted.resources(task).memory() >= MemoryUse.FAR * suggested) {
                requests.put(category, new CategoryRequest(0, 0, suggested));
            }
        }
        return earlier(run, record, past, ran, requests);
    }

    /**
     * A request of a category's tasks; 0 for what stays as it was.
     *
     * @param millis the expected run time
     * @param memory in bytes
     */
    public record CategoryRequest(long millis, int cores, long memory) {}

    /**
     * How much earlier tasks would have started on average with other requests, simulated with the run's strategy in its queue.
     *
     * @param requests by category; larger ones than those of the run change nothing
     * @return by category, in milliseconds; empty if the run cannot be simulated
     */
    public static Map<String, Long> earlier(RecordedRun run, Map<String, CategoryRequest> requests) throws IOException {
        RunRecord record = run.record(run.now());
        PastQueue past = impossible(run, record).isEmpty() ? past(run, record) : null;
        return past == null
                ? Map.of()
                : earlier(run, record, past, RunFiles.strategy(run.folder(), run.spec()), requests);
    }

    private static Map<String, Long> earlier(
            RecordedRun run, RunRecord record, PastQueue past, String ran, Map<String, CategoryRequest> requests) {
        Workflow submitted = run.submittedWorkflow();
        WorkflowBuilder builder = submitted.extend();
        boolean countsMemory = SpecifiedManager.rules(run.spec()).node().countsMemory();
        Set<String> changed = new TreeSet<>();
        for (int task = 0; task < submitted.size(); task++) {
            String category = ExpectedRunTimes.category(submitted, task);
            CategoryRequest request = requests.get(category);
            if (request != null && request(builder, submitted, task, request, countsMemory)) {
                changed.add(category);
            }
        }
        if (changed.isEmpty()) {
            return Map.of();
        }
        SimulatedRun before = simulate(run, submitted, record, past.queue(), ran);
        SimulatedRun after = simulate(run, builder.build(), record, past.queue(), ran);
        Map<String, Long> earlier = new TreeMap<>();
        if (before.completed() && after.completed()) {
            changed.forEach(each -> earlier.put(each, start(submitted, before, each) - start(submitted, after, each)));
        }
        return earlier;
    }

    /** Lowers the request of a task; false if nothing changes. */
    private static boolean request(
            WorkflowBuilder builder, Workflow submitted, int task, CategoryRequest request, boolean countsMemory) {
        Resources needs = submitted.resources(task);
        Resources lower = needs;
        if (request.cores > 0 && request.cores < needs.cores() && submitted.scaling(task) == null) {
            lower = lower.cores(request.cores);
        }
        if (countsMemory && request.memory > 0 && request.memory < needs.memory()) {
            lower = lower.memory(request.memory);
        }
        boolean shorter = request.millis > 0
                && submitted.scaling(task) == null
                && submitted.timeMicros(task) != Workflow.UNKNOWN
                && request.millis * 1000 < submitted.timeMicros(task);
        if (shorter) {
            builder.time(task, request.millis * 1000);
        }
        if (!lower.equals(needs)) {
            builder.resources(task, lower);
        }
        return shorter || !lower.equals(needs);
    }

    /** The mean start of a category's tasks after the start of the run. */
    private static long start(Workflow workflow, SimulatedRun simulated, String category) {
        return (long) simulated.attempts().stream()
                .filter(each -> each.done()
                        && ExpectedRunTimes.category(workflow, each.task()).equals(category))
                .mapToLong(each -> each.started() - simulated.start())
                .average()
                .orElse(0);
    }

    /** Why a run cannot be simulated; empty if it can. */
    private static String impossible(RecordedRun run, RunRecord record) throws IOException {
        if (run.status(run.now()).state() != RunState.DONE || !record.completed()) {
            return "only runs whose tasks are all done can be simulated";
        }
        if (DynamicGroups.isIn(run.folder())) {
            return "it has groups over written files, whose tasks were not known at its start";
        }
        return run.submittedWorkflow().size() == record.workflow().size()
                        && record.workflow().size() > 0
                ? ""
                : "its tasks were submitted one by one";
    }

    private static @Nullable PastQueue past(RecordedRun run, RunRecord record) throws IOException {
        if (run.spec().where().equals(Placement.LOCAL)) {
            long span = Math.max(MIN_SPAN, record.makespanMillis() * SPAN);
            return new PastQueue(run.past(span), List.of());
        }
        List<QueueSnapshot> snapshots = QueueSnapshots.read(run.folder());
        return snapshots.isEmpty() ? null : PastQueue.of(snapshots);
    }

    private static SimulatedRun simulate(
            RecordedRun run, Workflow submitted, RunRecord record, SimulatedQueue past, String strategy) {
        RunSpec spec = run.spec();
        RunTimeUpdate stated = run.history().planned();
        SimulatedQueue queue = past.fork();
        long start = Math.max(queue.now(), record.start());
        queue.advanceTo(start);
        return simulated(spec, submitted, stated, queue, start, times(record), strategy);
    }

    private static StrategyResult result(String strategy, SimulatedRun simulated) {
        return new StrategyResult(
                strategy,
                simulated.completed(),
                simulated.makespanMillis(),
                simulated.allocatedNodeMillis(),
                simulated.usedNodeMillis(),
                simulated.jobsSubmitted());
    }

    /**
     * Simulates a run with a strategy in a queue, which this changes.
     *
     * @param stated times that the run receives before its first decision; null if there are none
     * @param times the actual times of tasks
     */
    public static SimulatedRun simulated(
            RunSpec spec,
            Workflow submitted,
            @Nullable RunTimeUpdate stated,
            SimulatedQueue queue,
            long start,
            TaskTimes times,
            String strategy) {
        // A queue of recorded snapshots has no pools; its nodes count as one.
        boolean pooled = queue.engine().policy().pools().count() >= spec.pools().count();
        Rules rules = pooled
                ? SpecifiedManager.rules(spec)
                : SpecifiedManager.rules(spec).pools(Pools.NONE);
        SimulationSetup setup = SimulationSetup.of(SpecifiedManager.profile(spec), spec.node(), spec.cap())
                .taking(times)
                .recording(true)
                .rules(any -> rules)
                .nodes(spec.nodes());
        if (!SpecifiedManager.isTimed(stated == null ? submitted : stated.of(submitted))) {
            setup = setup.learningTimes(spec.times());
        }
        return WorkflowSimulation.run(
                queue,
                start,
                submitted,
                SpecifiedManager.strategy(strategy, spec, submitted, WaitMemory.NONE),
                setup,
                DecisionSink.NOTHING,
                BackgroundReports.IGNORED,
                stated);
    }

    /** Each task takes the run time of its successful attempt. */
    private static TaskTimes times(RunRecord record) {
        long[] took = new long[record.workflow().size()];
        for (AttemptRecord each : record.attempts()) {
            if (each.done()) {
                took[each.task()] = each.ended() - each.started();
            }
        }
        return (workflow, task, attempt) -> took[task];
    }

    /** The simulated result of the run's own strategy; null if the run cannot be simulated. */
    public @Nullable StrategyResult own() {
        return tries.isEmpty() ? null : tries.get(0);
    }

    /** The result with the shortest makespan, then the fewest node-hours; null if there is none. */
    public @Nullable StrategyResult best() {
        return tries.stream()
                .filter(StrategyResult::completed)
                .min(Comparator.comparingLong(StrategyResult::makespan).thenComparingLong(StrategyResult::held))
                .orElse(null);
    }
}
