package io.sheaf.slurm;

import io.sheaf.formats.ShellWords;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.slurm.whatif.SlurmPools;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The submission of a pilot job: the arguments of {@code sbatch}, and the script on its standard input.
 *
 * <p>Options are arguments instead of script lines: they override the user's {@code SBATCH_*} variables, and values
 * need no quoting. The script runs one agent per node, in a step that leaves the cores to the tasks' steps.
 */
final class SlurmScript {
    private static final long MINUTE = 60_000;

    /** Prints the seconds until a preempted job loses its nodes: the grace of its partition. */
    private static final String NOTICE = "at=$(SLURM_TIME_FORMAT=%s scontrol -o show job $SLURM_JOB_ID"
            + " | grep -o 'PreemptTime=[0-9]*' | cut -d= -f2); "
            + "grace=$(scontrol -o show partition $SLURM_JOB_PARTITION | grep -o 'GraceTime=[0-9]*' | cut -d= -f2); "
            + "[ -z \"$at\" ] || echo $((at + grace - $(date +%s)))";

    private SlurmScript() {}

    /** The time limit that Slurm grants for a requested one, in milliseconds. */
    static long granted(long millis) {
        return TimeText.wholeMinutes(millis) * MINUTE;
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
        ElasticRequest minimum = ElasticRequest.of(run.options());
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + run.shownName(token),
                "--comment=" + run.name(token),
                "--no-requeue",
                "--nodes=" + minimum.nodes(request.units()),
                "--ntasks-per-node=1",
                "--cpus-per-task=" + run.cores(request.pool()),
                "--time=" + TimeText.wholeMinutes(request.walltime()),
                output(run.folder(token).folder().resolve("output")),
                "--open-mode=append"));
        if (request.node().memory() > 0 && run.options().stream().noneMatch(word -> word.startsWith("--mem"))) {
            words.add("--mem=" + PilotJobScript.mebibytes(request.node().memory()) + "M");
        }
        String gpus = gpus(request.node());
        if (!gpus.isEmpty()) {
            words.add("--gres=" + gpus);
        }
        if (delaySeconds > 0) {
            words.add("--begin=now+" + delaySeconds);
        }
        if (afterJob >= 0) {
            words.add("--dependency=afterany:" + afterJob);
        }
        if (minimum.minutes() > 0) {
            words.add(ElasticRequest.TIME + minimum.minutes(TimeText.wholeMinutes(request.walltime())));
        }
        words.addAll(Submissions.fixed(run.options()));
        words.addAll(SlurmPools.words(run.pools(), request.pool()));
        if (!request.without().isEmpty()) {
            // The last of several such options counts.
            String own = Submissions.value(run.options(), "--exclude", "-x", "");
            words.add("--exclude=" + (own.isEmpty() ? "" : own + ",") + String.join(",", request.without()));
        }
        return words;
    }

    /** GPUs of each type, or of any; Slurm does not mix both. So GPUs of any type count to the type with the most. */
    static String gpus(Resources node) {
        Map<String, Long> types = new TreeMap<>(node.named().map());
        types.keySet().removeIf(name -> !name.startsWith(NamedAmounts.GPU));
        if (types.isEmpty()) {
            return node.gpus() > 0 ? "gpu:" + node.gpus() : "";
        }
        long typed = types.values().stream().mapToLong(count -> count).sum();
        String mainType =
                Collections.max(types.entrySet(), Map.Entry.comparingByValue()).getKey();
        types.merge(mainType, Math.max(0, node.gpus() - typed), Long::sum);
        return types.entrySet().stream()
                .map(type -> type.getKey() + ":" + type.getValue())
                .collect(Collectors.joining(","));
    }

    /** The script, with the submission's arguments as a comment. */
    static String text(PilotJobScript run, long token, Request request) {
        boolean fixed = ElasticRequest.of(run.options()).isNone();
        String nodes = fixed ? Integer.toString(request.units()) : "$SLURM_JOB_NUM_NODES";
        String agent = run.agent(
                token,
                "$SLURM_PROCID",
                fixed ? Long.toString(granted(request.walltime())) : "$2",
                "$((${SLURM_MEM_PER_NODE:-0} > 0 ? ${SLURM_MEM_PER_NODE:-0} : ${SLURM_MEM_PER_CPU:-0} * "
                        + run.cores(request.pool()) + "))",
                request.node().gpus(),
                run.cores(request.pool()));
        return run.begin(token, submission(run, token, request, 0, -1), "$SLURM_JOB_ID", "${SLURM_RESTART_COUNT:-0}")
                + """
                %s# The job's steps are on its own cluster.
                unset SLURM_CLUSTERS
                agent=$(cat <<'AGENT'
                sheaf_notice=%s
                export SHEAF_NODE_NAME=$SLURMD_NODENAME
                %sAGENT
                )
                srun --overlap --nodes=%s --ntasks=%s --ntasks-per-node=1 --cpus-per-task=%d --kill-on-bad-exit=0 --export=ALL \\
                  /bin/bash -c "$agent" agent "$began"%s < /dev/null
                """.formatted(
                        fixed ? "" : ElasticRequest.of(run.options()).read(TimeText.wholeMinutes(request.walltime())),
                        ShellWords.quote(NOTICE),
                        agent,
                        nodes,
                        nodes,
                        run.cores(request.pool()),
                        fixed ? "" : " \"$limit\"")
                + PilotJobScript.END;
    }
}
