package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Questions about the future of a simulated run are answered piece by piece. */
class QueueFuturesTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 16;

    private final Workflow workflow = RandomRuns.workflow(new RandomStream(1), 1);
    private final Strategy auto =
            Strategies.named("auto", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
    private final SimulationSetup setup = new SimulationSetup(Profile.OWN, 1, 8, TaskTimes.AS_EXPECTED, false);
    private final SimulatedQueue queue =
            new SimulatedQueue(RandomRuns.background(new RandomStream(1), NODES), Policy.easy(), NODES);

    QueueFuturesTest() {
        queue.advanceTo(6 * HOUR);
    }

    private Manager manager() {
        return WorkflowSimulation.manager(queue, workflow, auto, setup, Considered.NOTHING);
    }

    /** Plays on as far as the effort reaches, over and over again in the same future, so many times in all. */
    private final class Often implements Futures.Question<List<Long>> {
        private final Futures.Moment moment;
        private final int times;
        private final List<Long> ends = new ArrayList<>();
        private Futures.@Nullable Play play;

        Often(Futures.Moment moment, int times) {
            this.moment = moment;
            this.times = times;
        }

        @Override
        public @Nullable List<Long> goOn(long effort) {
            long left = effort;
            while (left > 0 && ends.size() < times) {
                Futures.Play playing = play == null ? moment.play(auto, Memo.NONE, 0, Decision.NEVER) : play;
                long spent = playing.goOn();
                left -= spent;
                play = spent == 0 ? null : playing;
                if (spent == 0) {
                    ends.add(playing.end());
                }
            }
            return ends.size() < times ? null : ends;
        }
    }

    /** Many plays are more than a piece. While it is being found out the run goes on, and what the queue is like by then makes no difference to what was asked. */
    @Test
    void theAnswerIsAboutTheMomentOfTheQuestion() {
        Manager manager = manager();
        QueueFutures futures = new QueueFutures(queue::known, queue.now(), workflow, setup);
        List<Long> once = new QueueFutures(queue::known, queue.now(), workflow, setup)
                .find(manager, moment -> new Often(moment, 1));
        assertThat(once).isNotNull().hasSize(1);
        int times = 2_000;
        List<Long> found = null;
        int asked = 0;
        while (found == null && asked < times) {
            found = futures.find(manager, moment -> new Often(moment, times));
            asked++;
            queue.advanceTo(queue.now() + HOUR / 4);
        }
        assertThat(asked).isBetween(3, times - 1);
        assertThat(found).hasSize(times).hasSameElementsAs(once);
    }

    /** What a play is worth of effort does not hang on the machine. */
    @Test
    void effortIsTheSameEachTime() {
        assertThat(effort()).isPositive().isEqualTo(effort());
    }

    private long effort() {
        QueueFutures futures = new QueueFutures(queue::known, queue.now(), workflow, setup);
        Long spent = futures.find(manager(), moment -> effort -> {
            Futures.Play play = moment.play(auto, Memo.NONE, 0, Decision.NEVER);
            long sum = 0;
            for (long step = play.goOn(); step > 0; step = play.goOn()) {
                sum += step;
            }
            assertThat(play.end()).isLessThan(Decision.NEVER);
            assertThat(play.goOn()).isZero();
            return sum;
        });
        return spent == null ? 0 : spent;
    }
}
