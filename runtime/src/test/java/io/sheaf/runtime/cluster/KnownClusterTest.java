package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Request;
import io.sheaf.sim.KnownQueue;
import org.junit.jupiter.api.Test;

/** The known queue of an embedded cluster, from which rollouts start. */
class KnownClusterTest {
    private static final long BASE = 1_000_000_000_000L;

    @Test
    void theQueueHasOwnTokensAndNoFutureOfBackgroundJobs() {
        ModelledLoad background = ModelledLoad.of("kth-like@600x", 8, 3);
        ClusterMachine machine = new ClusterMachine(Policy.conservative(), 8, background, BASE);
        machine.submit(BASE, 7, Request.of(8, 60_000));
        KnownQueue known = machine.known(BASE);

        assertThat(known.now()).isEqualTo(BASE);
        assertThat(known.own()).containsOnlyKeys(7L);
        assertThat(known.engine().units(known.own().getOrDefault(7L, -1))).isEqualTo(8);
        assertThat(known.known()).isEqualTo(known.past().size()).isPositive();
        int count = 0;
        for (int handle = 0; handle < known.engine().handles(); handle++) {
            int job = known.jobOf().applyAsInt(handle);
            if (job >= 0) {
                count++;
                assertThat(known.past().run(job))
                        .as("the run time of a job that has not ended is unknown")
                        .isEqualTo(known.past().requested(job));
            }
        }
        assertThat(count).isPositive();
        for (int job = 0; job < known.past().size(); job++) {
            assertThat(known.past().submit(job)).isLessThanOrEqualTo(BASE);
        }
    }

    /** The load generates its jobs again when it needs later ones. Jobs that were in the queue before have not ended. */
    @Test
    void backgroundJobsKeepTheirNumbersWhenTheLoadGrows() {
        ModelledLoad background = ModelledLoad.of("kth-like@600x", 8, 3);
        ClusterMachine machine = new ClusterMachine(Policy.conservative(), 8, background, BASE);
        // The first thirty days are generated together.
        long generated = BASE + background.beginning() + 30 * ModelledLoad.DAY / 600;
        while (machine.nextPass() < generated) {
            machine.pass(machine.nextPass());
        }
        int checked = 0;
        KnownQueue known = machine.known(machine.now());
        for (int handle : known.engine().present()) {
            int job = known.jobOf().applyAsInt(handle);
            assertThat(job).isNotNegative();
            assertThat(known.past().run(job)).isEqualTo(known.past().requested(job));
            checked++;
        }
        assertThat(checked).isGreaterThan(1);
    }
}
