package io.sheaf.strategy;

import static io.sheaf.strategy.OnPaper.HOUR;
import static io.sheaf.strategy.OnPaper.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import org.junit.jupiter.api.Test;

/** The order of moves, for the runs of {@link OnPaper}: three tasks of an hour, a node-minute costs 0.1 minutes. */
class AutoPlannerTest {
    private static AutoPlanner.Planned plan(OnPaper run, boolean submit, int mostQueued) {
        Auto.Options usual = Auto.Options.DEFAULT;
        Auto.Options options = new Auto.Options(usual.lambda(), mostQueued, usual.waste(), usual.most(), false, false);
        return new AutoPlanner(run.times, Profile.OWN, options, run.view, 0, run, DecisionSink.NOTHING)
                .plan(new AutoPlanner.Allowed(submit ? 20 : 0, true, run.view.now()));
    }

    private static Request request(AutoPlanner.Planned planned) {
        assertThat(planned.orders()).hasSize(1);
        return ((Order.Submit) planned.orders().get(0)).request();
    }

    /** Without a job the fallback of three nodes would start after an hour: 120 + 0.1 · 180 = 138. Three nodes now: 60 + 18 = 78. */
    @Test
    void theFirstJobMinimizesTheCost() {
        AutoPlanner.Planned planned = plan(OnPaper.hours(3), true, 4);
        assertThat(request(planned)).isEqualTo(Request.of(3, 66 * MINUTE));
        assertThat(planned.submissions()).isEqualTo(1);
        assertThat(planned.replaces()).isFalse();
        assertThat(planned.cancelsQueued()).isFalse();
    }

    @Test
    void noJobIsPlannedIfNoneMayBeSubmitted() {
        assertThat(plan(OnPaper.hours(3), false, 4).orders()).isEmpty();
    }

    /**
     * A queued job of three nodes for an hour would start in three hours: 180 + 60 + 18. Three more nodes that start at
     * once end after an hour. They are not submitted if only one job may be queued.
     */
    @Test
    void noMoreJobsAreQueuedThanAllowed() {
        OnPaper run = OnPaper.hours(3).withJob().queuedStarting(3 * HOUR);
        assertThat(request(plan(run, true, 2))).isEqualTo(Request.of(3, 66 * MINUTE));
        assertThat(plan(run, true, 1).orders()).isEmpty();
    }

    /**
     * The batch system has accepted a job of three nodes for an hour. Two tasks are dropped. One node for an hour is
     * enough and starts no later, so that it replaces the wide job.
     */
    @Test
    void aWideJobIsReplacedIfNoOtherMoveSubmits() {
        OnPaper run = OnPaper.hours(3).withJob().queuedStarting(HOUR).starting(HOUR);
        run.view.on(new Event.Accepted(0, 1), new NoEffects());
        assertThat(request(plan(run, true, 4))).as("a hedge").isEqualTo(Request.of(1, 66 * MINUTE));
        run.view.on(new Event.Dropped(0, 1, 2), new NoEffects());
        AutoPlanner.Planned planned = plan(run, true, 4);
        assertThat(request(planned)).isEqualTo(Request.of(1, 60 * MINUTE));
        assertThat(planned.replaces()).isTrue();
    }

    /**
     * Three nodes are queued and would start in three hours; three more would start in two, and end the run an hour
     * earlier. If only one more job is allowed, its place is reserved for two nodes that start at once.
     */
    @Test
    void theLastPlaceIsReservedForAnImmediateStart() {
        OnPaper many = OnPaper.threeHours(3).withJob().queuedStarting(3 * HOUR).starting(2 * HOUR);
        assertThat(request(plan(many, true, 4))).isEqualTo(Request.of(3, 66 * MINUTE));
        OnPaper two = OnPaper.threeHours(2).withJob().queuedStarting(3 * HOUR).starting(2 * HOUR);
        assertThat(plan(two, true, 4).orders()).isEmpty();
        two.narrowStartingAtOnce(2);
        assertThat(request(plan(two, true, 4))).isEqualTo(Request.of(2, 132 * MINUTE));
    }
}
