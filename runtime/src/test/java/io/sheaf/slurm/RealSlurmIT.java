package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RealSlurm;
import org.junit.jupiter.api.Test;

class RealSlurmIT {
    @Test
    void aRealSlurmStartsRunsAJobAndStops() {
        RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2));
        try (slurm) {
            assertThat(slurm.query("sinfo", "-h", "-o", "%D %T")).isEqualTo("2 idle");
            String job = slurm.job(1, 0, "--wait");
            assertThat(slurm.query("scontrol", "show", "job", job)).contains("JobState=COMPLETED");
        }
        assertThat(slurm.folder()).doesNotExist();
    }
}
