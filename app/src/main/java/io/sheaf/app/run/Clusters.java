package io.sheaf.app.run;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.Session;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.systems.BatchSystems;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates access to clusters from the options of the command line. */
public final class Clusters {
    public static final List<String> NAMES = Stream.concat(
                    Stream.of(Placement.LOCAL.system()), BatchSystems.names().stream())
            .toList();

    private Clusters() {}

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

    /** The placement from the value of {@code --on} and these terms. */
    public static Placement where(String on, BatchOptions batch, List<String> passedOn) {
        return on.equals(Placement.LOCAL.system())
                ? Placement.LOCAL
                : new Placement(on, BatchSystems.named(on).words().apply(batch.terms(passedOn)));
    }

    /** Access to the cluster of a run. */
    public static ClusterAccess of(Placement where, Session session, ManagerOptions charge) {
        return BatchSystems.access(where, session.environment(), charge.interval());
    }

    /** The commands of a batch system, on the cluster that the session's environment selects. */
    public static BatchCommands commands(String system, Session session) {
        return BatchSystems.commands(system, session.environment());
    }

    /** The nodes of a batch system's cluster. */
    public static Nodes nodes(Placement where, Session session) throws IOException, InterruptedException {
        return commands(where.system(), session).nodes(where.options());
    }

    /** The node pools of a batch system's cluster. */
    public static Pools pools(Placement where, Session session, boolean unequal)
            throws IOException, InterruptedException {
        return commands(where.system(), session).pools(where.options(), unequal);
    }

    /** The limits of one job, as far as the batch system tells. */
    static JobLimits limits(Placement where, Session session) throws IOException, InterruptedException {
        return commands(where.system(), session).limits(where.options());
    }

    /** The names for shell completion. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
