package io.sheaf.app.run;

import io.sheaf.app.cli.LimitOptions;
import io.sheaf.app.cli.Session;
import io.sheaf.batch.JobLimits;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpecBuilder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the batch system: submission options and nodes. */
public final class PlaceOptions {
    private static final int LOCAL_NODES = 4;

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Option(
            names = "--on",
            completionCandidates = Clusters.Names.class,
            paramLabel = "SYSTEM",
            defaultValue = "local",
            description =
                    "Batch system: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}); local is an embedded cluster on this machine.")
    public String on = "local";

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Local: number of virtual nodes (4). Slurm: maximum nodes per job (default: those of the partition).")
    @Nullable
    Integer nodes;

    @Option(
            names = "--cores-per-node",
            paramLabel = "C",
            description = "Cores per node (local: 1, Slurm: those of the partition's smallest node).")
    @Nullable
    Integer coresPerNode;

    @Mixin
    LimitOptions limits = new LimitOptions();

    /**
     * Rejects invalid combinations.
     *
     * @param passedOn arguments for the batch system, unchanged
     */
    public void check(CommandLine command, List<String> passedOn) {
        if ((nodes != null && nodes < 1) || (coresPerNode != null && coresPerNode < 1)) {
            throw new ParameterException(command, "--nodes and --cores-per-node: must be at least 1");
        }
        String misuse = Clusters.misuse(on, batch, passedOn);
        if (misuse != null) {
            throw new ParameterException(command, misuse);
        }
    }

    public Placement where(List<String> passedOn) {
        return Clusters.where(on, batch, passedOn);
    }

    /** Sets the batch system, nodes and limits in a specification; missing values are queried from the batch system. */
    public RunSpecBuilder tell(RunSpecBuilder spec, Placement where, Session session, ManagerOptions charge)
            throws IOException, InterruptedException {
        int most = LOCAL_NODES;
        int cores = 1;
        if (!where.equals(Placement.LOCAL) && (nodes == null || coresPerNode == null)) {
            Nodes there = Clusters.nodes(where, session);
            most = there.count();
            cores = there.cores();
        }
        JobLimits ofSystem = where.equals(Placement.LOCAL) ? JobLimits.NONE : Clusters.limits(where, session);
        return spec.on(where)
                .nodes(nodes == null ? most : nodes, coresPerNode == null ? cores : coresPerNode)
                .limits(limits.limits().and(ofSystem));
    }
}
