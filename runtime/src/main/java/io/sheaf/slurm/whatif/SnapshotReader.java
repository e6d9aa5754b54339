package io.sheaf.slurm.whatif;

import io.sheaf.slurm.SlurmAwayException;
import io.sheaf.slurm.SlurmCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes snapshots by Slurm's commands: one {@code squeue} and one {@code sinfo} each; what seldom changes is asked for every ten minutes.
 *
 * <p>What is missing is told among the snapshot's problems. Only without a queue or nodes there is none.
 */
final class SnapshotReader {
    private static final long SELDOM = 600_000;

    private final SlurmCommands commands;
    private final String user;
    private long askedSeldom = Long.MIN_VALUE;
    private final List<String> seldomProblems = new ArrayList<>();
    private List<SeenReservation> reservations = List.of();
    private final Map<String, Integer> tiers = new HashMap<>();
    private Map<String, String> config = Map.of();
    private OwnLimits limits = OwnLimits.NONE;

    SnapshotReader(SlurmCommands commands, String user) {
        this.commands = commands;
        this.user = user;
    }

    /** The cluster as it is now. */
    Snapshot read(long now) throws SlurmAwayException, InterruptedException {
        if (askedSeldom == Long.MIN_VALUE || now - askedSeldom >= SELDOM) {
            readWhatSeldomChanges();
            askedSeldom = now;
        }
        Columns.Read<SeenJob> jobs = SeenJob.read(required("squeue", "-a", "-h", "-o", SeenJob.FORMAT));
        Columns.Read<SeenNodes> nodes = SeenNodes.read(required("sinfo", "-a", "-h", "-e", "-o", SeenNodes.FORMAT));
        List<String> problems = new ArrayList<>(seldomProblems);
        problems.addAll(jobs.problems());
        problems.addAll(nodes.problems());
        return new Snapshot(
                now, user, jobs.rows(), nodes.rows(), reservations, tiers, config, limits, jobs.lost(), problems);
    }

    private String required(String... words) throws SlurmAwayException, InterruptedException {
        SlurmCommands.Answer answer = commands.ask(words);
        if (!answer.isGood()) {
            throw new SlurmAwayException(words[0] + ": " + answer.why());
        }
        return answer.out();
    }

    private void readWhatSeldomChanges() throws SlurmAwayException, InterruptedException {
        seldomProblems.clear();
        config = Scontrol.config(optional("scontrol", "show", "config"));
        reservations = Scontrol.reservations(optional("scontrol", "-o", "show", "reservation"), seldomProblems);
        tiers.clear();
        for (Map<String, String> partition : Scontrol.records(optional("scontrol", "-o", "show", "partition"))) {
            String tier = partition.getOrDefault("PriorityTier", "");
            if (tier.matches("[0-9]{1,9}")) {
                tiers.put(partition.getOrDefault("PartitionName", ""), Integer.parseInt(tier));
            }
        }
        limits = config.getOrDefault("AccountingStorageType", "").endsWith("slurmdbd") ? limits() : OwnLimits.NONE;
    }

    /** The limits of our associations and of their first quality of service, which jobs have that name none. */
    private OwnLimits limits() throws SlurmAwayException, InterruptedException {
        String associations = optional(
                "sacctmgr", "-nP", "show", "assoc", "where", "user=" + user, "format=" + OwnLimits.ASSOCIATION);
        String qualities = optional("sacctmgr", "-nP", "show", "qos", "format=" + OwnLimits.QUALITY);
        String first = associations.lines().findFirst().orElse("");
        String quality = first.substring(first.lastIndexOf('|') + 1).split(",", -1)[0];
        return OwnLimits.ofAssociations(associations)
                .tightest(OwnLimits.ofQuality(qualities, quality.isEmpty() ? "normal" : quality));
    }

    /** What a command says, or nothing and a problem. */
    private String optional(String... words) throws SlurmAwayException, InterruptedException {
        SlurmCommands.Answer answer = commands.ask(words);
        if (!answer.isGood()) {
            seldomProblems.add(
                    String.join(" ", List.of(words).subList(0, Math.min(3, words.length))) + ": " + answer.why());
            return "";
        }
        return answer.out();
    }
}
