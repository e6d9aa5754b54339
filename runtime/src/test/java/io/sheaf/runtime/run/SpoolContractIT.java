package io.sheaf.runtime.run;

import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.spool.Spool;
import io.sheaf.spool.SpoolCommands;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The contract of batch systems, for the worked example of docs/how-to/add-a-batch-system.md. */
@Tag("slow")
class SpoolContractIT extends BatchClusterContract {
    private static final Spool SPOOL = new Spool(NODES);

    @AfterAll
    static void close() {
        SPOOL.close();
    }

    @Override
    ClusterAccess site(Map<String, String> environment) {
        return LocalAccess.of(new SpoolCommands(SPOOL, NODES), environment);
    }

    @Override
    Placement placement() {
        return new Placement("spool", List.of());
    }

    @Override
    void deleteAll() {
        SPOOL.deleteAll();
    }

    @Override
    boolean isEmpty() {
        return SPOOL.isEmpty();
    }
}
