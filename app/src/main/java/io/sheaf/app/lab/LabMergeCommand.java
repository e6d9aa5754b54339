package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.lab.ShardMerge;
import io.sheaf.text.Rounded;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Merges the shards of an experiment. */
@Command(
        name = "merge",
        description = "Merge the results of an experiment's shards into one table.",
        footer = {"", "Example: sheaf lab merge part1 part2 part3 -o out"})
final class LabMergeCommand extends SheafCommand {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders of all shards.")
    List<String> folders = List.of();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "Folder for the merged results.")
    String output = "";

    @Override
    public Integer call() {
        long runs = ShardMerge.into(
                LabRunCommand.path(output),
                folders.stream().map(LabRunCommand::path).toList());
        print(
                out -> out.field("folder", output).field("runs", runs),
                out -> out.println(Rounded.count(runs) + " runs in " + output));
        return ExitStatus.DONE;
    }
}
