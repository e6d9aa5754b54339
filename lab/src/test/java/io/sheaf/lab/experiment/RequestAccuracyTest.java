package io.sheaf.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.sim.JobLog;
import org.junit.jupiter.api.Test;

class RequestAccuracyTest {
    /** 1000 jobs of 100 s that request 100 s and a padding of 5 s. */
    private static JobLog log() {
        JobLog.Builder jobs = JobLog.builder();
        for (int i = 0; i < 1000; i++) {
            jobs.add(i, i, 100_000, 105_000, 1, 0);
        }
        return jobs.build();
    }

    private static double meanRequest(String accuracy) {
        JobLog jobs = RequestAccuracy.of(accuracy).applied(log(), 7);
        double sum = 0;
        for (int i = 0; i < jobs.size(); i++) {
            sum += jobs.requested(i);
        }
        return sum / jobs.size() / 1000;
    }

    @Test
    void aFactorMultipliesTheRunTimeAndKeepsThePadding() {
        assertThat(meanRequest("accurate")).isEqualTo(105);
        assertThat(meanRequest("factor:1")).isEqualTo(105);
        assertThat(meanRequest("factor:3")).isEqualTo(305);
    }

    /** Uniform on 1 … 3 has mean 2; a fifth of the jobs at 3 has mean 1.4. */
    @Test
    void mixturesHaveTheExpectedMeans() {
        assertThat(meanRequest("uniform:3")).isCloseTo(205, within(10.0));
        assertThat(meanRequest("mix:3:0.2")).isCloseTo(145, within(10.0));
    }
}
