package io.sheaf.runtime.cluster;

import io.sheaf.manager.Considered;
import io.sheaf.report.Decided;
import io.sheaf.report.Job;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a cluster makes of a workflow that is handed to it as a whole, and not as jobs.
 *
 * <h2>Idea</h2>
 * Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications" (CLUSTER 2009, VI), wish for "support for workflow DAGs
 * directly in the batch queue software". Such a batch system need not estimate: it has the queue. It plays the workflow with each strategy through a copy of its own
 * queue and takes the strategy whose run ends first; of equal ones the one that holds fewer node-hours. Tasks take the time that is expected of them.
 *
 * <h2>What others do in the copy</h2>
 * Those who are there take the time that they asked for, and those who came in the last week come again, hour for hour. Without arrivals a
 * strategy that submits late would look better than it is: nobody would get in before it.
 *
 * <h2>Limits</h2>
 * It is decided once, when the workflow is handed in. From then on the strategy decides, at each event anew.
 *
 * @param at when it was handed in, in milliseconds
 * @param tries one for each strategy, the best first
 */
public record WholeWorkflow(long at, List<Try> tries) {
    private static final int WORDS = 7;

    /**
     * How a strategy's run would go.
     *
     * @param makespan in milliseconds; −1 if it would not complete
     * @param held node-milliseconds, all jobs together
     * @param nodes that its first job asks for
     * @param walltime the same
     * @param queueWait of its first job
     */
    public record Try(String strategy, long makespan, int jobs, long held, int nodes, long walltime, long queueWait) {
        boolean completes() {
            return makespan >= 0;
        }
    }

    public WholeWorkflow {
        tries = List.copyOf(tries);
    }

    /** Plays a workflow with every strategy from a queue's present instant on. The queue is not changed. */
    static WholeWorkflow tried(SimulatedQueue queue, Workflow workflow, Profile profile, int coresPerNode, int cap) {
        SimulationSetup setup = new SimulationSetup(profile, coresPerNode, cap, TaskTimes.AS_EXPECTED, true);
        RunTimes times = new RunTimes(workflow, profile.planOrder(), coresPerNode);
        List<Try> tries = new ArrayList<>();
        for (String name : Strategies.SINGLE) {
            SimulatedRun run = WorkflowSimulation.run(
                    queue.fork(), workflow, Strategies.named(name, times, profile), setup, Considered.NOTHING);
            tries.add(of(name, run));
        }
        // A stable sort: of those that are equal in everything the one that is named first.
        tries.sort(Comparator.<Try>comparingInt(each -> each.completes() ? 0 : 1)
                .thenComparingLong(Try::makespan)
                .thenComparingLong(Try::held));
        return new WholeWorkflow(queue.now(), tries);
    }

    private static Try of(String strategy, SimulatedRun run) {
        Job first = run.pilotJobs().get(0);
        return new Try(
                strategy,
                run.completed() ? run.makespanMillis() : -1,
                run.jobsSubmitted(),
                run.heldNodeMillis(),
                first.nodes(),
                first.walltime(),
                first.hasStarted() ? first.started() - first.submitted() : 0);
    }

    /** The strategy that is taken. */
    public String chosen() {
        if (tries.isEmpty() || !tries.get(0).completes()) {
            throw new InputException("no strategy brings this workflow to its end on this cluster");
        }
        return tries.get(0).strategy;
    }

    /** The choice for reports, made as the run began: each strategy an option. */
    public Decided decided(long begun) {
        List<Decided.Option> options = new ArrayList<>();
        for (Try each : tries) {
            String what = each.strategy + (each.jobs == 1 ? ", 1 job" : ", " + each.jobs + " jobs, first");
            options.add(new Decided.Option(what, each.nodes, each.walltime, each.queueWait, each.makespan));
        }
        return new Decided(
                begun, options, "the cluster takes the whole workflow with " + chosen() + ": ends earliest", List.of());
    }

    /** A form that can be kept. */
    public String text() {
        StringBuilder text = new StringBuilder().append(at).append('\n');
        for (Try each : tries) {
            text.append(each.strategy + " " + each.makespan + " " + each.jobs + " " + each.held + " " + each.nodes + " "
                    + each.walltime + " " + each.queueWait + "\n");
        }
        return text.toString();
    }

    /** What {@link #text} made. */
    public static WholeWorkflow read(String text) {
        List<String> lines = text.lines().toList();
        List<Try> tries = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", -1);
            if (words.length != WORDS) {
                throw new InputException("a try of a strategy in other words than expected: " + line);
            }
            tries.add(new Try(
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
