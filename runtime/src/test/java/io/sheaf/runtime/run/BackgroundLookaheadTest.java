package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.Await;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rollouts of a real run are computed in the background. */
class BackgroundLookaheadTest {
    private static final long NOW = 1_000_000;
    private static final long MINUTE = 60_000;

    private final BatchEngine engine = new BatchEngine(Policy.conservative(), 4);
    private final Workflow workflow = chain();
    private final Strategy onejob =
            Strategies.named("onejob", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
    private final Manager manager = new Manager(
            workflow,
            Profile.OWN.runOrder()::ranks,
            onejob,
            new EngineEstimator(engine),
            DecisionSink.NOTHING,
            4,
            16,
            Rules.DEFAULT);

    /** Two tasks of ten minutes, one after the other. */
    private static Workflow chain() {
        WorkflowBuilder builder = new WorkflowBuilder("chain");
        int first = builder.task("a");
        int second = builder.task("b");
        builder.time(first, 600_000_000L);
        builder.time(second, 600_000_000L);
        builder.edge(first, second);
        return builder.build();
    }

    private BackgroundLookahead lookahead(boolean known) {
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16);
        JobLog noJobs = JobLog.builder().build();
        return new BackgroundLookahead(
                () -> known ? new KnownQueue(engine, NOW, Map.of(), noJobs, 0, handle -> -1) : null,
                workflow,
                NOW,
                setup,
                manager);
    }

    private static <T> T await(BackgroundLookahead lookahead, Function<Lookahead.Fork, Lookahead.Question<T>> question)
            throws InterruptedException {
        return Await.found(() -> "an answer", () -> lookahead.find(question));
    }

    /** The end of the run, or of the part that the given effort allows to simulate. */
    private Lookahead.Question<Long> end(Lookahead.Fork fork) {
        Lookahead.SteppedSimulation simulation = fork.simulate(onejob, Memo.NONE, 0, Decision.NEVER);
        return new Lookahead.Question<>() {
            @Override
            public @Nullable Long proceed(long effort) {
                long left = effort;
                for (long spent = simulation.step(); spent > 0; spent = simulation.step()) {
                    left -= spent;
                    if (left <= 0) {
                        return null;
                    }
                }
                return conclude();
            }

            @Override
            public Long conclude() {
                return simulation.end();
            }
        };
    }

    /** No call blocks while the answer is computed, and later changes of the queue do not affect the answer. */
    @Test
    void noCallBlocksAndAnswersAreForTheTimeOfTheQuestion() throws InterruptedException {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (BackgroundLookahead lookahead = lookahead(true)) {
            Function<Lookahead.Fork, Lookahead.Question<Long>> slow = fork -> {
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return end(fork);
            };
            assertThat(lookahead.find(slow)).isNull();
            assertThat(lookahead.find(slow)).as("still computing").isNull();
            engine.submit(NOW, Submission.of(4, 600 * MINUTE));
            engine.pass(NOW, new int[1]);
            mayAnswer.countDown();
            assertThat(await(lookahead, slow)).isEqualTo(NOW + 20 * MINUTE);
        }
    }

    @Test
    void anUnknownQueueHasNoEstimatedEnd() throws InterruptedException {
        try (BackgroundLookahead lookahead = lookahead(false)) {
            assertThat(await(lookahead, this::end)).isEqualTo(Decision.NEVER);
        }
    }

    @Test
    void aFailedQuestionIsAnsweredAsForAnUnknownQueue() throws InterruptedException {
        try (BackgroundLookahead lookahead = lookahead(true)) {
            int[] queries = new int[1];
            Function<Lookahead.Fork, Lookahead.Question<Long>> failing = fork -> {
                if (queries[0]++ == 0) {
                    throw new IllegalStateException("no");
                }
                return end(fork);
            };
            assertThat(await(lookahead, failing)).isEqualTo(Decision.NEVER);
        }
    }
}
