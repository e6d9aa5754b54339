package io.sheaf.runtime.batch;

import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Site;
import java.util.List;
import java.util.Map;

/** Access to a batch system of this machine, whose queue is read every second. */
public final class LocalAccess {
    private LocalAccess() {}

    public static ClusterAccess of(BatchCommands commands, Map<String, String> environment) {
        String system = commands.system().name();
        return new BatchAccess(commands, Site.of(system, system, List.of(), List.of()), environment, 1_000);
    }
}
