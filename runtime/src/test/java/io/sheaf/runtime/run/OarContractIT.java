package io.sheaf.runtime.run;

import io.sheaf.oar.OarCommands;
import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.testing.TestOar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of batch systems, on a real OAR. */
@Tag("slow")
class OarContractIT extends BatchClusterContract {
    @RegisterExtension
    static final TestOar CLUSTER = TestOar.of(NODES, 1);

    @Override
    ClusterAccess site(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(CLUSTER.get().environment());
        return LocalAccess.of(new OarCommands(Reach.here(all)), all);
    }

    @Override
    Placement placement() {
        return new Placement(OarCommands.SYSTEM.name(), List.of());
    }

    /** The driver adds the reserve of agents itself. */
    @Override
    AgentReserve reserve(Cluster cluster) {
        return AgentReserve.NONE;
    }

    @Override
    void deleteAll() {
        CLUSTER.get().deleteAll();
    }

    @Override
    boolean isEmpty() {
        return CLUSTER.get().query("oarstat").isBlank();
    }
}
