package io.sheaf.gridengine;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.doctor.ClusterDoctor;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks a Grid Engine cluster, and one of its hosts by a probe job of one slot. */
final class GridEngineDoctor extends ClusterDoctor<GridEngineCommands> {
    private static final SystemAdvice ADVICE = new SystemAdvice(
            "8.1.9",
            "log in where qsub works, or set SGE_ROOT, SGE_CELL and PATH as there",
            "qmaster",
            "slots",
            "see qstat -f and qconf -spl",
            "--account (a project) or --partition (a queue)");

    GridEngineDoctor(GridEngineCommands commands, List<String> options) {
        super(commands, options, ADVICE);
    }

    @Override
    protected void check(List<Finding> findings) throws IOException, InterruptedException {
        long from = System.nanoTime();
        String help = commands.commands().query("qstat", "-help").out();
        commands.jobs();
        findings.add(answered(help.lines().findFirst().orElse(""), from));
        findings.add(slots());
    }

    private Finding slots() throws IOException, InterruptedException {
        QsubOptions requested = QsubOptions.of(options);
        Nodes nodes = commands.slots(requested).nodes();
        if (!requested.environment().isEmpty()) {
            return Finding.good(
                    "slots", requested.environment() + ": " + nodes.count() + " nodes of " + nodes.cores() + " slots");
        }
        String environments =
                String.join(", ", commands.commands().query("qconf", "-spl").lines());
        return Finding.doubtful(
                "slots",
                "jobs of one slot: no parallel environment is named",
                environments.isEmpty()
                        ? "no parallel environment is defined; ask the site's administrators"
                        : "name one: -- -pe NAME, of " + environments);
    }

    @Override
    protected BatchCommands.Submitted submit(Path script, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("qsub", "-terse", "-N", "sheaf-doctor", "-r", "n"));
        QsubOptions requested = QsubOptions.of(options);
        words.addAll(
                List.of("-wd", "/", "-o", "/dev/null", "-j", "y", "-l", requested.limits(120, List.of(), List.of())));
        words.addAll(requested.rest());
        words.addAll(GridEngineScript.program(script));
        return commands.submit(script, words);
    }

    @Override
    protected String state(long job) throws IOException, InterruptedException {
        String letters = GridEngineAnswers.letters(commands.jobs(), job);
        return letters == null ? "" : letters;
    }

    @Override
    protected boolean isWaiting(String state) {
        return state.endsWith("qw");
    }
}
