package io.sheaf.slurm;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is submitted for a pilot job: the words of {@code sbatch}, and the script that it reads from its standard input.
 *
 * <p>Options stand on the command line and not in the script: there they count more than SBATCH_… variables that the user may have set, and no
 * value can end a line. The script runs one agent for each node, in a step that leaves the nodes' cores to steps of tasks.
 */
final class SlurmScript {
    private static final long MINUTE = 60_000;

    private SlurmScript() {}

    /** Slurm counts time limits in whole minutes. */
    static long minutes(long millis) {
        return (millis + MINUTE - 1) / MINUTE;
    }

    /** The time limit of a job for which this one is requested, in milliseconds. */
    static long granted(long millis) {
        return minutes(millis) * MINUTE;
    }

    /**
     * The option that names the file for a job's output. Slurm replaces {@code %j} in the name by the job's number and removes backslashes. In a name with a backslash
     * nothing else is replaced; in any other, a doubled per cent sign stands for one.
     */
    static String output(Path file) {
        String name = file.toString();
        return "--output=" + (name.contains("\\") ? name.replace("\\", "\\\\") : name.replace("%", "%%"));
    }

    /**
     * The words of the submission.
     *
     * @param delaySeconds it shall not start earlier than so long from now; 0 if it may
     * @param afterJob the job that must end first; −1 if there is none
     */
    static List<String> submission(PilotJobScript run, long token, Request request, long delaySeconds, long afterJob) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + run.name(token),
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

    /** The script; the words of its submission stand in it for people. */
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
