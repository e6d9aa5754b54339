package io.sheaf.app.lab;

import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Session;
import io.sheaf.lab.ExperimentPlan;
import io.sheaf.lab.experiment.RefusedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The experiment of a command: its file, its variant, and the folders of its data. */
final class ExperimentOptions {
    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "The experiment file; format: docs/reference/experiment-files.md.")
    String file = "";

    @Option(names = "--quick", description = "Use the experiment's quick variant (a few seconds).")
    boolean quick;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder with logs and workflows, besides the experiment's folder; repeatable.")
    List<String> data = new ArrayList<>();

    /** Reads a part of the experiment; null with notes if it is refused. */
    @Nullable
    ExperimentPlan read(double fraction, int shard, int shards, Session session) {
        try {
            return ExperimentPlan.read(
                    OptionText.path(file),
                    data.stream().map(OptionText::path).toList(),
                    new ExperimentPlan.Selection(quick, fraction, shard, shards));
        } catch (RefusedException e) {
            e.problems().forEach(problem -> session.note(problem.getMessage()));
            return null;
        }
    }
}
