package io.sheaf.app;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

/** Prints a script that makes a shell complete Sheaf's commands, options and names. */
@Command(
        name = "completion",
        description = "Print a shell script that completes commands, options and values in bash or zsh.",
        footer = {
            "",
            "Example: sheaf completion bash > ~/.local/share/bash-completion/completions/sheaf",
            "In zsh, in ~/.zshrc: autoload -U compinit && compinit && source <(sheaf completion zsh)"
        })
final class CompletionCommand extends SheafCommand {
    private static final Set<String> FILES = Set.of("FILE", "FOLDER", "DIR", "TRACE", "OUT");

    @Parameters(arity = "1", paramLabel = "SHELL", completionCandidates = Shells.class, description = "bash or zsh.")
    String shell = "";

    @Override
    public Integer call() {
        if (!Shells.NAMES.contains(shell)) {
            throw InputException.unknown("shell", shell, Shells.NAMES);
        }
        refuseJson("standard output is the script");
        // One script for both shells: it enables bash-style completion in zsh.
        CommandLine all = Sheaf.allCommands();
        prepare(all.getCommandSpec());
        session().out().println(AutoComplete.bash("sheaf", all));
        return ExitStatus.DONE;
    }

    /**
     * Prepares options and parameters for the completion script: unique labels, and file completion only for paths.
     */
    private static void prepare(CommandSpec command) {
        for (OptionSpec option : List.copyOf(command.options())) {
            if (option.arity().max() > 0) {
                command.remove(option);
                OptionSpec.Builder made = OptionSpec.builder(option.names())
                        .arity(option.arity().toString())
                        .paramLabel(option.longestName().substring(2).replace('-', '_'))
                        .type(FILES.contains(option.paramLabel()) ? Path.class : String.class);
                Iterable<String> candidates = option.completionCandidates();
                command.addOption((candidates == null ? made : made.completionCandidates(candidates)).build());
            }
        }
        for (PositionalParamSpec parameter : List.copyOf(command.positionalParameters())) {
            if (parameter.completionCandidates() == null) {
                command.remove(parameter);
                command.addPositional(PositionalParamSpec.builder()
                        .index(parameter.index().toString())
                        .arity(parameter.arity().toString())
                        .paramLabel(parameter.paramLabel())
                        .type(Path.class)
                        .build());
            }
        }
        command.subcommands().values().forEach(sub -> prepare(sub.getCommandSpec()));
    }

    /** The supported shells. */
    static final class Shells implements Iterable<String> {
        static final List<String> NAMES = List.of("bash", "zsh");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
