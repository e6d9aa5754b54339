package io.sheaf.slurm;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.batch.doctor.ClusterDoctor;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.slurm.whatif.SlurmWhatIf;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a Slurm cluster, and a compute node by a probe job of one node and two minutes. The job checks Java, the
 * connection back, file system delay and clocks.
 */
final class SlurmDoctor extends ClusterDoctor<SlurmCommands> {
    private static final SystemAdvice ADVICE = new SystemAdvice(
            "22.05",
            "log in where sbatch works, or set SLURM_CONF and PATH as there",
            "the controller",
            "partition",
            "give another --partition, --constraint or --reservation",
            "--account, --partition or --qos");

    SlurmDoctor(SlurmCommands slurm, List<String> options) {
        super(slurm, options, ADVICE);
    }

    @Override
    protected void check(List<Finding> findings) throws IOException, InterruptedException {
        findings.add(release());
        cluster(findings);
    }

    private Finding release() throws UnreachableException, InterruptedException {
        long from = System.nanoTime();
        String release = commands.commands().query("sinfo", "--version").out().strip();
        CommandRunner.Answer ping = commands.commands().query("scontrol", "ping");
        return ping.out().contains(" is UP")
                ? answered(release, from)
                : Finding.bad(
                        "Slurm", release + ", but: " + ping.why(), "wait, or report it to the site's administrators");
    }

    private void cluster(List<Finding> findings) throws UnreachableException, InterruptedException {
        SlurmWhatIf.Condition condition = commands.whatIf(options, 0).condition(System.currentTimeMillis());
        WhatIf.ClusterState queue = condition.cluster();
        findings.add(Finding.good(
                "partition",
                queue.partition() + ": " + queue.nodes() + " nodes, " + queue.allocated() + " allocated, " + queue.out()
                        + " more out of service"));
        condition
                .obstacles()
                .forEach(obstacle -> findings.add(Finding.doubtful(
                        "partition", obstacle, "use another partition, or submit and wait until it is up")));
        findings.add(
                condition.hidesJobs()
                        ? Finding.doubtful(
                                "queue",
                                "other users' jobs are hidden (PrivateData)",
                                "nothing to do: waits are estimated from nodes in use and from your own jobs")
                        : Finding.good(
                                "queue",
                                queue.queued() + " jobs are queued; " + Rounded.percent(queue.unmodelledShare())
                                        + " of their node-time is not modelled"));
        condition
                .problems()
                .forEach(problem -> findings.add(Finding.doubtful("queue", problem, "estimates work without it")));
        List<String> limits = new ArrayList<>();
        condition.limits().forEach((name, value) -> limits.add(value + " " + name));
        String text = limits.isEmpty() ? "none set" : String.join(", ", limits);
        int advice = condition.refused().indexOf(". ");
        findings.add(
                advice < 0
                        ? Finding.good("limits", text)
                        : Finding.bad(
                                "limits",
                                text + ": " + condition.refused().substring(0, advice),
                                condition.refused().substring(advice + 2)));
    }

    @Override
    protected BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=sheaf-doctor",
                "--no-requeue",
                "--nodes=1",
                "--time=2",
                SlurmScript.output(output)));
        words.addAll(options);
        return commands.submit(script, words);
    }

    @Override
    protected String state(long job) throws IOException, InterruptedException {
        return commands.commands()
                .query("squeue", "-h", "-j", Long.toString(job), "-o", "%T (%r)")
                .out()
                .strip();
    }

    @Override
    protected boolean isWaiting(String state) {
        return state.startsWith("PENDING");
    }
}
