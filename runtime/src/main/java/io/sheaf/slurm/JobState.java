package io.sheaf.slurm;

import io.sheaf.manager.Event;
import java.util.Set;

/** What the states of Slurm's jobs mean; names are the long ones, which all commands print. */
final class JobState {
    private static final Set<String> PENDING =
            Set.of("PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD");
    private static final Set<String> FINAL = Set.of(
            "BOOT_FAIL",
            "CANCELLED",
            "COMPLETED",
            "DEADLINE",
            "FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "REVOKED",
            "TIMEOUT");

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

    private JobState() {}

    /** Whether a pending job with this reason will not start, however long it waits. */
    static boolean isForEver(String reason) {
        return NEVER.contains(reason);
    }

    static boolean isPending(String state) {
        return PENDING.contains(state);
    }

    /** Whether the job is over; one that is COMPLETING is not. */
    static boolean isFinal(String state) {
        return FINAL.contains(state);
    }

    /** Whether what Slurm says of the end proves that nothing runs any more: of a node that fails it does not know. */
    static boolean isSure(String state) {
        return isFinal(state) && !state.equals("NODE_FAIL") && !state.equals("BOOT_FAIL");
    }

    /** How a placeholder has ended that nobody wanted to end. */
    static Event.End end(String state) {
        return switch (state) {
            case "TIMEOUT", "DEADLINE" -> Event.End.EXPIRED;
            case "CANCELLED", "PREEMPTED", "REVOKED" -> Event.End.WITHDRAWN;
            case "COMPLETED", "FAILED", "OUT_OF_MEMORY" -> Event.End.BROKEN;
            default -> Event.End.LOST;
        };
    }
}
