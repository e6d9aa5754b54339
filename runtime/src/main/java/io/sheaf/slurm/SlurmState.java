package io.sheaf.slurm;

import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.QueueLine;
import java.util.Map;

/** What the states of Slurm's jobs mean, and the reasons for which they wait. */
final class SlurmState {
    private static final String ACCOUNT = "more than your account or --qos allows a job";

    /** Reasons for which a job waits that time does not mend, and what they mean. */
    private static final Map<String, String> NEVER = Map.ofEntries(
            Map.entry("AssocMaxCpuPerJobLimit", ACCOUNT),
            Map.entry("AssocMaxNodePerJobLimit", ACCOUNT),
            Map.entry("AssocMaxWallDurationPerJobLimit", ACCOUNT),
            Map.entry("BadConstraints", "no node has what is asked for, as by --constraint"),
            Map.entry("DependencyNeverSatisfied", "the job that it follows did not end well"),
            Map.entry(
                    "PartitionConfig",
                    "the partition has no such nodes, or allows no such job: see --cores-per-node and --nodes"),
            Map.entry("PartitionNodeLimit", "more nodes than the partition allows: see --nodes"),
            Map.entry("PartitionTimeLimit", "longer than the partition allows"),
            Map.entry("QOSMaxCpuPerJobLimit", ACCOUNT),
            Map.entry("QOSMaxNodePerJobLimit", ACCOUNT),
            Map.entry("QOSMaxWallDurationPerJobLimit", ACCOUNT));

    private SlurmState() {}

    /** A state by its long name, which all commands print. */
    static JobState of(String state) {
        return switch (state) {
            case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD" ->
                JobState.PENDING;
            case "CONFIGURING" -> JobState.STARTING;
            case "COMPLETING" -> JobState.ENDING;
            case "TIMEOUT", "DEADLINE" -> JobState.EXPIRED;
            case "CANCELLED", "PREEMPTED", "REVOKED" -> JobState.CANCELLED;
            case "COMPLETED", "FAILED", "OUT_OF_MEMORY" -> JobState.ENDED;
            case "BOOT_FAIL", "NODE_FAIL" -> JobState.LOST;
            default -> JobState.RUNNING;
        };
    }

    /** What becomes of a pending job with this reason. */
    static QueueLine.Outlook outlook(String reason) {
        if (NEVER.containsKey(reason)) {
            return QueueLine.Outlook.NEVER;
        }
        return reason.startsWith("JobHeld") ? QueueLine.Outlook.HELD : QueueLine.Outlook.STARTS;
    }

    /** A reason as people are told of it: Slurm's word, and what it means where that ends the matter. */
    static String told(String reason) {
        String meaning = NEVER.get(reason);
        return meaning == null ? reason : reason + " (" + meaning + ")";
    }
}
