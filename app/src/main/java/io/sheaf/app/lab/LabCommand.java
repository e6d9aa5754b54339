package io.sheaf.app.lab;

import io.sheaf.app.cli.SheafCommand;
import picocli.CommandLine.Command;

/** The command {@code lab}: runs experiments and reports on them. */
@Command(
        name = "lab",
        description = "Run experiments: simulate many workflows, clusters and strategies from one file.",
        subcommands = {LabRunCommand.class, LabMergeCommand.class, LabReportCommand.class, LabShowCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example: sheaf lab run experiments/thesis-chapter7.yaml --quick"})
public final class LabCommand extends SheafCommand {
    @Override
    public Integer call() {
        throw usage("missing subcommand: run, merge, report or show");
    }
}
