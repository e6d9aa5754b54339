package io.sheaf.sim;

import io.sheaf.batch.Submission;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Molding;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.report.ChosenCores;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.UnknownTimes;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A forecast of a strategy's submissions now: its jobs with their estimated starts, and the expected makespan.
 *
 * <p>Starts are the batch system's estimates for each job, behind the ones submitted before it. The makespan is simulated forward: no other job
 * arrives, every job uses its full walltime, and tasks take their expected times. A strategy may have an estimate of its own.
 *
 * @param jobs in order of submission
 * @param makespanMillis from now to the end of the last task, as simulated; −1 if it did not complete
 * @param cores those of moldable tasks, as simulated
 * @param estimateMillis the strategy's own estimate for its choice; −1 if there is none
 */
public record PlanForecast(List<ForecastJob> jobs, long makespanMillis, List<ChosenCores> cores, long estimateMillis) {
    /**
     * A job that would be submitted.
     *
     * @param tasks the number of tasks that it may run
     * @param expectedWait until it would start, in milliseconds; {@link Long#MAX_VALUE} if it never would
     */
    public record ForecastJob(Request request, Claim claim, int tasks, long expectedWait) {}

    /** Decisions within this time of the first one belong to it. */
    private static final long SOON = 1_000;

    /** The maximum number of such decisions. */
    private static final int MAX_PAUSES = 1_000;

    public PlanForecast {
        jobs = List.copyOf(jobs);
        cores = List.copyOf(cores);
    }

    /**
     * Returns the forecast of a strategy by its name, as {@link #of(SimulatedQueue, long, Workflow, Strategy, SimulationSetup)}. Where run times are unknown, it
     * has the jobs that a run would submit, and no makespan.
     *
     * @param times those of the workflow on the nodes of the setup
     */
    public static PlanForecast of(SimulatedQueue queue, long at, RunTimes times, String name, SimulationSetup setup) {
        Workflow workflow = times.workflow();
        PlanForecast forecast = of(queue, at, workflow, UnknownTimes.named(name, times, setup.profile()), setup);
        return workflow.tasksWithoutTime() == 0 ? forecast : new PlanForecast(forecast.jobs, -1, List.of(), -1);
    }

    /** Returns the forecast at an instant that the queue has not reached yet, without events before it. Moves the queue there. */
    public static PlanForecast of(
            SimulatedQueue queue, long at, Workflow workflow, Strategy strategy, SimulationSetup setup) {
        queue.open(at, BackgroundReports.IGNORED);
        SimulationSetup expected = SimulationSetup.of(setup.profile(), setup.node(), setup.cap())
                .rules(rules -> rules.limits(setup.rules().limits()))
                .with(setup.dependencies())
                .nodes(setup.maxNodes())
                .recording(Molding.of(workflow) != null);
        SimulatedRun run =
                WorkflowSimulation.run(queue.withoutFuture(), at, workflow, strategy, expected, DecisionSink.NOTHING);
        Estimates estimates = new Estimates();
        PlannedSubmissions submissions = new PlannedSubmissions(queue.fork(), at);
        Manager manager = new Manager(
                workflow,
                setup.profile().runOrder()::ranks,
                strategy,
                new EngineEstimator(queue.engine()),
                estimates,
                setup.nodesOf(queue),
                setup.cap(),
                expected.rulesOf(queue));
        manager.simulateBy(new SimulatedLookahead(queue::known, at, workflow, setup, manager));
        manager.settle(at, submissions);
        // The portfolio submits nothing until it has simulated its strategies, which takes several decisions.
        for (int i = 0; i < MAX_PAUSES && manager.pilotJobs() == 0 && submissions.wakeAt - at < SOON; i++) {
            long now = submissions.wakeAt;
            submissions.wakeAt = Decision.NEVER;
            manager.on(new Event.Woken(now), submissions);
            manager.settle(now, submissions);
        }
        List<ForecastJob> jobs = new ArrayList<>();
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            int tasks = (int) IntStream.range(0, workflow.size())
                    .filter(task -> p.claim().has(task, workflow.level(task)))
                    .count();
            jobs.add(new ForecastJob(p.request(), p.claim(), tasks, submissions.waits.get(i)));
        }
        long estimate = jobs.isEmpty() ? -1 : estimates.of(jobs.get(0).request);
        List<ChosenCores> cores = ChosenCores.of(workflow, run.attempts());
        return new PlanForecast(jobs, run.completed() ? run.makespanMillis() : -1, cores, estimate);
    }

    /** Records a strategy's estimates of its options. */
    private static final class Estimates implements DecisionSink {
        private record Option(int nodes, long walltime, long makespan) {}

        private final List<Option> options = new ArrayList<>();

        @Override
        public void option(String label, int nodes, long walltime, long wait, long makespan) {
            options.add(new Option(nodes, walltime, makespan));
        }

        /** The estimated makespan of the option with this request; −1 if there is none. */
        long of(Request request) {
            long min = -1;
            for (Option option : options) {
                boolean isIt = option.nodes == request.units() && option.walltime == request.walltime();
                if (isIt && option.makespan >= 0 && (min < 0 || option.makespan < min)) {
                    min = option.makespan;
                }
            }
            return min;
        }
    }

    /** Adds submitted jobs to a queue and estimates their starts. */
    private static final class PlannedSubmissions extends NoEffects {
        private final SimulatedQueue queue;
        private final long at;
        private final Submission submission = new Submission();
        final List<Long> waits = new ArrayList<>();
        long wakeAt = Decision.NEVER;

        PlannedSubmissions(SimulatedQueue queue, long at) {
            this.queue = queue;
            this.at = at;
        }

        @Override
        public void submit(long token, Request request) {
            SimulatedQueue.fill(submission, request);
            long start = queue.engine().estimate(at, submission);
            waits.add(start == Long.MAX_VALUE ? start : start - at);
            queue.submit(submission);
        }

        @Override
        public void wake(long instant) {
            wakeAt = instant;
        }
    }
}
