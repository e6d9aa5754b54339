package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.random.RandomStream;
import org.junit.jupiter.api.Test;

class ObservedWaitsTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    /**
     * One node. Each hour a job of 20 min arrives, and a second later one that waits for it, 1,199 s. Later jobs, which
     * do not wait, are not known yet.
     */
    @Test
    void aLearnerStartsWithWaitsOfBackgroundJobs() {
        JobLog.Builder log = JobLog.builder();
        for (int hour = 0; hour < 40; hour++) {
            log.add(2 * hour, hour * HOUR, 20 * MINUTE, 20 * MINUTE, 1, 1);
            log.add(2 * hour + 1, hour * HOUR + 1_000, 10 * MINUTE, 10 * MINUTE, 1, 2);
        }
        for (int hour = 40; hour < 80; hour++) {
            log.add(2 * hour, hour * HOUR, 10 * MINUTE, 10 * MINUTE, 1, 2);
        }
        LearnedWaits learner = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        ObservedWaits.report(learner, log.build(), Policy.easy(), 1, 40 * HOUR - 1);
        RandomStream random = new RandomStream(1);
        int near = 0;
        for (int i = 0; i < 200; i++) {
            long expected = learner.expect(1, 10 * MINUTE, WaitMemory.UNKNOWN, random);
            near += expected >= 900_000 && expected <= 2_000_000 ? 1 : 0;
        }
        assertThat(near).as("of 200 drawn").isGreaterThan(100);
    }
}
