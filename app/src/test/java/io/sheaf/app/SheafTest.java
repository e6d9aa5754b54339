package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SheafTest {
    @Test
    void helpListsEveryCommand() {
        Run help = Run.of("--help");
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains(Sheaf.commandNames()).contains("Exit status: 0 done");
        assertThat(Run.of().out()).as("no word at all").isEqualTo(help.out());
    }

    static Iterable<String> commands() {
        return Sheaf.commandNames();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithAnExample(String command) {
        Run help = Run.of(command, "--help");
        assertThat(help.status()).isZero();
        assertThat(help.out())
                .startsWith("Usage: sheaf " + command)
                .contains("Example: sheaf " + command, "--[no-]json", "--[no-]verbose");
        assertThat(help.err()).isEmpty();
    }

    @Test
    void usageErrorsAreOneLineAndTwo() {
        assertThat(Run.of("inspct"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "sheaf: there is no command 'inspct'. Did you mean 'inspect'? 'sheaf --help' lists them.\n"));
        assertThat(Run.of("inspect"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "sheaf inspect: Missing required parameter: 'FILE' ('sheaf inspect --help' tells more)\n"));
        assertThat(Run.of("config", "--bogus"))
                .isEqualTo(
                        new Run(2, "", "sheaf config: Unknown option: '--bogus' ('sheaf config --help' tells more)\n"));
    }

    @Test
    void versionNamesSheafAndJava() {
        assertThat(Run.of("--version").out()).matches("sheaf \\d+\\.\\d+\\.\\d+.*\nJava \\d+.*\n");
    }
}
