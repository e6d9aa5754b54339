package io.sheaf.runtime.recorded;

import io.sheaf.agent.protocol.Outcome;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Rules;
import io.sheaf.predict.MemoryUse;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.TimesInUse;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.Attempt;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.past.PastQueue;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.runtime.record.Result;
import io.sheaf.runtime.run.DynamicGroups;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.Faults;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.util.ArrayList;
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
public record Regret(String ran, List<Try> tries, List<String> unknown, Map<String, Long> earlier) {
    /** Background jobs arrive for this multiple of the run's makespan, since another strategy may take longer. */
    private static final int SPAN = 20;

    private static final long LEAST_SPAN = 3_600_000;

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
    public record Try(String strategy, boolean completed, long makespan, long held, long used, int jobs) {}

    /** Simulates a run with its own strategy and with others. */
    public static Regret of(RecordedRun run, List<String> strategies) throws IOException {
        String ran = RunFiles.strategy(run.folder(), run.spec());
        RunRecord record = run.record(run.now());
        String why = impossible(run, record);
        PastQueue past = why.isEmpty() ? past(run, record) : null;
        if (past == null) {
            return new Regret(
                    ran,
                    List.of(),
                    List.of(why.isEmpty() ? "the run has kept no snapshot of the queue" : why),
                    Map.of());
        }
        Set<String> names = new LinkedHashSet<>();
        names.add(ran);
        names.addAll(strategies);
        List<Try> tries = new ArrayList<>();
        for (String name : names) {
            tries.add(result(name, played(run, run.given(), record, past.queue(), name)));
        }
        return new Regret(ran, tries, past.unknown(), earlier(run, record, past, ran));
    }

    /** Simulates the run once more with the suggested memory of its categories. */
    private static Map<String, Long> earlier(RecordedRun run, RunRecord record, PastQueue past, String ran) {
        Map<String, List<Long>> peaks = new HashMap<>();
        for (Result each : run.history().results()) {
            if (each.said().outcome() == Outcome.SUCCEEDED
                    && each.said().usage().peakMemoryBytes() > 0) {
                String category =
                        TimesInUse.category(run.given(), each.said().attempt().task());
                peaks.computeIfAbsent(category, unused -> new ArrayList<>())
                        .add(each.said().usage().peakMemoryBytes());
            }
        }
        Workflow given = run.given();
        WorkflowBuilder builder = given.extend();
        Set<String> changed = new TreeSet<>();
        for (int task = 0; task < given.size(); task++) {
            String category = TimesInUse.category(given, task);
            long suggested = MemoryUse.suggested(peaks.getOrDefault(category, List.of()));
            if (suggested > 0 && given.resources(task).memory() >= MemoryUse.FAR * suggested) {
                builder.resources(task, given.resources(task).memory(suggested));
                changed.add(category);
            }
        }
        if (changed.isEmpty() || !SpecifiedManager.rules(run.spec()).node().countsMemory()) {
            return Map.of();
        }
        SimulatedRun before = played(run, given, record, past.queue(), ran);
        SimulatedRun after = played(run, builder.build(), record, past.queue(), ran);
        Map<String, Long> earlier = new TreeMap<>();
        if (before.completed() && after.completed()) {
            changed.forEach(each -> earlier.put(each, start(given, before, each) - start(given, after, each)));
        }
        return earlier;
    }

    /** The mean start of a category's tasks after the start of the run. */
    private static long start(Workflow workflow, SimulatedRun played, String category) {
        return (long) played.attempts().stream()
                .filter(each -> each.done()
                        && TimesInUse.category(workflow, each.task()).equals(category))
                .mapToLong(each -> each.started() - played.start())
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
        return run.given().size() == record.workflow().size()
                        && record.workflow().size() > 0
                ? ""
                : "its tasks were submitted one by one";
    }

    private static @Nullable PastQueue past(RecordedRun run, RunRecord record) throws IOException {
        if (run.spec().where().equals(Placement.LOCAL)) {
            long span = Math.max(LEAST_SPAN, record.makespanMillis() * SPAN);
            return new PastQueue(run.past(span), List.of());
        }
        List<QueueSnapshot> seen = QueueSnapshots.read(run.folder());
        return seen.isEmpty() ? null : PastQueue.of(seen);
    }

    private static SimulatedRun played(
            RecordedRun run, Workflow given, RunRecord record, SimulatedQueue past, String strategy) {
        RunSpec spec = run.spec();
        Retiming told = run.history().planned();
        SimulatedQueue queue = past.fork();
        long start = Math.max(queue.now(), record.start());
        queue.advanceTo(start);
        return simulated(spec, given, told, queue, start, times(record), strategy);
    }

    private static Try result(String strategy, SimulatedRun played) {
        return new Try(
                strategy,
                played.completed(),
                played.makespanMillis(),
                played.heldNodeMillis(),
                played.usedNodeMillis(),
                played.jobsSubmitted());
    }

    /**
     * Simulates a run with a strategy in a queue, which this changes.
     *
     * @param told times that the run receives before its first decision; null if there are none
     * @param times the actual times of tasks
     */
    public static SimulatedRun simulated(
            RunSpec spec,
            Workflow given,
            @Nullable Retiming told,
            SimulatedQueue queue,
            long start,
            TaskTimes times,
            String strategy) {
        Rules rules = SpecifiedManager.rules(spec);
        SimulationSetup setup = new SimulationSetup(
                        SpecifiedManager.profile(spec),
                        spec.coresPerNode(),
                        spec.cap(),
                        times,
                        true,
                        Faults.NONE,
                        rules)
                .nodes(spec.nodes());
        if (!SpecifiedManager.isTimed(told == null ? given : told.of(given))) {
            setup = setup.learningTimes(spec.times());
        }
        return WorkflowSimulation.run(
                queue,
                start,
                given,
                SpecifiedManager.strategy(strategy, spec, given, WaitMemory.NONE),
                setup,
                DecisionSink.NOTHING,
                told);
    }

    /** Each task takes the run time of its successful attempt. */
    private static TaskTimes times(RunRecord record) {
        long[] took = new long[record.workflow().size()];
        for (Attempt each : record.attempts()) {
            if (each.done()) {
                took[each.task()] = each.ended() - each.started();
            }
        }
        return (workflow, task, attempt) -> took[task];
    }

    /** The simulated result of the run's own strategy; null if the run cannot be simulated. */
    public @Nullable Try own() {
        return tries.isEmpty() ? null : tries.get(0);
    }

    /** The result with the shortest makespan, then the fewest node-hours; null if there is none. */
    public @Nullable Try best() {
        Try best = null;
        for (Try each : tries) {
            boolean better = best == null
                    || each.makespan < best.makespan
                    || (each.makespan == best.makespan && each.held < best.held);
            best = each.completed && better ? each : best;
        }
        return best;
    }
}
