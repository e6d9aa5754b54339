package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.DebianPackages;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion script in real shells. */
class CompletionIT {
    private static final int TIMEOUT_SECONDS = 30;

    @TempDir
    Path folder = Path.of("");

    private Path script = Path.of("");

    @BeforeEach
    void writeScript() throws IOException {
        Run run = Run.of("completion", "bash");
        assertThat(run.err()).isEmpty();
        script = Files.writeString(folder.resolve("completion"), run.out());
    }

    /** Passes the words of the line and the index of the word at the cursor, as bash does. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
sheaf resu | resume
sheaf simulate --strategy glu | glume
sheaf plan --model kth | kth-like
sheaf convert --from make | makeflow
sheaf convert --to dagm | dagman
sheaf generate cyber | cybershake
sheaf lab mer | merge
sheaf run --js | --json
sheaf inspect wor | workflow.yaml
sheaf replay --html wor | workflow.yaml
sheaf completion z | zsh
""")
    void bashCompletes(String line, String word) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), "");
        String test = """
                source "$1"; shift
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
                compopt() { :; }
                _complete_sheaf
                printf '%s\\n' "${COMPREPLY[@]}"
                """;
        List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c", test, "test", script.toString()));
        command.addAll(List.of(line.split(" ", -1)));
        Finished shell = Finished.run(folder, Map.of(), TIMEOUT_SECONDS, command);
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out().strip()).isEqualTo(word);
    }

    /** Uses a pseudo-terminal and the tabulator key. */
    @Test
    void zshCompletes() throws IOException, InterruptedException {
        DebianPackages.require("zsh", "zsh");
        String test = """
                zmodload zsh/zpty
                zpty shell 'PS1= zsh -f -i'
                zpty -w shell 'autoload -U compinit && compinit -D -u; source "'$1'"; sheaf() { print -r -- "<$@>" }; echo rea""dy'
                zpty -r -m shell out '*ready*'
                zpty -w -n shell $'sheaf simulate --strategy glu\\t\\n'
                zpty -r -m shell out '*<*>*'
                print -r -- $out
                zpty -d shell
                """;
        Finished shell = Finished.run(
                folder,
                Map.of(),
                TIMEOUT_SECONDS,
                List.of("/usr/bin/zsh", "-f", "-c", test, "test", script.toString()));
        assertThat(shell.out()).contains("<simulate --strategy glume>");
    }
}
