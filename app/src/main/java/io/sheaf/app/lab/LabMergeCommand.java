package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.lab.ShardMerge;
import io.sheaf.text.Rounded;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts the shards of an experiment together. */
@Command(
        name = "merge",
        description = "Makes one table of the shards of an experiment, as if it had been run in one piece.",
        footer = {"", "Example: sheaf lab merge part1 part2 part3 -o out"})
final class LabMergeCommand extends SheafCommand {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "The folders of all shards.")
    List<String> folders = List.of();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "The folder for the whole.")
    String output = "";

    @Override
    public Integer call() {
        long runs = ShardMerge.into(
                LabRunCommand.path(output),
                folders.stream().map(LabRunCommand::path).toList());
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object().field("folder", output).field("runs", runs).end();
            }
        } else {
            session().out().println(Rounded.count(runs) + " runs in " + output);
        }
        return ExitStatus.DONE;
    }
}
