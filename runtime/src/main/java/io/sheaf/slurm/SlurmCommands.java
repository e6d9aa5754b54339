package io.sheaf.slurm;

import io.sheaf.runtime.batch.CommandRunner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How Slurm's commands are run.
 *
 * <p>Times are printed as seconds since 1970 ({@code SLURM_TIME_FORMAT=%s}), and lists of tasks in full. Of the job that this process itself may run in the commands
 * see nothing: a job that is submitted from within another must not inherit its size.
 */
public final class SlurmCommands {
    /** What slurmctld, or the way to it, says when the command itself may be right. */
    private static final List<String> AWAY = List.of(
            "Unable to contact slurm controller",
            "Socket timed out",
            "Connection refused",
            "Connection timed out",
            "Zero Bytes were transmitted",
            "slurm_persist_conn",
            "Transport endpoint",
            "Slurm temporarily unable to accept job",
            "in standby mode",
            "Resource temporarily unavailable",
            "Protocol authentication error",
            "Unspecified error");

    private static final Map<String, String> ASKING = Map.of("SLURM_TIME_FORMAT", "%s", "SLURM_BITSTR_LEN", "0");

    private SlurmCommands() {}

    /**
     * Commands in a folder, with these variables only.
     *
     * @param folder where they are; null if they are in the PATH of the environment
     * @param limitMillis how long each may take
     */
    public static CommandRunner of(@Nullable Path folder, Map<String, String> environment, int limitMillis) {
        Map<String, String> own = new HashMap<>(environment);
        if (environment.containsKey("SLURM_JOB_ID")) {
            own.keySet().removeIf(SlurmCommands::isOfJob);
        }
        return new CommandRunner(folder, own, ASKING, limitMillis, AWAY);
    }

    private static boolean isOfJob(String variable) {
        return (variable.startsWith("SLURM_") || variable.startsWith("SLURMD_"))
                && !variable.equals("SLURM_CONF")
                && !variable.equals("SLURM_CLUSTERS");
    }
}
