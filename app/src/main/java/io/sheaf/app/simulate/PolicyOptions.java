package io.sheaf.app.simulate;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.LimitOptions;
import io.sheaf.app.cli.OptionText;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.batch.PoolMemory;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueOrder;
import io.sheaf.batch.UserLimits;
import io.sheaf.lab.experiment.ClusterEntry;
import io.sheaf.sim.Conventions;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a simulated cluster's scheduling policy, shared by all commands that simulate one. */
@HelpHeading(HelpHeading.BATCH)
public final class PolicyOptions {
    private static final List<String> POLICIES = List.of("fcfs", "easy", "conservative", "depth:K");
    private static final String DEPTH = "depth:";
    private static final long MAX_MEMORY = 1L << 50;
    private static final int HOUR = 3_600_000;
    private static final double MAX_HOURS = 1e9;

    @Option(
            names = "--policy",
            completionCandidates = Candidates.PolicyNames.class,
            paramLabel = "P",
            description =
                    "Scheduling policy: fcfs, easy, conservative, or depth:K for backfilling with K reservations (default: easy; conservative with a thesis profile).")
    private @Nullable String policy;

    @Option(
            names = "--order",
            paramLabel = "O",
            description =
                    "Queue order: fcfs (by submission time), large or small requests first (large:known=no hides the order from estimates), or multifactor (Slurm's priority) with settings, e.g. multifactor:age=1000,fairshare=10000 (default: ${DEFAULT-VALUE}).")
    String order = "fcfs";

    @Option(
            names = "--placement",
            paramLabel = "HOW",
            description =
                    "Node placement: count (any free nodes) or contiguous (a contiguous block) (default: count; contiguous with profile thesis-contiguous).")
    private @Nullable String placement;

    @Option(
            names = "--mem-per-node",
            paramLabel = "SIZE",
            description =
                    "Memory per node, e.g. 64G, for tasks and for the jobs of a log that records their memory; by default memory is not counted.")
    private @Nullable String memPerNode;

    @Option(
            names = "--pools",
            paramLabel = "POOLS",
            description =
                    "Node pools of the cluster, such as partitions: NAME=FIRST-LAST[,time=T][,nodes=N][,nodetime=T][,jobs=N][,price=X][,load=X][,preempt=T][,cores=N][,mem=SIZE][,gpus=N], separated by '+', e.g. short=1-40,time=4h+long=21-100. Pools may share nodes. Each job of the log uses a pool that allows it, drawn in proportion to load (default: the nodes). nodetime is the maximum of nodes × walltime of a job, preempt the mean time until preemption.")
    private @Nullable String pools;

    @Mixin
    LimitOptions limits = new LimitOptions();

    @Option(
            names = "--max-user-jobs",
            paramLabel = "N",
            description =
                    "Maximum number of running jobs of a user, as Slurm's MaxJobsPerUser (default: no limit). replay applies it to every user, other commands to the workflow's user only.")
    private @Nullable Integer userJobs;

    @Option(
            names = "--max-user-nodes",
            paramLabel = "N",
            description =
                    "Maximum number of nodes that a user has in use, as node=N of Slurm's MaxTRESPerUser (default: no limit). Applies to the same users as --max-user-jobs.")
    private @Nullable Integer userNodes;

    @Option(
            names = "--max-user-node-hours",
            paramLabel = "H",
            description =
                    "Maximum of nodes x walltime of a user's running jobs in hours, similar to node=M of Slurm's MaxTRESRunMinsPerUser; a job counts in full until it ends (default: no limit). Applies to the same users as --max-user-jobs.")
    private @Nullable Double userNodeHours;

    /** Whether a policy or an order is given. */
    public boolean isGiven() {
        return policy != null || !order().equals(QueueOrder.ARRIVAL);
    }

    /** The policy; the conventions provide defaults. */
    public Policy policy(Conventions conventions) {
        Policy usual = conventions.policy();
        return Policy.depth(policy == null ? usual.depth() : depth(policy))
                .withOrder(order())
                .withPlacement(
                        placement == null
                                ? usual.placement()
                                : Choice.of("--placement", placement, Policy.NodeSelection.class))
                .withLimits(limits.limits())
                .withLimits(userLimits());
    }

    /** The limits of a job; a job never has more nodes or node-hours than its user may use. */
    public JobLimits jobLimits() {
        return limits.limits().and(userLimits().ofJob());
    }

    /** The memory of a node in bytes; {@link Resources#UNCOUNTED} if it is not counted. */
    public long memory() {
        if (memPerNode == null) {
            return Resources.UNCOUNTED;
        }
        long memory = OptionText.bytes("--mem-per-node", memPerNode);
        if (memory < 1 || memory > MAX_MEMORY) {
            throw new InputException("--mem-per-node: must be from 1 byte to 1 petabyte, is " + memPerNode);
        }
        return memory;
    }

    /** The same with the pools and the memory of a cluster of some nodes. */
    public Policy policy(Conventions conventions, int nodes) {
        Policy plain = policy(conventions);
        Policy chosen = memPerNode == null ? plain : plain.withMemory(PoolMemory.shared(nodes * memory()));
        if (pools == null) {
            return chosen;
        }
        if (chosen.placement() == Policy.NodeSelection.CONTIGUOUS) {
            throw new InputException("--pools cannot be used with contiguous placement; use --placement count");
        }
        return chosen.withPools(Pools.parse(pools, nodes));
    }

    /** A short description of the policy. */
    public String text(Conventions conventions) {
        Policy chosen = policy(conventions);
        return ClusterEntry.depthText(chosen.depth())
                + (chosen.order().equals(QueueOrder.ARRIVAL) ? "" : ", " + order)
                + (chosen.order().equals(QueueOrder.LARGE) || chosen.order().equals(QueueOrder.SMALL) ? " first" : "")
                + (chosen.placement() == Policy.NodeSelection.COUNT ? "" : ", " + Choice.name(chosen.placement()))
                + limits.text()
                + userLimitText()
                + (pools == null ? "" : ", pools " + pools);
    }

    private QueueOrder order() {
        return InputException.in("--order", () -> QueueOrder.parse(order));
    }

    private static int depth(String policy) {
        String name = policy.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "fcfs" -> Policy.FCFS;
            case "easy" -> Policy.EASY;
            case "conservative" -> Policy.CONSERVATIVE;
            default -> {
                if (!name.startsWith(DEPTH)) {
                    throw Choice.unknown("--policy", policy, POLICIES);
                }
                yield reservations(name.substring(DEPTH.length()));
            }
        };
    }

    private static int reservations(String count) {
        try {
            int depth = Integer.parseInt(count);
            if (depth >= 0) {
                return depth;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException(
                "--policy: '" + count + "' is not a number of reservations; use e.g. depth:8, or conservative for all");
    }

    /** The limits of the workflow's user: jobs of a log ran under the limits of their own site. */
    private UserLimits userLimits() {
        return new UserLimits(
                max("--max-user-jobs", userJobs),
                max("--max-user-nodes", userNodes),
                userNodeHours == null ? Long.MAX_VALUE : nodeTime(userNodeHours),
                UserLimits.LimitScope.OWN);
    }

    private static long nodeTime(double hours) {
        if (!(hours >= 1.0 / 60 && hours <= MAX_HOURS)) {
            throw new InputException("--max-user-node-hours: must be from a node-minute to a billion, is " + hours);
        }
        return Math.round(hours * HOUR);
    }

    private static int max(String option, @Nullable Integer max) {
        if (max != null && max < 1) {
            throw new InputException(option + ": must be at least 1, is " + max);
        }
        return max == null ? Integer.MAX_VALUE : max;
    }

    private static String hours(double hours) {
        return DecimalText.fixed(hours, hours == Math.rint(hours) ? 0 : 2);
    }

    /** The limits as part of a cluster's description: empty if there are none. */
    private String userLimitText() {
        return (userJobs == null
                        ? ""
                        : ", at most " + userJobs + (userJobs == 1 ? " running job" : " running jobs") + " per user")
                + (userNodes == null
                        ? ""
                        : ", at most " + userNodes + (userNodes == 1 ? " node" : " nodes") + " per user")
                + (userNodeHours == null ? "" : ", at most " + hours(userNodeHours) + " node-hours per user");
    }
}
