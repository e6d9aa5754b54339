package io.sheaf.runtime.run;

import io.sheaf.gridengine.GridEngineCommands;
import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.testing.TestGridEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of batch systems, on a real Grid Engine. */
@Tag("slow")
class GridEngineContractIT extends BatchClusterContract {
    @RegisterExtension
    static final TestGridEngine CLUSTER = TestGridEngine.of(NODES);

    @Override
    ClusterAccess site(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(CLUSTER.get().environment());
        return LocalAccess.of(new GridEngineCommands(Reach.here(all)), all);
    }

    @Override
    Placement placement() {
        return new Placement(GridEngineCommands.SYSTEM.name(), List.of("-pe", "any"));
    }

    @Override
    void deleteAll() {
        CLUSTER.get().run("qdel", "-u", System.getProperty("user.name"));
    }

    @Override
    boolean isEmpty() {
        return CLUSTER.get().query("qstat").isBlank();
    }
}
