package io.sheaf.slurm;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.FenceMain;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.manager.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is submitted for a placeholder: the words of {@code sbatch}, and the script that it reads from its standard input.
 *
 * <p>Options stand on the command line and not in the script: there they count more than SBATCH_… variables that the user may have set, and no
 * value can end a line. The script runs one agent for each node, in a step that leaves the nodes' cores to steps of tasks.
 */
public final class JobScript {
    private static final long MINUTE = 60_000;

    private final Launch launch;
    private final RunFolder run;
    private final String id;
    private final int cores;
    private final int gpus;
    private final List<String> options;

    /**
     * The scripts of a run.
     *
     * @param cores of each node
     * @param gpus of each node
     * @param options passed on to sbatch
     */
    public JobScript(Launch launch, RunFolder run, String id, int cores, int gpus, List<String> options) {
        this.launch = launch;
        this.run = run;
        this.id = id;
        this.cores = cores;
        this.gpus = gpus;
        this.options = List.copyOf(options);
    }

    /** Slurm counts time limits in whole minutes. */
    public static long minutes(long millis) {
        return (millis + MINUTE - 1) / MINUTE;
    }

    /** The name, and the comment, by which the job of a placeholder is found again. */
    public String name(long token) {
        return name(id, token);
    }

    /** The name of the job of a run's placeholder. */
    public static String name(String run, long token) {
        return "sheaf-" + run + "." + token;
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
                "--cpus-per-task=" + cores,
                "--time=" + minutes(request.walltime()),
                "--output=" + Marks.of(run, token).folder().resolve("output"),
                "--open-mode=append"));
        if (gpus > 0) {
            words.add("--gres=gpu:" + gpus);
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
        String line = submission(token, request, 0, -1).stream()
                .map(ShellWord::quoted)
                .collect(Collectors.joining(" "))
                .replaceAll("\\p{Cntrl}", "?");
        String shared = ShellWord.quoted(run.path().toString());
        String marks = ShellWord.quoted(Marks.of(run, token).folder().toString());
        return """
                #!/bin/bash
                # A placeholder of Sheaf. Submitted by: %s < this
                cd %s || exit 1
                [ ! -e over ] || exit 0
                # Only one job can make this folder, however many are submitted, and only once, however often it is requeued.
                if ! mkdir started; then [ -d started ] && exit 0; exit 1; fi
                began=$(date +%%s%%3N)
                echo "$SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $began" > by.tmp && mv by.tmp by
                # What ends the job is told to the agents as well, which end their tasks first.
                trap : TERM
                agent=$(cat <<'AGENT'
                trap : TERM
                marks=$PWD node=$SLURM_PROCID
                cd %s || exit 1
                mkdir -p agents/%d.$node
                left=$((%d - $(date +%%s%%3N) + $1))
                [ $left -gt 0 ] || left=1
                gpus=${CUDA_VISIBLE_DEVICES:-$ROCR_VISIBLE_DEVICES}
                # Where Slurm only counts them, they have no other names than numbers.
                case $gpus in *[0-9]*) ;; *) gpus=%s ;; esac
                printf '%%s\\n' run=%s cores=%d memory=0 "gpus=$gpus" walltime=$left grace=%d affinity=false \\
                  > agents/%d.$node/start
                SHEAF_RUN=%s SHEAF_PLACEHOLDER=%d %s $node \\
                  < /dev/null >> agents/%d.$node/agent.log 2>&1
                status=$?
                [ $status -eq 0 ] || %s $node >> agents/%d.$node/agent.log 2>&1
                echo $status > "$marks/gone.$node"
                AGENT
                )
                srun --overlap --nodes=%d --ntasks=%d --ntasks-per-node=1 --cpus-per-task=%d --kill-on-bad-exit=0 --export=ALL \\
                  /bin/bash -c "$agent" agent "$began" < /dev/null
                echo $? > ended
                """.formatted(
                        line,
                        marks,
                        shared,
                        token,
                        minutes(request.walltime()) * MINUTE,
                        IntStream.range(0, gpus).mapToObj(Integer::toString).collect(Collectors.joining(",")),
                        ShellWord.quoted(id),
                        cores,
                        AgentSettings.GRACE_MILLIS,
                        token,
                        ShellWord.quoted(id),
                        token,
                        words(launch.onOtherMachines(run, new AgentId(token, 0))),
                        token,
                        words(launch.other(FenceMain.class, List.of(id, Long.toString(token), "0"))),
                        token,
                        request.units(),
                        request.units(),
                        cores);
    }

    /** The words of a command but for the last, which is the node. */
    private static String words(List<String> command) {
        return command.subList(0, command.size() - 1).stream()
                .map(ShellWord::quoted)
                .collect(Collectors.joining(" "));
    }
}
