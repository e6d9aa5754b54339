package io.sheaf.slurm;

import io.sheaf.driver.JobState;
import io.sheaf.driver.QueueLine;
import java.util.Set;

/** What the states of Slurm's jobs mean, and the reasons for which they wait. */
final class SlurmState {
    /** Reasons for which a job waits that time does not mend. */
    private static final Set<String> NEVER = Set.of(
            "AssocMaxCpuPerJobLimit",
            "AssocMaxNodePerJobLimit",
            "AssocMaxWallDurationPerJobLimit",
            "BadConstraints",
            "DependencyNeverSatisfied",
            "PartitionConfig",
            "PartitionNodeLimit",
            "PartitionTimeLimit",
            "QOSMaxCpuPerJobLimit",
            "QOSMaxNodePerJobLimit",
            "QOSMaxWallDurationPerJobLimit");

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
        if (NEVER.contains(reason)) {
            return QueueLine.Outlook.NEVER;
        }
        return reason.startsWith("JobHeld") ? QueueLine.Outlook.HELD : QueueLine.Outlook.STARTS;
    }
}
