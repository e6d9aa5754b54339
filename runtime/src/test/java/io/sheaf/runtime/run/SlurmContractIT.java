package io.sheaf.runtime.run;

import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of batch systems, on a real Slurm with a fast clock, since it counts time limits in minutes. */
@Tag("slow")
class SlurmContractIT extends BatchClusterContract {
    private static final int SPEED = 10;

    @RegisterExtension
    static final TestSlurm CLUSTER = TestSlurm.of(RealSlurm.SlurmShape.of(NODES).speed(SPEED));

    @Override
    ClusterAccess site(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(CLUSTER.get().environment());
        return LocalAccess.of(new SlurmCommands(Reach.here(all)), all);
    }

    @Override
    Placement placement() {
        return new Placement(SlurmCommands.SYSTEM.name(), List.of());
    }

    @Override
    int speed() {
        return SPEED;
    }

    @Override
    long clusterTime() {
        return Long.parseLong(CLUSTER.get().query("date", "+%s%3N"));
    }

    @Override
    void deleteAll() {
        CLUSTER.get().run("scancel", "-u", System.getProperty("user.name"));
    }

    @Override
    boolean isEmpty() {
        return CLUSTER.get().run("squeue", "-h").text().isBlank();
    }

    /** No reserve, so that limits can be one minute, the shortest that Slurm counts. */
    @Override
    AgentReserve reserve(Cluster cluster) {
        return AgentReserve.NONE;
    }

    /** Five ticks are less than a minute; agents end 13 s before the limit of their job. */
    @Override
    protected long tick() {
        return 11_000;
    }
}
