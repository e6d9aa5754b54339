package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Request;
import org.junit.jupiter.api.Test;

/** Start delays of jobs, in whole seconds. */
class BatchClusterTest {
    /** A batch system adds the delay to the beginning of the current second; the sum is never too early. */
    @Test
    void noJobMayStartEarlierThanWasRequested() {
        for (long now = 61_000; now < 62_000; now += 7) {
            for (long notBefore = 71_000; notBefore <= 72_000; notBefore += 11) {
                long begin = now / 1_000 * 1_000 + 1_000 * BatchCluster.delaySeconds(notBefore, now);
                assertThat(begin).isBetween(notBefore, notBefore + 999);
            }
        }
    }

    @Test
    void aJobThatMayStartNowIsNotDelayed() {
        assertThat(BatchCluster.delaySeconds(Request.AT_ONCE, 61_500)).isZero();
        assertThat(BatchCluster.delaySeconds(61_000, 61_500)).isZero();
        assertThat(BatchCluster.delaySeconds(10_000, 61_500)).isZero();
    }
}
