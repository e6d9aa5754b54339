package io.sheaf.sim;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Forks a run at any instant; the drawn futures of all forks are the same. For one thread at a time. */
public final class RunForks {
    private static final long DAY = 86_400_000;
    private static final int TIMES = 3;

    private final SimulationSetup setup;
    private final SampledBackground background;

    /**
     * For a run that begins at an instant; futures are keyed by the instant and the workflow. Arrivals are drawn for three days and three times the critical path.
     */
    public RunForks(long start, Workflow workflow, SimulationSetup setup) {
        this.setup = setup;
        RandomStream random = new RandomStream(start).split(workflow.name()).split("futures");
        background = new SampledBackground(random, TIMES * (DAY + workflow.criticalPathMicros() / 1000));
    }

    /** A fork that stays as it is while the run and the queue go on. */
    public Lookahead.Fork fork(KnownQueue queue, Manager manager) {
        return new RunFork(queue.fork(), manager.fork(), setup, background);
    }

    /** A copy of a run and its queue, from which simulations begin, with drawn background jobs and tasks that take as long as expected. For one thread at a time. */
    private static final class RunFork implements Lookahead.Fork {
        private final KnownQueue queue;
        private final Manager manager;
        private final SimulationSetup setup;
        private final SampledBackground background;
        private final Map<Integer, SimulatedQueue> drawn = new HashMap<>();

        /** The queue and the manager are forks that nothing else changes. */
        RunFork(KnownQueue queue, Manager manager, SimulationSetup setup, SampledBackground background) {
            this.queue = queue;
            this.manager = manager;
            this.background = background;
            this.setup = SimulationSetup.of(
                            setup.profile(), Resources.node(setup.node().cores()), setup.cap())
                    .with(setup.dependencies());
        }

        @Override
        public Lookahead.SteppedSimulation simulate(Strategy strategy, Memo memo, int future, long until) {
            SimulatedQueue forked = drawn.computeIfAbsent(future, this::drawn).fork();
            CountingEstimator estimator = new CountingEstimator(new EngineEstimator(forked.engine(), forked::handle));
            return new ForkedRun(forked, manager.fork(strategy, memo, estimator), setup, until, estimator);
        }

        /** The queue in a future, with all pilot jobs in it: the known queue may be older than their submission. */
        private SimulatedQueue drawn(int future) {
            SimulatedQueue simulated = background.queue(queue, future);
            for (int i = 0; i < manager.pilotJobs(); i++) {
                PilotJob p = manager.pilotJob(i);
                if (simulated.handle(p.token()) < 0 && !p.isEnding()) {
                    simulated.enter(p.token(), p.request(), p.isRunning() ? p.startedAt() : SimulatedQueue.QUEUED);
                }
            }
            return simulated;
        }

        /**
         * The simulation of a forked run, one instant per step.
         *
         * <p>An instant counts as one unit of effort. A queried job counts as the number of tasks and queued jobs, divided by a constant, which approximates
         * the cost of an estimate and its schedule.
         */
        private static final class ForkedRun implements Lookahead.SteppedSimulation {
            private static final long SIZE_OF_ONE = 25;

            private final Manager manager;
            private final SimulatedQueue queue;
            private final WorkflowSimulation simulation;
            private final long until;
            private final CountingEstimator estimator;
            private boolean begun;
            private boolean ended;
            private long end = Decision.NEVER;

            /**
             * Begins.
             *
             * @param queue with the run's jobs in it; the simulation owns it
             * @param manager a fork, which the simulation owns
             * @param until the simulation ends after this instant
             * @param estimator the manager's
             */
            ForkedRun(
                    SimulatedQueue queue,
                    Manager manager,
                    SimulationSetup setup,
                    long until,
                    CountingEstimator estimator) {
                this.queue = queue;
                this.manager = manager;
                this.until = until;
                this.estimator = estimator;
                simulation = WorkflowSimulation.forked(queue, manager, setup);
            }

            @Override
            public long step() {
                if (ended) {
                    return 0;
                }
                // If the strategy throws an exception the simulation has ended, too.
                ended = true;
                if (!begun) {
                    begun = true;
                    simulation.resume(manager);
                } else if (manager.isFinished()) {
                    end = simulation.end(manager);
                    return 0;
                } else if (simulation.next() > until || simulation.isStuck()) {
                    return 0;
                } else {
                    simulation.instant(simulation.next());
                }
                ended = false;
                int size = manager.workflow().size() + queue.engine().queued();
                return 1 + estimator.takeQuestions() * size / SIZE_OF_ONE;
            }

            @Override
            public long end() {
                return end;
            }

            @Override
            public @Nullable Request firstRequest() {
                return simulation.firstRequest();
            }
        }
    }

    /** Counts the queries to another estimator, as a measure of effort. */
    private static final class CountingEstimator implements StartEstimator {
        private final StartEstimator estimator;
        private long questions;

        CountingEstimator(StartEstimator estimator) {
            this.estimator = estimator;
        }

        /** Returns the number of queried jobs since the last call. */
        long takeQuestions() {
            long taken = questions;
            questions = 0;
            return taken;
        }

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            questions += Math.max(1, query.jobs());
            estimator.estimate(query, answer);
        }

        @Override
        public Basis basis() {
            return estimator.basis();
        }
    }
}
