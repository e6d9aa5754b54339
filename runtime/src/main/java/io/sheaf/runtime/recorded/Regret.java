package io.sheaf.runtime.recorded;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Rules;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.Attempt;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.past.PastQueue;
import io.sheaf.runtime.past.QueueSnapshots;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 */
public record Regret(String ran, List<Try> tries, List<String> unknown) {
    /** Background jobs arrive for this multiple of the run's makespan, since another strategy may take longer. */
    private static final int SPAN = 20;

    private static final long LEAST_SPAN = 3_600_000;

    public Regret {
        tries = List.copyOf(tries);
        unknown = List.copyOf(unknown);
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
                    ran, List.of(), List.of(why.isEmpty() ? "the run has kept no snapshot of the queue" : why));
        }
        Set<String> names = new LinkedHashSet<>();
        names.add(ran);
        names.addAll(strategies);
        List<Try> tries = new ArrayList<>();
        for (String name : names) {
            tries.add(played(run, record, past.queue(), name));
        }
        return new Regret(ran, tries, past.unknown());
    }

    /** Why a run cannot be simulated; empty if it can. */
    private static String impossible(RecordedRun run, RunRecord record) throws IOException {
        if (run.status(run.now()).state() != RunState.DONE || !record.completed()) {
            return "only runs whose tasks are all done can be played again";
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

    private static Try played(RecordedRun run, RunRecord record, SimulatedQueue past, String strategy) {
        RunSpec spec = run.spec();
        Workflow given = run.given();
        Retiming told = run.history().planned();
        SimulatedQueue queue = past.fork();
        long start = Math.max(queue.now(), record.start());
        queue.advanceTo(start);
        SimulatedRun played = simulated(spec, given, told, queue, start, times(record), strategy);
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
