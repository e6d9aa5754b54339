package io.sheaf.slurm;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The submission of a pilot job: the arguments of {@code sbatch}, and the script on its standard input.
 *
 * <p>Options are arguments instead of script lines: they override the user's {@code SBATCH_*} variables, and values
 * need no quoting. The script runs one agent per node, in a step that leaves the cores to the tasks' steps.
 */
final class SlurmScript {
    private static final long MINUTE = 60_000;

    private SlurmScript() {}

    /** Rounds up to Slurm's whole minutes. */
    static long minutes(long millis) {
        return (millis + MINUTE - 1) / MINUTE;
    }

    /** The time limit that Slurm grants for a requested one, in milliseconds. */
    static long granted(long millis) {
        return minutes(millis) * MINUTE;
    }

    /**
     * The option for a job's output file. Slurm replaces {@code %j} by the job id and removes backslashes. In a name
     * with a backslash it replaces nothing else; in any other name, two per cent signs stand for one.
     */
    static String output(Path file) {
        String name = file.toString();
        return "--output=" + (name.contains("\\") ? name.replace("\\", "\\\\") : name.replace("%", "%%"));
    }

    /**
     * The arguments of the submission.
     *
     * @param delaySeconds the earliest start, in seconds from now; 0 for none
     * @param afterJob the job that must end first; −1 if there is none
     */
    static List<String> submission(PilotJobScript run, long token, Request request, long delaySeconds, long afterJob) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + run.shownName(token),
                "--comment=" + run.name(token),
                "--no-requeue",
                "--nodes=" + request.units(),
                "--ntasks-per-node=1",
                "--cpus-per-task=" + run.cores(),
                "--time=" + minutes(request.walltime()),
                output(JobFolder.of(run.all(), token).folder().resolve("output")),
                "--open-mode=append"));
        if (run.gpus() > 0) {
            words.add("--gres=gpu:" + run.gpus());
        }
        if (delaySeconds > 0) {
            words.add("--begin=now+" + delaySeconds);
        }
        if (afterJob >= 0) {
            words.add("--dependency=afterany:" + afterJob);
        }
        words.addAll(run.options());
        return words;
    }

    /** The script, with the submission's arguments as a comment. */
    static String text(PilotJobScript run, long token, Request request) {
        String agent = run.agent(token, "$SLURM_PROCID", granted(request.walltime()));
        return run.begin(token, submission(run, token, request, 0, -1), "$SLURM_JOB_ID", "${SLURM_RESTART_COUNT:-0}")
                + """
                agent=$(cat <<'AGENT'
                %sAGENT
                )
                srun --overlap --nodes=%d --ntasks=%d --ntasks-per-node=1 --cpus-per-task=%d --kill-on-bad-exit=0 --export=ALL \\
                  /bin/bash -c "$agent" agent "$began" < /dev/null
                """.formatted(agent, request.units(), request.units(), run.cores())
                + PilotJobScript.END;
    }
}
