package io.sheaf.runtime.local;

import io.sheaf.gridengine.GridEngineSite;
import io.sheaf.testing.RealGridEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Grid Engine does what every batch system must do: a real one. */
@Tag("slow")
class GridEngineContractIT extends BatchSiteContract {
    @RegisterExtension
    static final RealGridEngine CLUSTER = new RealGridEngine(NODES);

    @Override
    Site site(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(CLUSTER.environment());
        return new GridEngineSite(all, 1_000);
    }

    @Override
    Where where() {
        return new Where(GridEngineSite.NAME, List.of("-pe", "any"));
    }

    @Override
    void deleteAll() {
        CLUSTER.run("qdel", "-u", System.getProperty("user.name"));
    }

    @Override
    boolean isEmpty() {
        return CLUSTER.ask("qstat").isBlank();
    }
}
