package io.sheaf.app;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script that makes a shell complete Sheaf's commands, options and names. */
@Command(
        name = "completion",
        description = "Prints a script for bash or zsh that completes commands, options and their values.",
        footer = {
            "",
            "Example: sheaf completion bash > ~/.local/share/bash-completion/completions/sheaf",
            "In zsh, in ~/.zshrc: autoload -U compinit && compinit && source <(sheaf completion zsh)"
        })
final class CompletionCommand extends SheafCommand {
    @Parameters(arity = "1", paramLabel = "SHELL", completionCandidates = Shells.class, description = "bash or zsh.")
    String shell = "";

    @Override
    public Integer call() {
        if (!Shells.NAMES.contains(shell)) {
            throw new InputException("there is no completion for '" + shell + "'." + Nearest.hint(shell, Shells.NAMES)
                    + " There are: " + String.join(", ", Shells.NAMES) + ".");
        }
        refuseJson("standard output holds the script");
        // One script for both: it makes zsh understand bash's way of completing.
        session().out().println(AutoComplete.bash("sheaf", Sheaf.allCommands()));
        return ExitStatus.DONE;
    }

    /** The shells that there are scripts for. */
    static final class Shells implements Iterable<String> {
        static final List<String> NAMES = List.of("bash", "zsh");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
