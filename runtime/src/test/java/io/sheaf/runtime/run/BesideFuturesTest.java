package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.Await;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Questions about the future of a real run are answered beside it. */
class BesideFuturesTest {
    private static final long NOW = 1_000_000;
    private static final long MINUTE = 60_000;

    private final BatchEngine engine = new BatchEngine(Policy.conservative(), 4);
    private final Workflow workflow = chain();
    private final Strategy onejob =
            Strategies.named("onejob", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
    private final Manager manager = new Manager(
            workflow, Profile.OWN.runOrder()::ranks, onejob, new EngineEstimator(engine), Considered.NOTHING, 4, 1, 16);

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

    private BesideFutures futures(boolean known) {
        SimulationSetup setup = new SimulationSetup(Profile.OWN, 1, 16, TaskTimes.AS_EXPECTED, false);
        JobLog nobody = JobLog.builder().build();
        return new BesideFutures(
                () -> known ? new KnownQueue(engine, NOW, Map.of(), nobody, 0, handle -> -1) : null,
                workflow,
                NOW,
                setup);
    }

    private static <T> T await(
            BesideFutures futures, Manager manager, Function<Futures.Moment, Futures.Question<T>> question)
            throws InterruptedException {
        return Await.found(() -> "an answer", () -> futures.find(manager, question));
    }

    private Futures.Question<Long> end(Futures.Moment moment) {
        return effort -> moment.end(onejob, Memo.NONE, 0, Decision.NEVER);
    }

    /** While it is being found out nobody waits; and what the queue is like by then makes no difference to what was asked. */
    @Test
    void nobodyWaitsForAnAnswerAndItIsAboutTheMomentOfTheQuestion() throws InterruptedException {
        CountDownLatch mayGo = new CountDownLatch(1);
        try (BesideFutures futures = futures(true)) {
            Function<Futures.Moment, Futures.Question<Long>> slowly = moment -> {
                try {
                    mayGo.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return end(moment);
            };
            assertThat(futures.find(manager, slowly)).isNull();
            assertThat(futures.find(manager, slowly)).as("still at it").isNull();
            engine.submit(NOW, Submission.of(4, 600 * MINUTE));
            engine.pass(NOW, new int[1]);
            mayGo.countDown();
            assertThat(await(futures, manager, slowly)).isEqualTo(NOW + 20 * MINUTE);
        }
    }

    @Test
    void ofAQueueThatIsNotKnownNothingIsForeseen() throws InterruptedException {
        try (BesideFutures futures = futures(false)) {
            assertThat(await(futures, manager, this::end)).isEqualTo(Decision.NEVER);
        }
    }

    @Test
    void aQuestionThatFailsIsAnsweredAsIfNothingWereKnown() throws InterruptedException {
        try (BesideFutures futures = futures(true)) {
            int[] asked = new int[1];
            Function<Futures.Moment, Futures.Question<Long>> failing = moment -> {
                if (asked[0]++ == 0) {
                    throw new IllegalStateException("no");
                }
                return end(moment);
            };
            assertThat(await(futures, manager, failing)).isEqualTo(Decision.NEVER);
        }
    }
}
