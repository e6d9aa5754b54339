package io.sheaf.systems;

import io.sheaf.gridengine.GridEngineCommands;
import io.sheaf.oar.OarCommands;
import io.sheaf.runtime.batch.BatchAccess;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Site;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.text.InputException;
import java.util.HashMap;
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

    /** The names of those with a feature. */
    public static List<String> names(BatchSystem.Feature feature) {
        return ALL.stream()
                .filter(each -> each.has(feature))
                .map(BatchSystem::name)
                .toList();
    }

    /** Whether a site of a placement has a batch system with a feature. */
    public static boolean anyHas(Placement where, BatchSystem.Feature feature) {
        List<String> names = names(feature);
        return where.members().stream().anyMatch(site -> names.contains(site.system()));
    }

    /** The batch system of a name; refused if there is none. */
    public static BatchSystem named(String name) {
        return ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InputException("unknown batch system '" + name
                        + "' in the run's specification; a newer Sheaf may have written it"));
    }

    /** The commands of a site's batch system, started with an environment. */
    public static BatchCommands commands(Site site, Map<String, String> environment) {
        Map<String, String> own = new HashMap<>(environment);
        if (CommandRunner.isElsewhere(site.prefix())) {
            // Defaults for the batch system of this machine.
            own.keySet().removeIf(name -> ALL.stream()
                    .flatMap(system -> system.variables().stream())
                    .anyMatch(name::startsWith));
        }
        String user = site.user().isEmpty() ? System.getProperty("user.name") : site.user();
        return named(site.system()).connect().apply(new Reach(own, site.prefix(), user));
    }

    /** The commands of the batch system of a run; refused if it has several. */
    public static BatchCommands commands(Placement where, Map<String, String> environment) {
        if (where.isSeveral()) {
            throw new InputException("--on " + where.system() + ": this works with one site; name one of them");
        }
        return commands(where.members().get(0), environment);
    }

    /**
     * Access to the cluster of a run.
     *
     * @param interval how old the shared answer about the user's queue may be, in milliseconds
     */
    public static ClusterAccess access(Placement where, Map<String, String> environment, int interval) {
        return where.isSeveral()
                ? new SeveralAccess(environment, interval)
                : access(where.members().get(0), environment, interval);
    }

    static ClusterAccess access(Site site, Map<String, String> environment, int interval) {
        return site.isLocal()
                ? new EmbeddedAccess()
                : new BatchAccess(commands(site, environment), site, environment, interval);
    }
}
