package io.sheaf.oar;

import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.doctor.ClusterDoctor;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks an OAR cluster, and one of its nodes by a probe job. */
final class OarDoctor extends ClusterDoctor<OarCommands> {
    private static final SystemAdvice ADVICE = new SystemAdvice(
            "2.5.9",
            "log in where oarsub works, or set PATH as there",
            "the server or its database",
            "nodes",
            "wait, or report it to the site's administrators",
            "--account (a project) or --partition (a queue)");

    OarDoctor(OarCommands commands, List<String> options) {
        super(commands, options, ADVICE);
    }

    @Override
    protected void check(List<Finding> findings) throws IOException, InterruptedException {
        long from = System.nanoTime();
        String answer = commands.commands().query("oarstat", "-V").out();
        findings.add(answered(
                answer.replaceAll("(?s).*version\\s*:\\s*(\\S+).*", "$1").strip(), from));
        Nodes nodes = commands.nodes(options);
        findings.add(Finding.good("nodes", nodes.count() + " of " + nodes.cores() + " cores or more"));
        findings.add(others());
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
    protected BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "oarsub",
                "--name=sheaf-doctor",
                "--resource=/nodes=1/resource_id=1,walltime=0:02:00",
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null"));
        words.addAll(options);
        words.add("/bin/bash " + ShellWords.quote(script.toString()) + " > " + ShellWords.quote(output.toString())
                + " 2>&1");
        return commands.submit(words);
    }

    @Override
    protected String state(long job) throws IOException, InterruptedException {
        OarJson answer = commands.job(job);
        return answer == null || OarAnswers.state(answer).isFinal()
                ? ""
                : answer.text("state") + " (" + answer.text("message") + ")";
    }

    @Override
    protected boolean isWaiting(String state) {
        return state.startsWith("Waiting") || state.startsWith("Hold");
    }
}
