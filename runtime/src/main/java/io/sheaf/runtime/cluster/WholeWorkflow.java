package io.sheaf.runtime.cluster;

import io.sheaf.manager.DecisionSink;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A cluster's choice of a strategy for a workflow that is submitted as a whole, not as jobs.
 *
 * <h2>Method</h2>
 * Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009, VI),
 * call for "support for workflow DAGs directly in the batch queue software". Such a batch system has the queue and
 * need not estimate. It simulates the workflow under each strategy in a copy of its queue. It chooses the shortest
 * makespan and, among equal ones, the fewest node-hours. Tasks use their expected run times.
 *
 * <h2>Background jobs</h2>
 * In the copy, present jobs use their requested walltimes, and the arrivals of the last week repeat. Without
 * arrivals, strategies that submit late would look better than they are.
 *
 * <h2>Limits</h2>
 * The choice is made once, at submission. From then on the strategy decides at each event.
 *
 * @param at when the workflow was submitted, in milliseconds
 * @param tries one for each strategy, the best first
 */
public record WholeWorkflow(long at, List<StrategySimulation> tries) {
    private static final int WORDS = 7;

    /**
     * The simulated run of a strategy.
     *
     * @param makespan in milliseconds; −1 if it would not complete
     * @param held allocated node-milliseconds of all jobs
     * @param nodes requested by its first job
     * @param walltime requested by its first job
     * @param queueWait of its first job
     */
    public record StrategySimulation(
            String strategy, long makespan, int jobs, long held, int nodes, long walltime, long queueWait) {
        boolean completes() {
            return makespan >= 0;
        }
    }

    public WholeWorkflow {
        tries = List.copyOf(tries);
    }

    /** Simulates a workflow under every strategy from a queue's present instant. The queue is not changed. */
    static WholeWorkflow tried(SimulatedQueue queue, Workflow workflow, Profile profile, Resources node, int cap) {
        SimulationSetup setup = SimulationSetup.of(profile, node, cap).recording(true);
        RunTimes times = new RunTimes(workflow, profile.planOrder(), node);
        List<StrategySimulation> tries = new ArrayList<>();
        for (String name : Strategies.SINGLE) {
            SimulatedRun run = WorkflowSimulation.run(
                    queue.fork(), workflow, Strategies.named(name, times, profile), setup, DecisionSink.NOTHING);
            tries.add(of(name, run));
        }
        // A stable sort: among equals, the strategy listed first.
        tries.sort(Comparator.<StrategySimulation>comparingInt(each -> each.completes() ? 0 : 1)
                .thenComparingLong(StrategySimulation::makespan)
                .thenComparingLong(StrategySimulation::held));
        return new WholeWorkflow(queue.now(), tries);
    }

    private static StrategySimulation of(String strategy, SimulatedRun run) {
        JobRecord first = run.pilotJobs().get(0);
        return new StrategySimulation(
                strategy,
                run.completed() ? run.makespanMillis() : -1,
                run.jobsSubmitted(),
                run.allocatedNodeMillis(),
                first.nodes(),
                first.walltime(),
                first.hasStarted() ? first.started() - first.submitted() : 0);
    }

    public String chosen() {
        if (tries.isEmpty() || !tries.get(0).completes()) {
            throw new InputException("no strategy completes this workflow on this cluster");
        }
        return tries.get(0).strategy;
    }

    /** The choice at the beginning of the run, for reports: each strategy is an option. */
    public DecisionRecord decided(long begun) {
        List<DecisionRecord.Option> options = tries.stream()
                .map(each -> new DecisionRecord.Option(
                        each.strategy + (each.jobs == 1 ? ", 1 job" : ", " + each.jobs + " jobs, first"),
                        each.nodes,
                        each.walltime,
                        each.queueWait,
                        each.makespan))
                .toList();
        return new DecisionRecord(
                begun, options, "the cluster runs the whole workflow with " + chosen() + ": ends earliest", List.of());
    }

    /** The serialized form. */
    public String text() {
        StringBuilder text = new StringBuilder().append(at).append('\n');
        for (StrategySimulation each : tries) {
            text.append(each.strategy + " " + each.makespan + " " + each.jobs + " " + each.held + " " + each.nodes + " "
                    + each.walltime + " " + each.queueWait + "\n");
        }
        return text.toString();
    }

    /** Parses the result of {@link #text}. */
    public static WholeWorkflow read(String text) {
        List<String> lines = text.lines().toList();
        List<StrategySimulation> tries = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", -1);
            if (words.length != WORDS) {
                throw new InputException("a try of a strategy in other words than expected: " + line);
            }
            tries.add(new StrategySimulation(
                    words[0],
                    Long.parseLong(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6])));
        }
        return new WholeWorkflow(Long.parseLong(lines.get(0)), tries);
    }
}
