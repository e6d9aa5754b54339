package io.sheaf.gridengine;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.doctor.ClusterChecks;
import io.sheaf.runtime.batch.doctor.NodeProbe;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks a Grid Engine cluster, and one of its hosts by a probe job of one slot. */
final class GridEngineDoctor implements NodeProbe.Job {
    private static final ClusterChecks CHECKS = new ClusterChecks(
            GridEngineCommands.SYSTEM.title(),
            "8.1.9",
            "log in where qsub works, or set SGE_ROOT, SGE_CELL and PATH as there",
            "qmaster",
            "slots",
            "see qstat -f and qconf -spl");

    private final GridEngineCommands commands;
    private final List<String> options;

    /** Creates a doctor whose probe jobs use these options. */
    GridEngineDoctor(GridEngineCommands commands, List<String> options) {
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
            findings.add(slots());
        };
        return CHECKS.findings(steps, new NodeProbe(this, folder, NodeProbe.GIVE), timeout);
    }

    private Finding release() throws UnreachableException, InterruptedException {
        long from = System.nanoTime();
        String release = commands.commands()
                .ask("qstat", "-help")
                .out()
                .lines()
                .findFirst()
                .orElse("");
        commands.jobs();
        long millis = (System.nanoTime() - from) / 1_000_000;
        return CHECKS.answered(release, millis);
    }

    private Finding slots() throws IOException, InterruptedException {
        QsubOptions requested = QsubOptions.of(options);
        Nodes nodes = commands.slots(requested).nodes();
        if (!requested.environment().isEmpty()) {
            return Finding.good(
                    "slots", requested.environment() + ": " + nodes.count() + " nodes of " + nodes.cores() + " slots");
        }
        String environments =
                String.join(", ", commands.commands().ask("qconf", "-spl").lines());
        return Finding.doubtful(
                "slots",
                "jobs of one slot: no parallel environment is named",
                environments.isEmpty()
                        ? "there is none; ask the site's administrators"
                        : "name one: -- -pe NAME, of " + environments);
    }

    @Override
    public BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("qsub", "-terse", "-N", "sheaf-doctor", "-r", "n"));
        QsubOptions requested = QsubOptions.of(options);
        words.addAll(List.of("-wd", "/", "-o", "/dev/null", "-j", "y", "-l", requested.limits(120)));
        words.addAll(requested.rest());
        words.addAll(GridEngineScript.program(script));
        return commands.submit(script, words);
    }

    @Override
    public String state(long job) throws IOException, InterruptedException {
        String letters = GridEngineAnswers.letters(commands.jobs(), job);
        return letters == null ? "" : letters;
    }

    @Override
    public boolean isWaiting(String state) {
        return state.endsWith("qw");
    }

    @Override
    public void cancel(long job) throws IOException, InterruptedException {
        commands.commands().order(null, "qdel", Long.toString(job));
    }
}
