package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the simulation of a forked run predicts the run, if nothing unknown happens. */
class RunForkTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final int NODES = 16;

    /** The end of a simulation, with unlimited effort. */
    private record End(Lookahead.SteppedSimulation simulation) implements Lookahead.Question<Long> {
        @Override
        public Long proceed(long effort) {
            while (simulation.step() > 0) {
                // Until it ends.
            }
            return conclude();
        }

        @Override
        public Long conclude() {
            return simulation.end();
        }
    }

    /** Predicts the end of the run at every decision. */
    private record Predicting(Strategy strategy, List<Long> ends) implements Strategy {
        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            Lookahead lookahead = Objects.requireNonNull(view.lookahead());
            Long end = lookahead.find(fork -> new End(fork.simulate(strategy, memo, ends.size() % 3, Decision.NEVER)));
            ends.add(Objects.requireNonNull(end));
            return strategy.decide(view, memo, estimator, sink);
        }
    }

    /**
     * Jobs that use exactly the requested time; none arrives after half a day, and there is no full day from which
     * arrivals could be drawn.
     */
    private static JobLog predictableLog(RandomStream random) {
        JobLog.Builder log = JobLog.builder();
        for (int job = 0; job < 20; job++) {
            log.add(job, job * MINUTE, MINUTE, MINUTE, 1, 0);
        }
        for (int job = 20; job < 40; job++) {
            long time = random.between(1, 180) * MINUTE;
            log.add(job, 11 * HOUR + job * MINUTE, time, time, random.between(1, NODES), random.nextInt(5));
        }
        return log.build();
    }

    private static SimulatedRun run(JobLog log, Policy policy, Workflow workflow, Strategy strategy) {
        SimulatedQueue queue = new SimulatedQueue(log, policy, NODES);
        queue.advanceTo(12 * HOUR);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 8);
        return WorkflowSimulation.run(queue, workflow, strategy, setup, DecisionSink.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "hybrid", "glume", "asa", "asa-naive"
            })
    void withoutUnknownsARunEndsWhenPredicted(String name) {
        for (int seed = 0; seed < 3; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            JobLog log = predictableLog(random);
            Policy policy = seed % 2 == 0 ? Policy.easy() : Policy.conservative();
            Strategy strategy = Strategies.named(name, new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
            SimulatedRun plain = run(log, policy, workflow, strategy);
            Predicting predicting = new Predicting(strategy, new ArrayList<>());
            SimulatedRun run = run(log, policy, workflow, predicting);

            assertThat(run)
                    .as("predictions do not change the run, seed %d", seed)
                    .isEqualTo(plain);
            assertThat(run.completed()).isTrue();
            assertThat(predicting.ends).as("seed %d", seed).isNotEmpty().containsOnly(run.end());
        }
    }

    /** The part of the log after an instant does not affect estimates at that instant. */
    @Test
    void predictionsDoNotUseTheFuture() {
        for (int seed = 0; seed < 5; seed++) {
            RandomStream random = new RandomStream(seed);
            Workflow workflow = RandomRuns.workflow(random, 1);
            JobLog log = RandomRuns.background(random, NODES);
            long now = log.submit(120) + 1;
            long[] ends = new long[2];
            for (int i = 0; i < 2; i++) {
                SimulatedQueue queue = new SimulatedQueue(i == 0 ? log : otherFuture(log, now), Policy.easy(), NODES);
                queue.advanceTo(now);
                ends[i] = firstPrediction(queue, workflow);
            }
            assertThat(ends[0]).as("seed %d", seed).isEqualTo(ends[1]);
        }
    }

    private static long firstPrediction(SimulatedQueue queue, Workflow workflow) {
        Strategy glume = Strategies.named("glume", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
        Predicting predicting = new Predicting(glume, new ArrayList<>());
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 8);
        WorkflowSimulation.run(queue, workflow, predicting, setup, DecisionSink.NOTHING);
        return predicting.ends.get(0);
    }

    /** The same log up to an instant. Later jobs differ, and jobs that have not ended by then have other run times. */
    private static JobLog otherFuture(JobLog log, long now) {
        JobLog.Builder other = JobLog.builder();
        int known = 0;
        for (int job = 0; job < log.size() && log.submit(job) <= now; job++) {
            known++;
            boolean mayRun = log.submit(job) + log.run(job) > now;
            long run = mayRun ? log.requested(job) : log.run(job);
            other.add(job, log.submit(job), run, log.requested(job), log.nodes(job), log.user(job));
        }
        for (int job = known; job < log.size(); job++) {
            other.add(job, log.submit(job), 1, log.requested(job), 1, 0);
        }
        return other.build();
    }
}
