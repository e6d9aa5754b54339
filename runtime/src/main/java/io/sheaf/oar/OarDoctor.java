package io.sheaf.oar;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.ShellWord;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.doctor.ClusterChecks;
import io.sheaf.runtime.batch.doctor.NodeProbe;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks an OAR cluster, and one of its nodes by a probe job. */
final class OarDoctor implements NodeProbe.Job {
    private static final ClusterChecks CHECKS = new ClusterChecks(
            OarCommands.SYSTEM.title(),
            "2.5.9",
            "log in where oarsub works, or set PATH as there",
            "the server or its database",
            "nodes",
            "wait, or report it to the site's administrators");

    private final OarCommands commands;
    private final List<String> options;

    /** Creates a doctor whose probe jobs use these options. */
    OarDoctor(OarCommands commands, List<String> options) {
        this.commands = commands;
        this.options = List.copyOf(options);
    }

    /**
     * Runs all checks.
     *
     * @param folder a folder that compute nodes can access
     * @param timeout maximum wait for the probe job, in milliseconds; 0 to submit none
     */
    List<Finding> findings(Path folder, long timeout) throws InterruptedException {
        ClusterChecks.Steps steps = findings -> {
            findings.add(release());
            Nodes nodes = commands.nodes(options);
            findings.add(Finding.good("nodes", nodes.count() + " of " + nodes.cores() + " cores or more"));
            findings.add(others());
        };
        return CHECKS.findings(steps, new NodeProbe(this, folder, NodeProbe.GIVE), timeout);
    }

    private Finding release() throws UnreachableException, InterruptedException {
        long from = System.nanoTime();
        String answer = commands.commands().ask("oarstat", "-V").out();
        long millis = (System.nanoTime() - from) / 1_000_000;
        String release =
                answer.replaceAll("(?s).*version\\s*:\\s*(\\S+).*", "$1").strip();
        return CHECKS.answered(release, millis);
    }

    /** Checks {@code oarsh}, which starts agents on further nodes. Without arguments it ends immediately. */
    private Finding others() throws InterruptedException {
        try {
            commands.commands().order(null, "oarsh");
            return Finding.good("oarsh", "there, for jobs of several nodes");
        } catch (UnreachableException e) {
            return Finding.doubtful(
                    "oarsh",
                    String.valueOf(e.getMessage()),
                    "jobs of several nodes cannot be used without it: give --nodes 1");
        }
    }

    @Override
    public BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "oarsub",
                "--name=sheaf-doctor",
                "--resource=/nodes=1/resource_id=1,walltime=0:02:00",
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null"));
        words.addAll(options);
        words.add("/bin/bash " + ShellWord.quoted(script.toString()) + " > " + ShellWord.quoted(output.toString())
                + " 2>&1");
        return commands.submit(words);
    }

    @Override
    public String state(long job) throws IOException, InterruptedException {
        OarJson answer = commands.job(job);
        return answer == null || OarAnswers.state(answer).isFinal()
                ? ""
                : answer.text("state") + " (" + answer.text("message") + ")";
    }

    @Override
    public boolean isWaiting(String state) {
        return state.startsWith("Waiting") || state.startsWith("Hold");
    }

    @Override
    public void cancel(long job) throws IOException, InterruptedException {
        commands.commands().order(null, "oardel", Long.toString(job));
    }
}
