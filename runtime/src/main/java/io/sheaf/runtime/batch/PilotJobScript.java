package io.sheaf.runtime.batch;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.FenceMain;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.batch.Pools;
import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.cluster.FileStaging;
import io.sheaf.workflow.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The common part of pilot job scripts on all batch systems: they run once, leave the marks of {@link JobFolder},
 * and run an agent on each node.
 *
 * <p>A batch system's own script is {@link #begin}, then {@link #agent} run once on each node, then {@link #END}.
 *
 * @param cores of each node
 * @param all the folder in which each pilot job of the run has one
 * @param options of the batch system, for each submission
 * @param workflow its name, for the names of jobs; may be empty
 * @param pools by which the requests of pilot jobs are numbered
 * @param files of the site, if jobs do not see those of this machine
 */
public record PilotJobScript(
        Launch launch,
        RunFolder run,
        String id,
        int cores,
        Path all,
        List<String> options,
        String workflow,
        Pools pools,
        @Nullable FileStaging files) {
    /** Memory that an agent and the shells around it need on a node, in MiB. */
    public static final int AGENT_MIB = 256;

    /** The last line; it records the exit status of the command before it. */
    public static final String END = "echo $? > ended\n";

    public PilotJobScript {
        options = List.copyOf(options);
    }

    /** The memory to request on a node for the memory of its tasks, with that of the agent, in MiB. */
    public static long mebibytes(long ofTasks) {
        return ((ofTasks - 1) >> 20) + 1 + AGENT_MIB;
    }

    public int cores(int pool) {
        Resources node = pool == Pools.ANY || pools.count() == 0
                ? null
                : pools.pool(pool).node();
        return node == null ? cores : node.cores();
    }

    /** The name of the job of a pilot job for people. */
    public String shownName(long token) {
        return BatchCommands.shownName(workflow, id, token);
    }

    public String name(long token) {
        return BatchCommands.name(id, token);
    }

    /**
     * The head of the script: a second job of the same pilot job, and a cancelled one, end here. Afterwards {@code
     * began} is the start time, in milliseconds.
     *
     * @param submission the submission command, as a comment
     * @param number the shell expression for the job's number
     * @param restarts the shell expression for the number of earlier starts
     */
    public String begin(long token, List<String> submission, String number, String restarts) {
        String line = ShellWords.join(submission).replaceAll("\\p{Cntrl}", "?");
        return """
                #!/bin/bash
                # A pilot job of Sheaf. Submitted by: %s < this
                cd %s || exit 1
                [ ! -e over ] || exit 0
                # Only one job can make this folder, however many are submitted, and only once, however often it is requeued.
                if ! mkdir started; then [ -d started ] && exit 0; exit 1; fi
                began=$(date +%%s%%3N)
                echo "%s %s $began" > by.tmp && mv by.tmp by
                # Signals that end the job are passed to the agents, which end their tasks first.
                trap : TERM
                """.formatted(line, marks(token), number, restarts);
    }

    /** The command for each node of a job that has whole nodes and no GPUs; see {@link #agent(long, String, String, String, int, int)}. */
    public String agent(long token, String node, long limit) {
        return agent(token, node, Long.toString(limit), "0", 0, cores);
    }

    /**
     * The command for each node, run by a bash whose first argument is {@code $began}. A variable {@code sheaf_notice} may have the {@linkplain AgentSettings#notice command} for the grace after a signal.
     *
     * @param node the shell expression for the node's index, from 0
     * @param limit the shell expression for the job's time limit in milliseconds
     * @param memory the shell expression for the job's memory on the node in MiB, 0 if it is not limited
     * @param gpus that the job requests on the node
     * @param itsCores that the job requests on the node
     */
    public String agent(long token, String node, String limit, String memory, int gpus, int itsCores) {
        return """
                trap : TERM
                marks=%s node=%s
                cd %s || exit 1
                mkdir -p agents/%d.$node
                left=$((%s - $(date +%%s%%3N) + $1))
                [ $left -gt 0 ] || left=1
                gpus=${CUDA_VISIBLE_DEVICES:-$ROCR_VISIBLE_DEVICES}
                # Where they are only counted, they have no other names than numbers.
                case $gpus in *[0-9]*) ;; *) gpus=%s ;; esac
                memory=%s
                [ "$memory" -gt 0 ] || memory=$(($(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo) / 1024))
                printf '%%s\\n' run=%s cores=%d memory=$(((memory - %d) << 20)) "gpus=$gpus" walltime=$left grace=%d affinity=false "notice=$sheaf_notice" \\
                  > agents/%d.$node/start
                SHEAF_RUN=%s SHEAF_PLACEHOLDER=%d %s $node \\
                  < /dev/null >> agents/%d.$node/agent.log 2>&1
                status=$?
                [ $status -eq 0 ] || %s $node >> agents/%d.$node/agent.log 2>&1
                echo $status > "$marks/gone.$node"
                """.formatted(
                        marks(token),
                        node,
                        ShellWords.quote(remotePath(run.path()).toString()),
                        token,
                        limit,
                        IntStream.range(0, gpus).mapToObj(Integer::toString).collect(Collectors.joining(",")),
                        memory,
                        ShellWords.quote(id),
                        itsCores,
                        AGENT_MIB,
                        AgentSettings.GRACE_MILLIS,
                        token,
                        ShellWords.quote(id),
                        token,
                        words(launch.onOtherMachines(new RunFolder(remotePath(run.path())), new AgentId(token, 0))),
                        token,
                        words(launch.other(FenceMain.class, List.of(id, Long.toString(token), "0"))),
                        token);
    }

    /** The folder of a pilot job as the job sees it. */
    public JobFolder folder(long token) {
        return JobFolder.of(remotePath(all), token);
    }

    private Path remotePath(Path file) {
        return files == null ? file : files.remotePath(file);
    }

    private String marks(long token) {
        return ShellWords.quote(folder(token).folder().toString());
    }

    /** The words of a command except for the last, which is the node. */
    private static String words(List<String> command) {
        return ShellWords.join(command.subList(0, command.size() - 1));
    }
}
