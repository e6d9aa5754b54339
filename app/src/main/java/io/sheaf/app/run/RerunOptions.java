package io.sheaf.app.run;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.runtime.rerun.FileCheck;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.runtime.rerun.RerunSelection;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that select the tasks to run again, and how changes are detected. */
@HelpHeading(HelpHeading.WORKFLOW)
public final class RerunOptions {
    @Option(
            names = "--rerun",
            paramLabel = "TASK",
            split = ",",
            description =
                    "Rerun these tasks or categories (or 'all') and the tasks that depend on them, even if they are up to date.")
    List<String> rerun = new ArrayList<>();

    @Option(
            names = "--from-task",
            paramLabel = "TASK",
            split = ",",
            description = "Run these tasks and the tasks that depend on them; use their inputs as they are.")
    List<String> from = new ArrayList<>();

    @Option(
            names = "--check",
            paramLabel = "HOW",
            completionCandidates = Candidates.CheckNames.class,
            description =
                    "How to detect changed files: time (size and modification time) or hash (content) (default: ${DEFAULT-VALUE}).")
    String check = "time";

    /** Adds the tasks of {@code --from}, which also has another meaning. */
    public void addFrom(List<String> tasks, Workflow workflow, String otherwise) {
        for (String task : tasks) {
            if (!RerunSelection.exists(workflow, task)) {
                throw new InputException(
                        "--from " + task + ": is neither " + otherwise + " nor a task or category of the workflow");
            }
        }
        from.addAll(tasks);
    }

    FileCheck check() {
        return FileCheck.named(check);
    }

    /**
     * The tasks that must run.
     *
     * @param folder the folder in which tasks run
     */
    public Rerun of(Workflow workflow, Path folder) throws IOException {
        return Rerun.of(workflow, folder, new RerunSelection(rerun, from), check());
    }

    /** The tasks that must run if none is requested. */
    Rerun unselected(Workflow workflow, Path folder) throws IOException {
        return Rerun.of(workflow, folder, RerunSelection.NONE, check());
    }
}
