package io.sheaf.slurm;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchCommands.NamedJob;
import io.sheaf.runtime.batch.BatchCommands.Submitted;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.slurm.whatif.HostList;
import io.sheaf.slurm.whatif.HostResources;
import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the output of Slurm's commands; pure functions. */
final class SlurmAnswers {
    /**
     * The format of {@code squeue} for {@link #queue}: id, state, start, reason. Ids of array elements end with an
     * underscore and an index.
     */
    static final String QUEUE_FORMAT = "%i|%T|%S|%r";

    /** The format of {@code squeue} for {@link #found}: id, state, name, comment. */
    static final String FOUND_FORMAT = "%i|%T|%j|%k";

    /**
     * The format of {@code sinfo -N} for {@link #nodes}: name, cores, memory in MiB, state, partition (the default one
     * with a star), generic resources.
     */
    static final String NODE_FORMAT = "%N|%c|%m|%T|%P|%G";

    private static final int NODE_FIELDS = 5;
    private static final Pattern QUEUED =
            Pattern.compile("(\\d+)(?:[_+][^|]*)?\\|([A-Z_]+)\\|(\\d+|N/A|Unknown|NONE|)\\|(.*)");
    private static final Pattern FOUND = Pattern.compile("(\\d+)\\|([A-Z_]+)\\|([^|]*)\\|(.*)");
    private static final Pattern STATE = Pattern.compile("(?m)\\bJobState=([A-Z_]+)");
    private static final Pattern PREEMPTED = Pattern.compile("\\bPreemptTime=\\d");
    private static final Pattern NODES = Pattern.compile("(?m)\\bNodeList=(\\S+)");
    private static final Pattern PARSABLE = Pattern.compile("(?m)^(\\d+)(;\\S+)?$");
    private static final Pattern PRIORITY_TYPE = Pattern.compile("(?m)^PriorityType\\s*=\\s*(\\S+)");
    /** Refusals of options that no size or time of a job changes, by the server or by sbatch itself; others may be temporary. */
    private static final Pattern INVALID = Pattern.compile(
            "Invalid (account|qos|partition name|feature|license|wckey|generic resource)[^\\n]*|Requested reservation is invalid"
                    + "|(?<=sbatch: |sbatch: error: )(option '|(?i:unrecognized|invalid) (option|numeric value|--))[^\\n]*");

    private static final Pattern PRIORITY_FLAGS = Pattern.compile("(?m)^PriorityFlags\\s*=\\s*(\\S*)");

    /** A limit of an association or a QOS other than on submissions. */
    private static final Pattern OTHER_LIMIT = Pattern.compile("(QOS|Assoc)(Max|Grp|Min)(?!Submit)");

    /** Pending reasons of jobs that never start because of a limit per job. */
    private static final Pattern JOB_LIMIT =
            Pattern.compile("(Assoc|QOS)Max((Cpu|Node)(Minutes)?|WallDuration)PerJobLimit");

    /** Other pending reasons of jobs that never start, with their meaning. */
    private static final Map<String, String> NEVER = Map.of(
            "BadConstraints", "no node has the requested features (--constraint)",
            "DependencyNeverSatisfied", "the job that it depends on failed",
            "PartitionConfig",
                    "the partition has no such nodes, or allows no such job: see --cores-per-node and --nodes",
            "PartitionNodeLimit", "more nodes than the partition allows: see --nodes",
            "PartitionTimeLimit", "longer than the partition allows");

    private SlurmAnswers() {}

    /** Parses the user's jobs from {@code squeue -o} {@link #QUEUE_FORMAT}. */
    static List<QueueLine> queue(String text) {
        List<QueueLine> jobs = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.isBlank()) {
                continue;
            }
            Matcher matcher = QUEUED.matcher(line);
            if (!matcher.matches()) {
                throw new InputException("squeue printed '" + line + "', which is not a job");
            }
            String start = matcher.group(3);
            String reason = matcher.group(4);
            String meaning = JOB_LIMIT.matcher(reason).matches()
                    ? "more than your account or --qos allows a job"
                    : NEVER.get(reason);
            jobs.add(new QueueLine(
                    Long.parseLong(matcher.group(1)),
                    state(matcher.group(2)),
                    start.isEmpty() || !Character.isDigit(start.charAt(0)) ? -1 : Long.parseLong(start) * 1000,
                    meaning != null
                            ? QueueLine.Outlook.NEVER
                            : reason.startsWith("JobHeld") ? QueueLine.Outlook.HELD : QueueLine.Outlook.STARTS,
                    meaning == null ? reason : reason + " (" + meaning + ")"));
        }
        return jobs;
    }

    /** Parses a long state name, which all commands print. */
    static JobState state(String state) {
        return switch (state) {
            case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD" ->
                JobState.PENDING;
            case "CONFIGURING" -> JobState.STARTING;
            case "COMPLETING" -> JobState.ENDING;
            case "TIMEOUT", "DEADLINE" -> JobState.EXPIRED;
            case "CANCELLED", "REVOKED" -> JobState.CANCELLED;
            case "PREEMPTED" -> JobState.PREEMPTED;
            case "COMPLETED", "FAILED", "OUT_OF_MEMORY" -> JobState.ENDED;
            case "BOOT_FAIL", "NODE_FAIL" -> JobState.LOST;
            default -> JobState.RUNNING;
        };
    }

    /**
     * The state in a record of {@code scontrol show job}; null if there is none. A job that ended by itself within the grace
     * time of a preemption has another final state, but a preemption time.
     */
    static @Nullable JobState shown(CommandRunner.Answer answer) {
        Matcher matcher = STATE.matcher(answer.out());
        if (!answer.isGood() || !matcher.find()) {
            return null;
        }
        JobState state = state(matcher.group(1));
        return state.isFinal() && PREEMPTED.matcher(answer.out()).find() ? JobState.PREEMPTED : state;
    }

    /** The nodes of a job in a record of {@code scontrol show job}, in order; empty if it has none. */
    static List<String> hosts(CommandRunner.Answer answer) {
        Matcher matcher = NODES.matcher(answer.out());
        return answer.isGood() && matcher.find() ? HostList.expand(matcher.group(1)) : List.of();
    }

    /** Finds jobs with this identity as name or comment in {@code squeue -o} {@link #FOUND_FORMAT}. */
    static List<NamedJob> found(List<String> lines, String name) {
        return lines.stream()
                .map(FOUND::matcher)
                .filter(Matcher::matches)
                .filter(job -> BatchCommands.identity(job.group(3)).equals(name)
                        || job.group(4).equals(name))
                .map(job -> new NamedJob(Long.parseLong(job.group(1)), state(job.group(2))))
                .toList();
    }

    /** Parses the output of {@code sbatch --parsable}. */
    static Submitted submitted(CommandRunner.Answer answer) {
        if (!answer.isGood()) {
            return Submitted.refused(answer.why(), isForLimits(answer.why()));
        }
        Matcher matcher = PARSABLE.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : SlurmCommands.UNKNOWN);
    }

    /** Whether a job limit caused the rejection, so that a later submission may succeed. */
    static boolean isForLimits(String refusal) {
        boolean isSubmitLimit = refusal.contains("MaxSubmit") || refusal.contains("GrpSubmit");
        boolean isUnnamedLimit = refusal.contains("job submit limit")
                && !OTHER_LIMIT.matcher(refusal).find();
        return isSubmitLimit || isUnnamedLimit || refusal.contains("Job dependency problem");
    }

    /** What each available host has for tasks. */
    static Map<String, Resources> hosts(List<String> lines) {
        Map<String, Resources> hosts = new HashMap<>();
        for (String line : lines) {
            String[] field = line.split("\\|", NODE_FIELDS + 1);
            if (field.length >= NODE_FIELDS && !field[3].startsWith("down") && !field[3].startsWith("fail")) {
                String generic = field.length > NODE_FIELDS ? field[NODE_FIELDS] : "";
                hosts.put(field[0], HostResources.of(Integer.parseInt(field[1]), Long.parseLong(field[2]), generic));
            }
        }
        return hosts;
    }

    /**
     * The available nodes of a partition, with the cores of the smallest. An empty name selects the default partition. Of
     * several partitions, separated by commas, the largest one counts: a job gets all its nodes from one.
     */
    static Nodes nodes(List<String> lines, String partition) {
        Set<String> partitions = new HashSet<>(List.of(partition.split(",")));
        Set<String> found = new TreeSet<>();
        Map<String, Set<String>> nodes = new HashMap<>();
        int cores = Integer.MAX_VALUE;
        long memory = 0;
        int gpus = 0;
        Map<String, Long> types = new TreeMap<>();
        for (String line : lines) {
            String[] field = line.split("\\|", NODE_FIELDS + 1);
            if (field.length < NODE_FIELDS) {
                throw new InputException("sinfo printed '" + line + "', which is not a node");
            }
            boolean isDefault = field[4].endsWith("*");
            String name = isDefault ? field[4].substring(0, field[4].length() - 1) : field[4];
            found.add(name);
            boolean up = !field[3].startsWith("down") && !field[3].startsWith("fail");
            if (up && (partition.isEmpty() ? isDefault : partitions.contains(name))) {
                nodes.computeIfAbsent(name, any -> new HashSet<>()).add(field[0]);
                cores = Math.min(cores, Integer.parseInt(field[1]));
                memory = Math.max(memory, Long.parseLong(field[2]) << 20);
                Resources resources = HostResources.of(1, 0, field.length > NODE_FIELDS ? field[NODE_FIELDS] : "");
                gpus = Math.max(gpus, resources.gpus());
                resources.named().map().forEach((type, count) -> types.merge(type, count, Math::max));
            }
        }
        if (nodes.isEmpty()) {
            String why = "no node of partition '" + partition + "' is in service";
            if (partition.isEmpty()) {
                why = "there is no default partition, or no node of it is in service";
            } else if (Collections.disjoint(partitions, found)) {
                why = "there is no partition '" + partition + "'";
            }
            throw new InputException(why + ". Partitions: " + String.join(", ", found) + ". Name one with --partition");
        }
        int largest = nodes.values().stream().mapToInt(Set::size).max().orElse(0);
        return new Nodes(largest, cores, memory, gpus, NamedAmounts.of(types));
    }

    /** Refuses a run whose jobs Slurm would all refuse, from the answer to {@code sbatch --test-only}. */
    static void expectValid(CommandRunner.Answer answer) {
        Matcher invalid = INVALID.matcher(answer.err());
        if (!answer.isGood() && invalid.find()) {
            throw new InputException(
                    "Slurm refuses these options: " + invalid.group() + "; correct the option for sbatch");
        }
    }

    /**
     * Whether a dependent job keeps its queue position, from {@code scontrol show config}.
     *
     * <p>It does with {@code priority/basic}. Otherwise it gains age while it depends on another job only if
     * {@code ACCRUE_ALWAYS} is set.
     */
    static boolean dependentsKeepTheirPlace(String config) {
        Matcher type = PRIORITY_TYPE.matcher(config);
        Matcher flags = PRIORITY_FLAGS.matcher(config);
        return (type.find() && type.group(1).equals("priority/basic"))
                || (flags.find() && flags.group(1).contains("ACCRUE_ALWAYS"));
    }
}
