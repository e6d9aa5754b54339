package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanTest {
    private final Plan plan = OnPaper.plan(
            OnPaper.job(1, Plan.State.BUSY, 2, OnPaper.HOUR, -OnPaper.MINUTE),
            OnPaper.job(2, Plan.State.QUEUED, 4, OnPaper.HOUR, OnPaper.MINUTE));

    /** A job that started a minute ago and runs an hour ends in 59 minutes. */
    @Test
    void limitIsStartPlusWalltime() {
        assertThat(plan.job(0).limit()).isEqualTo(59 * OnPaper.MINUTE);
        assertThat(plan.job(1).startingAt(0).limit()).isEqualTo(OnPaper.HOUR);
    }

    @Test
    void changesReturnANewPlan() {
        Plan changed = plan.draining(0).cancelling(1).with(Plan.Job.toSubmit(1, OnPaper.HOUR, 0));
        assertThat(changed.size()).isEqualTo(3);
        assertThat(changed.job(0).draining()).isTrue();
        assertThat(changed.cancelsQueued()).isTrue();
        assertThat(changed.queuedTokens()).isEmpty();
        assertThat(plan.size()).isEqualTo(2);
        assertThat(plan.job(0).draining()).isFalse();
        assertThat(plan.cancelsQueued()).isFalse();
        assertThat(plan.queuedTokens()).containsExactly(2);
    }

    @Test
    void cancellingAnIdleJobCancelsNoQueuedJob() {
        Plan idle = OnPaper.plan(OnPaper.job(1, Plan.State.IDLE, 2, OnPaper.HOUR, 0));
        assertThat(idle.cancelling(0).cancelsQueued()).isFalse();
    }
}
