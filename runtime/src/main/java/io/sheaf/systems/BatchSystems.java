package io.sheaf.systems;

import io.sheaf.gridengine.GridEngineCommands;
import io.sheaf.oar.OarCommands;
import io.sheaf.runtime.batch.BatchAccess;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Map;

/** The batch systems that runs can be on. A further one is a package, and a line here. */
public final class BatchSystems {
    private static final List<BatchSystem> ALL =
            List.of(SlurmCommands.SYSTEM, GridEngineCommands.SYSTEM, OarCommands.SYSTEM);

    private BatchSystems() {}

    /** The names of those that are driven by commands. */
    public static List<String> names() {
        return ALL.stream().map(BatchSystem::name).toList();
    }

    /** The batch system of a name; refused if there is none. */
    public static BatchSystem named(String name) {
        for (BatchSystem each : ALL) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        throw new InputException(
                "unknown batch system '" + name + "' in the run's specification; a newer Sheaf may have written it");
    }

    /** The commands of the batch system of a name, on the cluster that an environment leads to. */
    public static BatchCommands commands(String name, Map<String, String> environment) {
        return named(name).connect().apply(environment);
    }

    /**
     * Access to the cluster of a run.
     *
     * @param interval how old the shared answer about the user's queue may be, in milliseconds
     */
    public static ClusterAccess access(Placement where, Map<String, String> environment, int interval) {
        return where.equals(Placement.LOCAL)
                ? new EmbeddedAccess()
                : new BatchAccess(commands(where.system(), environment), environment, interval);
    }
}
