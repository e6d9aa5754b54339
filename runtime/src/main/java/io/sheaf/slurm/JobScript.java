package io.sheaf.slurm;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
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
public final class JobScript {
    private static final long MINUTE = 60_000;

    private final PilotJobScript common;
    private final List<String> options;

    /**
     * The scripts of a run.
     *
     * @param cores of each node
     * @param gpus of each node
     * @param options passed on to sbatch
     */
    public JobScript(Launch launch, RunFolder run, String id, int cores, int gpus, List<String> options) {
        common = new PilotJobScript(launch, run, id, cores, gpus, folder(run));
        this.options = List.copyOf(options);
    }

    /** Where each pilot job of a run has a folder. */
    static Path folder(RunFolder run) {
        return run.path().resolve(SlurmSite.NAME);
    }

    /** Slurm counts time limits in whole minutes. */
    public static long minutes(long millis) {
        return (millis + MINUTE - 1) / MINUTE;
    }

    /** The name, and the comment, by which the job of a pilot job is found again. */
    public String name(long token) {
        return common.name(token);
    }

    /**
     * The words of the submission.
     *
     * @param delaySeconds it shall not start earlier than so long from now; 0 if it may
     * @param afterJob the job that must end first; −1 if there is none
     */
    public List<String> submission(long token, Request request, long delaySeconds, long afterJob) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + name(token),
                "--comment=" + name(token),
                "--no-requeue",
                "--nodes=" + request.units(),
                "--ntasks-per-node=1",
                "--cpus-per-task=" + common.cores(),
                "--time=" + minutes(request.walltime()),
                OutputFile.option(JobFolder.of(common.all(), token).folder().resolve("output")),
                "--open-mode=append"));
        if (common.gpus() > 0) {
            words.add("--gres=gpu:" + common.gpus());
        }
        if (delaySeconds > 0) {
            words.add("--begin=now+" + delaySeconds);
        }
        if (afterJob >= 0) {
            words.add("--dependency=afterany:" + afterJob);
        }
        words.addAll(options);
        return words;
    }

    /** The script; the words of its submission stand in it for people. */
    public String text(long token, Request request) {
        String agent = common.agent(token, "$SLURM_PROCID", minutes(request.walltime()) * MINUTE);
        return common.begin(token, submission(token, request, 0, -1), "$SLURM_JOB_ID", "${SLURM_RESTART_COUNT:-0}")
                + """
                agent=$(cat <<'AGENT'
                %sAGENT
                )
                srun --overlap --nodes=%d --ntasks=%d --ntasks-per-node=1 --cpus-per-task=%d --kill-on-bad-exit=0 --export=ALL \\
                  /bin/bash -c "$agent" agent "$began" < /dev/null
                """.formatted(agent, request.units(), request.units(), common.cores())
                + PilotJobScript.END;
    }
}
