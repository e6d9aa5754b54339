package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.RunPage;
import io.sheaf.lab.ExperimentPlan;
import io.sheaf.lab.RunReplay;
import io.sheaf.lab.ShardMerge;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.text.Rounded;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code lab}: runs experiments and reports on them. */
@Command(
        name = "lab",
        description = "Run experiments: simulate many workflows, clusters and strategies from one file.",
        subcommands = {LabRunCommand.class, LabCommand.Merge.class, LabReportCommand.class, LabCommand.Show.class},
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example: sheaf lab run experiments/thesis-chapter7.yaml --quick"})
public final class LabCommand extends SheafCommand {
    @Override
    public Integer call() {
        throw usage("missing subcommand: run, merge, report or show");
    }

    /** Merges the shards of an experiment. */
    @Command(
            name = "merge",
            description = "Merge the results of an experiment's shards into one table.",
            footer = {"", "Example: sheaf lab merge part1 part2 part3 -o out"})
    static final class Merge extends SheafCommand {
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
                    OptionText.path(output),
                    folders.stream().map(OptionText::path).toList());
            print(
                    out -> out.field("folder", output).field("runs", runs),
                    out -> out.println(Rounded.count(runs) + " runs in " + output));
            return ExitStatus.DONE;
        }
    }

    /** Shows one run of an experiment. */
    @Command(
            name = "show",
            description = "Simulate one run of an experiment again and write an HTML page about it.",
            footer = {"", "Example: sheaf lab show experiments/thesis-chapter7.yaml 42 --quick -o run.html"})
    static final class Show extends SheafCommand {
        @Mixin
        ExperimentOptions experiment = new ExperimentOptions();

        @Parameters(index = "1", paramLabel = "RUN", description = "Number of the run (first column of runs.csv).")
        long run;

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "FILE",
                description = "The HTML file to write.")
        String output = "";

        @Override
        public Integer call() {
            ExperimentPlan plan = experiment.read(1, 1, 1, session());
            if (plan == null) {
                return ExitStatus.BAD_INPUT;
            }
            ReplayedRun shown = RunReplay.of(plan, run);
            RunPage page = new RunPage(shown.record(), shown.where(), BackgroundLoad.UNKNOWN, Map.of());
            OutputFile.write(output, page::write);
            print(
                    out -> out.field("run", run).field("page", output),
                    out -> out.println("run " + run + ": " + shown.name() + ", makespan " + shown.makespanSeconds()
                            + " s; page " + output));
            return ExitStatus.DONE;
        }
    }
}
