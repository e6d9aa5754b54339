package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.LimitOptions;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.UsageException;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.manager.MemoryGrowth;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.cluster.Machine;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.systems.SiteOffer;
import io.sheaf.text.InputException;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the batch system: submission options and nodes. */
@HelpHeading(HelpHeading.NODES)
public final class PlaceOptions {
    private static final int LOCAL_NODES = 4;
    /** More nodes, or cores of a node, than any cluster has that is supported; agents keep a record of each core. */
    private static final int MAX_COUNT = 65_536;

    @HelpHeading(HelpHeading.BATCH)
    @Option(
            names = "--on",
            completionCandidates = Clusters.SystemNames.class,
            paramLabel = "SYSTEM",
            description =
                    "Batch system: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); local is an embedded cluster on this machine. Or sites of the configuration, separated by commas.")
    public String on = "local";

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Local: number of virtual nodes (default: 4). Slurm: maximum nodes per job (default: those of the partition).")
    @Nullable
    Integer nodes;

    @Option(
            names = "--cores-per-node",
            paramLabel = "C",
            description = "Cores per node (default: local 1, Slurm those of each node).")
    private @Nullable Integer coresPerNode;

    @Option(
            names = "--mem-per-node",
            paramLabel = "SIZE",
            description =
                    "Memory per node for tasks, e.g. 4G (default: local this machine's memory divided by the nodes, Slurm that of each node).")
    private @Nullable String memPerNode;

    @Option(
            names = "--gpus-per-node",
            paramLabel = "G",
            description =
                    "GPUs per node: a number or types, e.g. 2 or a100:2,v100:1 (default: local 0, Slurm those of the partition; local GPUs are simulated).")
    private @Nullable String gpusPerNode;

    @Option(
            names = "--node-resource",
            paramLabel = "NAME=AMOUNT",
            description = "Limit of a named resource on each node, e.g. scratch=800G.")
    Map<String, String> nodeResources = new TreeMap<>();

    @Option(
            names = "--run-resource",
            paramLabel = "NAME=AMOUNT",
            description = "Limit of a named resource for the whole run, e.g. licence=5.")
    Map<String, String> runResources = new TreeMap<>();

    @Option(
            names = "--memory-growth",
            paramLabel = "xF[:MAX]",
            description =
                    "After an out-of-memory kill, multiply the memory request of the task by F, up to MAX (default: ${DEFAULT-VALUE}, up to the largest node); x1: never grow.")
    String growth = "x2";

    @Mixin
    LimitOptions limits = new LimitOptions();

    /**
     * The batch system; rejects invalid combinations of options.
     *
     * @param passedOn arguments for the batch system, unchanged
     */
    public Placement where(List<String> passedOn, Session session) {
        checkCount("--nodes", nodes);
        checkCount("--cores-per-node", coresPerNode);
        return Clusters.where(on, batch, passedOn, session);
    }

    private static void checkCount(String option, @Nullable Integer count) {
        UsageException.unless(
                count == null || (count >= 1 && count <= MAX_COUNT), option + ": must be between 1 and " + MAX_COUNT);
    }

    /**
     * Sets the batch system, nodes and limits in a specification; missing values are queried from the batch system.
     *
     * @param maxGpus GPUs of a node, if neither an option nor the batch system specifies them
     */
    public RunSpecBuilder configure(RunSpecBuilder spec, Placement where, Session session, int maxGpus)
            throws IOException, InterruptedException {
        int count = nodes == null ? LOCAL_NODES : nodes;
        int cores = coresPerNode == null ? 1 : coresPerNode;
        long memory = Machine.memory() / count;
        Resources gpus = Resources.ONE_CORE.gpus(maxGpus);
        SiteOffer offer = where.isSeveral() ? SiteOffer.of(where.sites(), session.environment()) : null;
        BatchCommands commands =
                where.equals(Placement.LOCAL) || offer != null ? null : Clusters.commands(where, session);
        Nodes available = offer != null ? offer.nodes() : commands == null ? null : nodes(commands, where.options());
        if (available != null) {
            count = nodes == null ? available.count() : count;
            cores = coresPerNode == null ? available.cores() : cores;
            memory = forTasks(available.memory());
            gpus = gpus.gpus(Math.max(available.gpus(), gpus.gpus())).named(available.named());
        }
        memory = memPerNode == null ? memory : OptionText.bytes("--mem-per-node", memPerNode);
        if (memPerNode != null && memory < 1) {
            throw new InputException("--mem-per-node: must be at least 1 byte, is " + memPerNode);
        }
        String given = gpusPerNode;
        gpus = given == null ? gpus : InputException.in("--gpus-per-node", () -> GpuText.on(Resources.ONE_CORE, given));
        Map<String, Long> named = amounts("--node-resource", nodeResources);
        named.putAll(gpus.named().map());
        Pools pools = offer != null
                ? offer.pools()
                : commands == null ? Pools.NONE : commands.pools(where.options(), cores, !isNodeGiven());
        if (offer != null) {
            offer.problems().forEach(each -> session.note("note: " + each + "; the run does not use it"));
        }
        if (pools.count() > 0) {
            pools = pools.limited(limits.limits()::and);
            count = nodes == null ? pools.maxNodes() : nodes;
        }
        if (commands != null && pools.count() == 0) {
            commands.obstacles(where.options(), cores).forEach(each -> session.note("note: " + each));
        }
        JobLimits systemLimits = pools.count() > 0
                ? pools.largest()
                : commands == null ? JobLimits.NONE : commands.limits(where.options(), cores);
        return spec.on(where)
                .nodes(count, Resources.node(cores, memory, gpus.gpus()).named(NamedAmounts.of(named)))
                .perRun(NamedAmounts.of(amounts("--run-resource", runResources)))
                .growth(growth(growth, memory))
                .limits(limits.limits().and(systemLimits))
                .pools(pools);
    }

    /** A note that memory is not counted although tasks need some, since the batch system does not report that of its nodes; empty if it is. */
    static String uncounted(Workflow workflow, RunSpec spec) {
        for (int task = 0; task < workflow.size() && !spec.node().countsMemory(); task++) {
            if (workflow.resources(task).memory() > 0) {
                return "the memory of the nodes is unknown, so task '" + workflow.id(task)
                        + "' and others may get too little. Set --mem-per-node";
            }
        }
        return "";
    }

    /** Whether options specify the resources of a node, so that jobs request equal nodes. */
    private boolean isNodeGiven() {
        return coresPerNode != null || memPerNode != null || gpusPerNode != null;
    }

    /** The nodes of a batch system, queried unless options specify all of them. */
    private Nodes nodes(BatchCommands commands, List<String> options) throws IOException, InterruptedException {
        return nodes != null && coresPerNode != null && memPerNode != null
                ? new Nodes(nodes, coresPerNode, 0)
                : commands.nodes(options);
    }

    /** The memory of a batch system's node for tasks: without that of the agent; 0 if unknown. */
    public static long forTasks(long nodeMemory) {
        return Math.max(0, nodeMemory - ((long) PilotJobScript.AGENT_MIB << 20));
    }

    private static Map<String, Long> amounts(String option, Map<String, String> limits) {
        Map<String, Long> amounts = new TreeMap<>();
        limits.forEach((name, amount) -> amounts.put(name, OptionText.bytes(option, amount)));
        return amounts;
    }

    /** Parses a factor and an optional maximum. */
    static MemoryGrowth growth(String text, long largest) {
        int colon = text.indexOf(':');
        String factor = colon < 0 ? text : text.substring(0, colon);
        if (!factor.matches("x[0-9]{1,2}(\\.[0-9]{1,2})?")) {
            throw new InputException("--memory-growth '" + text + "': write x2, x1.5 or x2:32G");
        }
        int percent = new BigDecimal(factor.substring(1)).movePointRight(2).intValueExact();
        if (percent < 100) {
            throw new InputException("--memory-growth '" + text + "': the factor must be at least 1");
        }
        return new MemoryGrowth(
                percent, colon < 0 ? largest : OptionText.bytes("--memory-growth", text.substring(colon + 1)));
    }
}
