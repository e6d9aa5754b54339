package io.sheaf.app.run;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.Session;
import io.sheaf.gridengine.GridEngineSystem;
import io.sheaf.oar.OarSystem;
import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.slurm.SlurmSystem;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The batch systems that runs can be on. */
public final class Sites {
    /** Those that are driven by commands: one more is a package, and a line here. */
    private static final List<BatchSystem> SYSTEMS =
            List.of(new SlurmSystem(), new GridEngineSystem(), new OarSystem());

    static final List<String> NAMES = Stream.concat(
                    Stream.of(Placement.LOCAL.system()), SYSTEMS.stream().map(BatchSystem::name))
            .toList();

    private Sites() {}

    /** A message about a misused {@code --on} or batch option; null if there is none. */
    public static @Nullable String misuse(String on, BatchOptions batch, List<String> passedOn) {
        if (!NAMES.contains(on)) {
            return Choice.unknown("--on", on, NAMES).problem();
        }
        return on.equals(Placement.LOCAL.system()) && !batch.terms(passedOn).isEmpty()
                ? "'" + batch.first(passedOn) + "' can only be used with --on "
                        + String.join(" or --on ", NAMES.subList(1, NAMES.size()))
                : null;
    }

    /** Where runs are with what follows {@code --on}, and the words of these terms. */
    public static Placement where(String on, BatchOptions batch, List<String> passedOn) {
        return on.equals(Placement.LOCAL.system())
                ? Placement.LOCAL
                : new Placement(on, system(on).words(batch.terms(passedOn)));
    }

    /** The one of a name. */
    public static BatchSystem system(String name) {
        for (BatchSystem each : SYSTEMS) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        throw new InputException(
                "unknown batch system '" + name + "' in the run's specification; a newer Sheaf may have written it");
    }

    /** The one that a run is on. */
    public static ClusterAccess of(Placement where, Session session, ManagerOptions charge) {
        return where.equals(Placement.LOCAL) ? new EmbeddedAccess() : batch(where, session, charge);
    }

    /** The same for one that is not on this machine only. */
    static BatchSite batch(Placement where, Session session, ManagerOptions charge) {
        return system(where.system()).site(session.environment(), charge.interval());
    }

    /** The nodes of a batch system. */
    public static Nodes nodes(Placement where, Session session, ManagerOptions charge)
            throws IOException, InterruptedException {
        return batch(where, session, charge).nodes(where.options());
    }

    public static SlurmSite slurm(Session session, ManagerOptions charge) {
        return new SlurmSite(session.environment(), charge.interval());
    }

    /** The names, for completion by a shell. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
