package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.SharedAnswer;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots with one {@code squeue} and one {@code sinfo} each, and another {@code squeue} where memory is counted; queries of rarely changing data run every ten
 * minutes.
 *
 * <p>Missing data is listed in the snapshot's problems. Only a missing queue or node list is an error. With a folder,
 * all processes of the user share the answers for the same interval.
 */
final class SnapshotReader {
    private static final int SELDOM = 600_000;
    private static final int OFTEN = NewestAnswer.APART;

    /** The prefix of a failed command's output; no valid answer begins with it. */
    private static final String REFUSED = "\0";

    private final CommandRunner commands;
    private final String user;
    private final String quality;
    private final @Nullable Path shared;
    private long askedSeldom = Long.MIN_VALUE;
    private final List<String> seldomProblems = new ArrayList<>();
    private List<SlurmSnapshot.Reservation> reservations = List.of();
    private final Map<String, Integer> tiers = new HashMap<>();
    private Map<String, String> config = Map.of();
    private OwnLimits limits = OwnLimits.NONE;
    private Map<String, Resources> hosts = Map.of();

    /**
     * Creates a reader that shares nothing.
     *
     * @param quality the QOS of our jobs, whose limits apply; empty if they name none
     */
    SnapshotReader(CommandRunner commands, String user, String quality) {
        this(commands, user, quality, null);
    }

    /** Creates a reader that shares answers in a folder of the user for this cluster. */
    SnapshotReader(CommandRunner commands, String user, String quality, @Nullable Path shared) {
        this.commands = commands;
        this.user = user;
        this.quality = quality;
        this.shared = shared;
    }

    /** Takes a snapshot. */
    SlurmSnapshot read(long now) throws AwayException, InterruptedException {
        if (askedSeldom == Long.MIN_VALUE || now - askedSeldom >= SELDOM) {
            readWhatSeldomChanges();
            askedSeldom = now;
        }
        SharedAnswer.Told queue = required(now, "squeue", "-a", "-h", "-o", SlurmJob.FORMAT);
        SharedAnswer.Told nodesTold = required(now, "sinfo", "-a", "-h", "-e", "-o", SlurmNodes.FORMAT);
        Columns.Read<SlurmJob> jobs = SlurmJob.read(queue.text());
        Columns.Read<SlurmNodes> nodes = SlurmNodes.read(nodesTold.text());
        SlurmMemory memory = SlurmMemory.isCounted(config) ? memory() : new SlurmMemory(Map.of(), Map.of(), hosts);
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
                        problems)
                .counting(memory);
    }

    /** The memory of nodes and jobs; jobs whose memory cannot be read count with their cores only. */
    private SlurmMemory memory() throws AwayException, InterruptedException {
        String[] words = {"squeue", "-a", "-h", "-O", "JobID:20,tres-alloc:400"};
        SharedAnswer.Told told = told(words, OFTEN, () -> commands.ask(words).out());
        return new SlurmMemory(SlurmMemory.nodes(hosts), SlurmMemory.jobs(told.text()), hosts);
    }

    private SharedAnswer.Told required(long now, String... words) throws AwayException, InterruptedException {
        SharedAnswer.Asking asking = () -> {
            CommandRunner.Answer answer = commands.ask(words);
            if (!answer.isGood()) {
                throw new AwayException(words[0] + ": " + answer.why());
            }
            return answer.out();
        };
        SharedAnswer.Told told = told(words, OFTEN, asking);
        // The caller's clock may differ from this machine's.
        return new SharedAnswer.Told(Math.min(now, told.at()), told.text());
    }

    /** A recent answer of another process, or a new one. */
    private SharedAnswer.Told told(String[] words, int interval, SharedAnswer.Asking asking)
            throws AwayException, InterruptedException {
        try {
            if (shared != null) {
                String name = "told-" + words[0] + "-"
                        + Integer.toHexString(String.join(" ", words).hashCode());
                SharedAnswer.Told told = new SharedAnswer(shared.resolve(name), interval).look(asking);
                if (told != null && System.currentTimeMillis() - told.at() <= 2L * interval) {
                    return told;
                }
            }
            return new SharedAnswer.Told(System.currentTimeMillis(), asking.ask());
        } catch (AwayException e) {
            throw e;
        } catch (IOException e) {
            throw new AwayException("what Slurm says cannot be kept: " + e.getMessage());
        }
    }

    private void readWhatSeldomChanges() throws AwayException, InterruptedException {
        seldomProblems.clear();
        config = Scontrol.config(optional("scontrol", "show", "config"));
        reservations = Scontrol.reservations(optional("scontrol", "-o", "show", "reservation"), seldomProblems);
        hosts = HostResources.read(optional("sinfo", "-a", "-h", "-N", "-o", HostResources.FORMAT));
        tiers.clear();
        for (Map<String, String> partition : Scontrol.records(optional("scontrol", "-o", "show", "partition"))) {
            String tier = partition.getOrDefault("PriorityTier", "");
            if (tier.matches("[0-9]{1,9}")) {
                tiers.put(partition.getOrDefault("PartitionName", ""), Integer.parseInt(tier));
            }
        }
        limits = config.getOrDefault("AccountingStorageType", "").endsWith("slurmdbd") ? limits() : OwnLimits.NONE;
    }

    /** The limits of our associations and of our jobs' QOS. */
    private OwnLimits limits() throws AwayException, InterruptedException {
        String associations = optional(
                "sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=" + OwnLimits.ASSOCIATION);
        String qualities = optional("sacctmgr", "-nP", "show", "qos", "format=" + OwnLimits.QUALITY);
        String ours = quality.isEmpty() ? OwnLimits.quality(associations) : quality;
        return OwnLimits.ofAssociations(associations).tightest(OwnLimits.ofQuality(qualities, ours));
    }

    /** The output of a command; if it fails, adds a problem and returns an empty text. */
    private String optional(String... words) throws AwayException, InterruptedException {
        SharedAnswer.Told told = told(words, SELDOM, () -> {
            CommandRunner.Answer answer = commands.ask(words);
            return answer.isGood() ? answer.out() : REFUSED + answer.why();
        });
        if (told.text().startsWith(REFUSED)) {
            seldomProblems.add(String.join(" ", List.of(words).subList(0, Math.min(3, words.length))) + ": "
                    + told.text().substring(REFUSED.length()));
            return "";
        }
        return told.text();
    }
}
