package io.sheaf.slurm;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.batch.doctor.ClusterChecks;
import io.sheaf.runtime.batch.doctor.NodeProbe;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.slurm.whatif.SlurmWhatIf;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks a Slurm cluster, and a compute node by a probe job of one node and two minutes. The job checks Java, the
 * connection back, file system delay and clocks.
 */
final class SlurmDoctor {
    private static final ClusterChecks CHECKS = new ClusterChecks(
            "Slurm",
            "22.05",
            "log in where sbatch works, or set SLURM_CONF and PATH as there",
            "the controller",
            "partition",
            "give another --partition, --constraint or --reservation");

    private final SlurmCommands slurm;
    private final List<String> options;
    private final Path folder;

    /** Creates a doctor whose probe jobs use these options and a folder that compute nodes can access. */
    SlurmDoctor(SlurmCommands slurm, List<String> options, Path folder) {
        this.slurm = slurm;
        this.options = List.copyOf(options);
        this.folder = folder.toAbsolutePath();
    }

    /**
     * Runs all checks.
     *
     * @param timeout maximum wait for the probe job, in milliseconds; 0 to submit none
     */
    List<Finding> findings(long timeout) throws InterruptedException {
        ClusterChecks.Steps steps = findings -> {
            findings.add(release());
            findings.addAll(cluster());
        };
        NodeProbe node =
                new NodeProbe(new Probe(), folder, "give what the site requires, e.g. --account, --partition or --qos");
        return CHECKS.findings(steps, node, timeout);
    }

    private Finding release() throws UnreachableException, InterruptedException {
        long from = System.nanoTime();
        String release = slurm.commands().ask("sinfo", "--version").out().strip();
        CommandRunner.Answer ping = slurm.commands().ask("scontrol", "ping");
        long millis = (System.nanoTime() - from) / 1_000_000;
        if (!ping.out().contains(" is UP")) {
            return Finding.bad(
                    "Slurm", release + ", but: " + ping.why(), "wait, or report it to the site's administrators");
        }
        return CHECKS.answered(release, millis);
    }

    private List<Finding> cluster() throws UnreachableException, InterruptedException {
        List<Finding> findings = new ArrayList<>();
        SlurmWhatIf.Condition condition = slurm.whatIf(options, 0).look(System.currentTimeMillis());
        WhatIf.Seen queue = condition.seen();
        findings.add(Finding.good(
                "partition",
                queue.partition() + ": " + queue.nodes() + " nodes, " + queue.taken() + " taken, " + queue.out()
                        + " more out of service"));
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
        for (String problem : condition.problems()) {
            findings.add(Finding.doubtful("queue", problem, "estimates work without it"));
        }
        List<String> limits = new ArrayList<>();
        for (Map.Entry<String, String> limit : condition.limits().entrySet()) {
            limits.add(limit.getValue() + " " + limit.getKey());
        }
        findings.add(Finding.good("limits", limits.isEmpty() ? "none set" : String.join(", ", limits)));
        return findings;
    }

    /** The probe job. */
    private final class Probe implements NodeProbe.Job {
        @Override
        public BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(List.of(
                    "sbatch",
                    "--parsable",
                    "--job-name=sheaf-doctor",
                    "--no-requeue",
                    "--nodes=1",
                    "--time=2",
                    SlurmScript.output(output)));
            words.addAll(options);
            return slurm.submit(script, words);
        }

        @Override
        public String state(long job) throws IOException, InterruptedException {
            return slurm.commands()
                    .ask("squeue", "-h", "-j", Long.toString(job), "-o", "%T (%r)")
                    .out()
                    .strip();
        }

        @Override
        public boolean isWaiting(String state) {
            return state.startsWith("PENDING");
        }

        @Override
        public void cancel(long job) throws IOException, InterruptedException {
            slurm.commands().order(null, "scancel", Long.toString(job));
        }
    }
}
