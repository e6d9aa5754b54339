package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
                return simulation.first;
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

    /**
     * Sampled futures of background jobs: run times of present jobs, by the {@linkplain RequestCorrection correction} of their requests, and arrivals
     * from {@linkplain PastArrivals past arrivals}.
     *
     * <p>A future is sampled once and kept. At later instants it has the same arrivals, and each job keeps its quantile as far as observations allow. So
     * an earlier decision does not change by chance.
     */
    private static final class SampledBackground {

        /** The maximum number of recent jobs to learn from. */
        private static final int LESSONS = 5_000;

        private final RandomStream random;
        private final long horizon;
        private final RequestCorrection correction = new RequestCorrection();
        private final BitSet learnt = new BitSet();
        private final Map<Integer, JobLog> arrivals = new HashMap<>();
        private final Map<Integer, Long> drawnAt = new HashMap<>();

        /** Futures that depend on the stream only; arrivals are sampled up to the horizon. */
        SampledBackground(RandomStream random, long horizon) {
            this.random = random;
            this.horizon = Math.max(DAY, horizon);
        }

        /** A queue in one of its futures, from now on. */
        SimulatedQueue queue(KnownQueue queue, int future) {
            learn(queue);
            RandomStream stream = random.split(future);
            BatchEngine engine = queue.engine();
            long[] runs = new long[engine.handles()];
            for (int handle : engine.present()) {
                long elapsed = engine.isRunning(handle) ? queue.now() - engine.start(handle) : 0;
                runs[handle] = run(queue, handle, elapsed, stream);
            }
            return QueueCopy.of(engine, queue.now(), coming(queue, future, stream), h -> runs[h], queue.own());
        }

        /** Records the completed jobs. */
        private void learn(KnownQueue queue) {
            BitSet present = new BitSet();
            for (int handle : queue.engine().present()) {
                present.set(1 + Math.max(-1, queue.jobOf().applyAsInt(handle)));
            }
            JobLog past = queue.past();
            for (int job = learnt.nextClearBit(Math.max(0, queue.known() - LESSONS));
                    job < queue.known();
                    job = learnt.nextClearBit(job + 1)) {
                if (!present.get(1 + job)) {
                    learnt.set(job);
                    correction.learn(past.user(job), past.nodes(job), past.requested(job), past.run(job));
                }
            }
        }

        private long run(KnownQueue queue, int handle, long elapsed, RandomStream stream) {
            int job = queue.jobOf().applyAsInt(handle);
            int user = job < 0 ? 0 : queue.past().user(job);
            long requested = queue.engine().walltime(handle);
            double[] parts = correction.parts(user, queue.engine().units(handle), requested, elapsed);
            RandomStream own = job < 0
                    ? stream.split("handles").split(handle)
                    : stream.split("jobs").split(job);
            return new DrawnRuns(stream.split("users"), own).runIfConstant(user, parts, requested, elapsed);
        }

        /** The arrivals of a future from now on. */
        private JobLog coming(KnownQueue queue, int future, RandomStream stream) {
            long now = queue.now();
            Long since = drawnAt.get(future);
            if (since == null || now - since > horizon / 2) {
                drawnAt.put(future, now);
                arrivals.put(future, drawn(queue, stream.split("arrivals").split(now)));
            }
            JobLog drawn = Objects.requireNonNull(arrivals.get(future));
            JobLog.Builder later = JobLog.builder();
            for (int job = 0; job < drawn.size(); job++) {
                if (drawn.submit(job) > now) {
                    later.addLike(drawn, job, drawn.submit(job), drawn.run(job));
                }
            }
            return later.build();
        }

        private JobLog drawn(KnownQueue queue, RandomStream stream) {
            JobLog past = queue.past();
            JobLog.Builder coming = JobLog.builder();
            new PastArrivals(past, queue.known(), queue.now(), DAY).draw(horizon, stream.split("days"), (job, at) -> {
                long requested = past.requested(job);
                double[] parts = correction.parts(past.user(job), past.nodes(job), requested, 0);
                DrawnRuns runs = new DrawnRuns(
                        stream.split("users"), stream.split("jobs").split(coming.size()));
                coming.addLike(past, job, at, runs.runIfConstant(past.user(job), parts, requested, 0));
            });
            return coming.build();
        }
    }
}
