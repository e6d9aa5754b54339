package io.sheaf.strategy;

import static io.sheaf.strategy.OnPaper.HOUR;
import static io.sheaf.strategy.OnPaper.MINUTE;
import static io.sheaf.strategy.OnPaper.job;
import static io.sheaf.strategy.OnPaper.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.strategy.Plan.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Moves where walltimes are limited, worked out by hand. Three tasks of an hour and a limit of two hours: a job of one node runs two of them, until 120. A successor for the third may start then.
 */
class LimitedMovesTest {
    private final Planning planning = OnPaper.hours(3, 3, 2 * HOUR).planning();

    private ScoredPlan apply(Plan plan) {
        return MovesTest.apply(new SuccessorMove(planning), planning, plan);
    }

    private Plan.Job successor(long walltime, int predecessor, long estimate) {
        Request request = Request.of(1, walltime).after(predecessor);
        return new Plan.Job(8, State.QUEUED, request, 0, estimate, estimate, false, false);
    }

    /** All three tasks would need more than the limit. */
    @Test
    void theNextJobOfAChainMayStartWhenTheRunningOneHasEnded() {
        ScoredPlan after = apply(plan(job(7, State.BUSY, 1, 2 * HOUR, 0)));
        assertThat(MovesTest.submitted(after)).isEqualTo(Request.of(1, 2 * HOUR).after(7));
        assertThat(after.end()).isEqualTo(3 * HOUR);
    }

    /** All three tasks need 180 minutes and a tenth more. */
    @Test
    void aSuccessorRequestsTheTimeOfAllUnfinishedTasks() {
        Planning four = OnPaper.hours(3, 3, 4 * HOUR).planning();
        Plan plan = plan(job(7, State.BUSY, 1, 2 * HOUR, 0));
        assertThat(MovesTest.submitted(MovesTest.apply(new SuccessorMove(four), four, plan)))
                .isEqualTo(Request.of(1, 198 * MINUTE).after(7));
    }

    /** Two nodes run all three tasks until 120. */
    @Test
    void noSuccessorWhereTheRunningJobSuffices() {
        assertThat(apply(plan(job(7, State.BUSY, 2, 2 * HOUR, 0))).orders()).isEmpty();
    }

    @Test
    void noSuccessorBesideAQueuedJob() {
        Plan plan = plan(job(7, State.BUSY, 1, 2 * HOUR, 0), job(8, State.QUEUED, 1, 30 * MINUTE, HOUR));
        assertThat(apply(plan).orders()).isEmpty();
    }

    /**
     * Five tasks: the running job runs two until 120, its successor two until 240. The next successor runs the fifth
     * and may start then.
     */
    @Test
    void theChainIsQueuedAheadOfTime() {
        Planning five = OnPaper.hours(5, 5, 2 * HOUR).planning();
        Plan plan = plan(job(7, State.BUSY, 1, 2 * HOUR, 0), successor(2 * HOUR, 7, 2 * HOUR));
        ScoredPlan after = MovesTest.apply(new SuccessorMove(five), five, plan);
        assertThat(MovesTest.submitted(after)).isEqualTo(Request.of(1, 2 * HOUR).after(8));
        assertThat(after.end()).isEqualTo(5 * HOUR);
    }

    @Test
    void noSuccessorWithoutAWalltimeLimit() {
        Planning unlimited = OnPaper.hours(3).planning();
        Plan plan = plan(job(7, State.BUSY, 1, 2 * HOUR, 0));
        assertThat(MovesTest.apply(new SuccessorMove(unlimited), unlimited, plan)
                        .orders())
                .isEmpty();
    }

    /** The running job has a walltime of 2.5 hours, which the estimate of its successor assumes; its tasks end at 120. */
    @Test
    void aSuccessorIsPlannedForTheEndOfItsPredecessorsTasks() {
        long limit = 2 * HOUR + 30 * MINUTE;
        ScoredPlan after = planning.score(plan(job(7, State.BUSY, 1, limit, 0), successor(2 * HOUR, 7, limit)));
        assertThat(after.plan().job(1).start()).isEqualTo(2 * HOUR);
        assertThat(after.end()).isEqualTo(3 * HOUR);
    }

    /** Estimated ten minutes after the walltime of 150 minutes, it starts ten minutes after the tasks end at 120. */
    @Test
    void aSuccessorKeepsItsEstimatedWaitForNodes() {
        long limit = 2 * HOUR + 30 * MINUTE;
        Plan plan = plan(job(7, State.BUSY, 1, limit, 0), successor(2 * HOUR, 7, limit + 10 * MINUTE));
        assertThat(planning.score(plan).plan().job(1).start()).isEqualTo(130 * MINUTE);
    }

    @Test
    void aSuccessorMayStartNowIfItsPredecessorIsCancelled() {
        Plan plan = plan(job(7, State.IDLE, 1, 2 * HOUR, 0), successor(2 * HOUR, 7, 2 * HOUR));
        assertThat(planning.score(plan.cancelling(0)).plan().job(1).start()).isZero();
    }

    /**
     * A fallback job would run the third task from 12 hours on, the queued successor from 20 hours on, but the
     * successor is kept.
     */
    @Test
    void aNeededSuccessorIsNotCancelledForAJobThatIsNotSubmitted() {
        Plan.Job running = job(7, State.BUSY, 1, 2 * HOUR, 0);
        CancelMove cancel = new CancelMove(planning, 21 * HOUR);
        assertThat(MovesTest.apply(cancel, planning, plan(running, successor(2 * HOUR, 7, 20 * HOUR)))
                        .orders())
                .isEmpty();
        Plan unbound = plan(running, job(8, State.QUEUED, 1, 2 * HOUR, 20 * HOUR));
        assertThat(MovesTest.apply(cancel, planning, unbound).orders()).isEqualTo(List.of(new Order.Cancel(8)));
    }

    /** A fallback job that started at once would cost as much as the idle one. */
    @Test
    void withALimitANeededIdleJobIsCancelledOnlyForAGain() {
        Plan idle = Plan.empty(Plan.Fallback.of(1, 0)).with(job(1, State.IDLE, 1, 2 * HOUR, 0));
        Planning limited = OnPaper.hours(1, 3, 2 * HOUR).planning();
        assertThat(MovesTest.apply(new CancelMove(limited, HOUR), limited, idle).orders())
                .isEmpty();
        Planning unlimited = OnPaper.hours(1).planning();
        assertThat(MovesTest.apply(new CancelMove(unlimited, HOUR), unlimited, idle)
                        .orders())
                .isEqualTo(List.of(new Order.Cancel(1)));
    }

    /** With a limit a queued job is cancelled for a gain of a twentieth of the remaining time: 114 − 80 minutes are more than that of 60. */
    @Test
    void withALimitAQueuedJobIsCancelledForALargeGain() {
        Planning limited = OnPaper.hours(1, 3, 2 * HOUR).planning();
        Plan much = plan(job(1, State.QUEUED, 3, 2 * HOUR, 0), job(2, State.QUEUED, 1, 2 * HOUR, 2 * MINUTE));
        assertThat(MovesTest.apply(new CancelMove(limited, HOUR), limited, much).orders())
                .hasSize(1);
    }
}
