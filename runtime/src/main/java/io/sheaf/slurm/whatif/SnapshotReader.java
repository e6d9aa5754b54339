package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.SharedAnswer;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots with one {@code squeue} and one {@code sinfo} each, and another {@code squeue} where memory is counted or nodes have GPUs; queries of rarely changing data run every ten
 * minutes.
 *
 * <p>Missing data is listed in the snapshot's problems. Only a missing queue or node list is an error. With a folder,
 * all processes of the user share the answers for the same interval; the first snapshot of a process is at most ten seconds old.
 */
final class SnapshotReader {
    private static final int SELDOM = 600_000;
    private static final int OFTEN = NewestAnswer.APART;
    private static final int FIRST = 5_000;

    /** The prefix of a failed command's output; no valid answer begins with it. */
    private static final String REFUSED = "\0";

    private final CommandRunner commands;
    private final String user;
    private final String partition;
    private final String quality;
    private final String named;
    private final @Nullable Path shared;
    private long queriedSeldom = Long.MIN_VALUE;
    /** The maximum age of the next snapshot. Jobs of an earlier run may have ended since an older one. */
    private int often = FIRST;

    private final List<String> seldomProblems = new ArrayList<>();
    /** The last good answer of each command whose data rarely change. */
    private final Map<List<String>, String> known = new HashMap<>();

    private List<SlurmSnapshot.Reservation> reservations = List.of();
    private PartitionTiers tiers = PartitionTiers.NONE;
    private Map<String, String> config = Map.of();
    private OwnLimits limits = OwnLimits.NONE;
    private Map<String, Resources> hosts = Map.of();
    private final Map<String, Integer> jobFactors = new HashMap<>();
    private Map<String, Long> qualities = Map.of();
    private String usualQuality = "";
    private String account = "";

    /**
     * Creates a reader.
     *
     * @param submissions the options of our jobs, with their QOS, whose limits apply, and account
     * @param shared a folder of the user for this cluster, in which processes share answers; null to share nothing
     */
    SnapshotReader(CommandRunner commands, String user, Submissions submissions, @Nullable Path shared) {
        this.commands = commands;
        this.user = user;
        partition = submissions.partition();
        quality = submissions.quality();
        named = Submissions.value(submissions.options(), "--account", "-A", "");
        this.shared = shared;
    }

    SlurmSnapshot read(long now) throws UnreachableException, InterruptedException {
        if (queriedSeldom == Long.MIN_VALUE || now - queriedSeldom >= SELDOM) {
            readConfiguration();
            queriedSeldom = now;
        }
        SharedAnswer.Answer queue = required(now, "squeue", "-a", "-h", "-o", SlurmJob.FORMAT);
        SharedAnswer.Answer nodeList = required(now, "sinfo", "-a", "-h", "-e", "-o", SlurmNodes.FORMAT);
        Columns.Read<SlurmJob> jobs = SlurmJob.read(queue.text());
        Columns.Read<SlurmNodes> nodes = SlurmNodes.read(nodeList.text());
        SlurmMemory memory = memory();
        often = OFTEN;
        List<String> problems = new ArrayList<>(seldomProblems);
        problems.addAll(jobs.problems());
        problems.addAll(nodes.problems());
        return new SlurmSnapshot(
                queue.at(),
                user,
                jobs.rows(),
                nodes.rows(),
                reservations,
                tiers,
                config,
                limits,
                jobs.lost(),
                problems,
                memory,
                priority(nodes.rows(), problems));
    }

    /** The memory of nodes and jobs, where it is counted, and the GPUs of jobs; a job of which they cannot be read counts with its cores only. */
    private SlurmMemory memory() throws UnreachableException, InterruptedException {
        boolean counted = SlurmMemory.isCounted(config);
        if (!counted && hosts.values().stream().allMatch(host -> host.gpus() == 0)) {
            return new SlurmMemory(Map.of(), Map.of(), hosts, Map.of());
        }
        String[] words = {"squeue", "-a", "-h", "-O", SlurmMemory.FIELDS};
        String text =
                sharedAnswer(words, often, () -> commands.query(words).out()).text();
        return new SlurmMemory(
                counted ? SlurmMemory.nodes(hosts) : Map.of(),
                counted ? SlurmMemory.jobs(text) : Map.of(),
                hosts,
                SlurmMemory.gpus(text));
    }

    /** The priority of our new jobs; what is not known of it is a problem. */
    private SlurmPriority priority(List<SlurmNodes> nodes, List<String> problems)
            throws UnreachableException, InterruptedException {
        if (!SlurmPriority.isUsed(config)) {
            return SlurmPriority.BASIC;
        }
        long period = Limit.millis(config.getOrDefault("PriorityCalcPeriod", "00:05:00"));
        String[] words = {"sshare", "-a", "-n", "-P", "-o", SlurmShares.FORMAT};
        SharedAnswer.Answer given = sharedAnswer(words, (int) Math.max(OFTEN, Math.min(SELDOM, period)), () -> {
            CommandRunner.Answer answer = commands.query(words);
            return answer.isGood() ? answer.out() : "";
        });
        Map<String, Integer> hosts = new HashMap<>();
        nodes.forEach(group -> group.hosts().forEach(host -> hosts.put(host, group.cores())));
        SlurmPriority priority = new SlurmPriority(
                config,
                Map.copyOf(jobFactors),
                qualities,
                usualQuality,
                Math.max(1, hosts.size()),
                Math.max(1, hosts.values().stream().mapToLong(each -> each).sum()),
                SlurmShares.read(given.text(), user, account));
        if (!priority.unknown().isEmpty()) {
            problems.add("the priority of a new job is uncertain; unknown: " + String.join(", ", priority.unknown()));
        }
        return priority;
    }

    private SharedAnswer.Answer required(long now, String... words) throws UnreachableException, InterruptedException {
        long queried = System.currentTimeMillis();
        SharedAnswer.Answer given =
                sharedAnswer(words, often, () -> commands.required(words).out());
        // The caller's clock may differ from this machine's, by which answers have an age.
        return new SharedAnswer.Answer(now - Math.max(0, queried - given.at()), given.text());
    }

    /** A recent answer of another process, or a new one. */
    private SharedAnswer.Answer sharedAnswer(String[] words, int interval, SharedAnswer.Query query)
            throws UnreachableException, InterruptedException {
        try {
            if (shared != null) {
                String name = "answer-" + words[0] + "-"
                        + Integer.toHexString(String.join(" ", words).hashCode());
                SharedAnswer.Answer given = new SharedAnswer(shared.resolve(name), interval).current(query);
                if (given != null && System.currentTimeMillis() - given.at() <= 2L * interval) {
                    return given;
                }
            }
            return new SharedAnswer.Answer(System.currentTimeMillis(), query.run());
        } catch (UnreachableException e) {
            throw e;
        } catch (IOException e) {
            throw new UnreachableException("queue snapshots cannot be stored: " + e.getMessage());
        }
    }

    private void readConfiguration() throws UnreachableException, InterruptedException {
        seldomProblems.clear();
        config = Scontrol.config(optional("scontrol", "show", "config"));
        reservations = Scontrol.reservations(optional("scontrol", "-o", "show", "reservation"), seldomProblems);
        hosts = HostResources.read(optional("sinfo", "-a", "-h", "-N", "-o", HostResources.FORMAT));
        jobFactors.clear();
        List<SlurmPartition> partitions = SlurmPartition.read(optional("scontrol", "-o", "show", "partition"));
        for (SlurmPartition each : partitions) {
            Integer factor = each.jobFactor();
            if (factor != null) {
                jobFactors.put(each.name(), factor);
            }
        }
        boolean accounting = config.getOrDefault("AccountingStorageType", "").endsWith("slurmdbd");
        limits = accounting ? limits(partitions) : OwnLimits.NONE;
        tiers = PartitionTiers.read(partitions, config, accounting ? preempted() : Map.of());
        if (accounting && SlurmPriority.isUsed(config)) {
            qualities = new HashMap<>();
            String table = optional("sacctmgr", "-nP", "show", "qos", "format=Name,Priority");
            for (String[] cell : Columns.barred(table, 2)) {
                if (cell[1].matches("[0-9]{1,10}")) {
                    qualities.put(cell[0], Long.parseLong(cell[1]));
                }
            }
            account = named.isEmpty()
                    ? optional("sacctmgr", "-nP", "show", "user", user, "format=DefaultAccount")
                            .strip()
                    : named;
        }
    }

    /** The QOS whose jobs ours preempt. */
    private Map<String, Long> preempted() throws UnreachableException, InterruptedException {
        if (!QualityPreemption.isUsed(config)) {
            return Map.of();
        }
        String table = optional("sacctmgr", "-nP", "show", "qos", "format=" + QualityPreemption.FIELDS);
        return QualityPreemption.read(table, config)
                .by(List.of((quality.isEmpty() ? usualQuality : quality).split(",")));
    }

    /** The limits of our associations, of our jobs' QOS and of the QOS of their only partition. */
    private OwnLimits limits(List<SlurmPartition> partitions) throws UnreachableException, InterruptedException {
        String associations = optional(
                "sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=" + OwnLimits.ASSOCIATION);
        String qualities = optional("sacctmgr", "-nP", "show", "qos", "format=" + OwnLimits.QUALITY);
        String ours = quality.isEmpty() ? OwnLimits.quality(associations) : quality;
        usualQuality = ours;
        String ofPartition = partitions.stream()
                .filter(each ->
                        partition.isEmpty() ? each.isDefault() : each.name().equals(partition))
                .map(SlurmPartition::quality)
                .findFirst()
                .orElse("");
        return OwnLimits.ofAssociations(associations)
                .tightest(OwnLimits.ofQuality(qualities, ours))
                .tightest(OwnLimits.ofQuality(qualities, ofPartition));
    }

    /** The output of a command; if it fails, adds a problem and returns its last good answer, or an empty text. */
    private String optional(String... words) throws UnreachableException, InterruptedException {
        SharedAnswer.Answer given = sharedAnswer(words, SELDOM, () -> {
            CommandRunner.Answer answer = commands.query(words);
            return answer.isGood() ? answer.out() : REFUSED + answer.why();
        });
        if (given.text().startsWith(REFUSED)) {
            seldomProblems.add(String.join(" ", List.of(words).subList(0, Math.min(3, words.length))) + ": "
                    + given.text().substring(REFUSED.length()));
            return known.getOrDefault(List.of(words), "");
        }
        known.put(List.of(words), given.text());
        return given.text();
    }
}
