package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.app.cli.StandardOutput;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class SheafTest {
    @Test
    void helpListsEveryCommand() {
        Run help = Run.of("--help");
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains(Sheaf.commandNames()).contains("Exit status: 0 success");
        assertThat(Run.of().out()).as("without arguments").isEqualTo(help.out());
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
    void manyOptionsHaveHeadings() {
        assertThat(Run.of("run", "--help").out())
                .startsWith("Usage: sheaf run [OPTIONS] WORKFLOW [-- OPTION...]\n")
                .containsSubsequence(
                        "\nOptions:\n",
                        "--[no-]json",
                        "--[no-]dry-run",
                        "\nWorkflow:\n",
                        "--set",
                        "--rerun",
                        "\nBatch system:\n",
                        "--on",
                        "--account",
                        "--max-time",
                        "--background",
                        "\nNodes and resources:\n",
                        "--nodes",
                        "\nPlanning:\n",
                        "--strategy",
                        "--max-jobs",
                        "--times",
                        "\nManager:\n",
                        "--detach");
        assertThat(Run.of("resume", "--help").out()).contains("[--take-over]").doesNotContain("Options:");
    }

    /** A wrapped example cannot be copied. */
    @Test
    void everyExampleFitsOnALineOfHelp() {
        List<String> examples = examples(Sheaf.allCommands());
        assertThat(examples).hasSizeGreaterThanOrEqualTo(Sheaf.commandNames().size());
        assertThat(examples).allSatisfy(each -> assertThat(each).hasSizeLessThan(100));
    }

    private static List<String> examples(CommandLine command) {
        List<String> found = new ArrayList<>();
        for (String line : command.getCommandSpec().usageMessage().footer()) {
            if (line.contains(": sheaf ")) {
                found.add(line);
            }
        }
        command.getSubcommands().values().forEach(sub -> found.addAll(examples(sub)));
        return found;
    }

    @Test
    void usageErrorsGiveOneLineAndStatus2() {
        assertThat(Run.of("inspct"))
                .isEqualTo(new Run(
                        2, "", "sheaf: unknown command 'inspct'. Did you mean 'inspect'? See 'sheaf --help'.\n"));
        assertThat(Run.of("inspect"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "sheaf inspect: Missing required parameter: 'FILE' (see 'sheaf inspect --help' for usage)\n"));
        assertThat(Run.of("config", "--bogus"))
                .isEqualTo(new Run(
                        2, "", "sheaf config: Unknown option: '--bogus' (see 'sheaf config --help' for usage)\n"));
    }

    @Test
    void versionNamesSheafAndJava() {
        // The version is unknown if Maven did not build the classes.
        assertThat(Run.of("--version").out()).matches("""
                        sheaf (\\d+\\.\\d+\\.\\d+( \\(commit [0-9a-f]{7,40}(-dirty)?\\))?|unknown version \\(not built by Maven\\))
                        Java \\d+.* \\(.*, /.*\\)
                        """);
    }

    @Test
    void writeErrorsIncludeAdvice() {
        Path here = Path.of("/home/me");
        assertThat(Sheaf.advice(new IOException("No space left on device"), here))
                .isEqualTo(". Free space, or use a folder on another file system (here: /home/me)");
        assertThat(Sheaf.advice(new FileSystemException("/ro/runs", null, "Read-only file system"), here))
                .isEqualTo(". Use a folder that you can write");
        assertThat(Sheaf.advice(new IOException("Broken pipe"), here)).isEmpty();
    }

    @Test
    void aParameterWithoutAValueIsExplained() {
        assertThat(Run.of("run", "w.yaml", "--set", "mode").err())
                .startsWith(
                        "sheaf run: Value for option '--set' (NAME=VALUE) should be in KEY=VALUE format but was mode");
    }

    @Test
    void aFullOutputDeviceIsReported() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/full")), "no device that is always full");
        try (var full = new FileOutputStream("/dev/full")) {
            assertThat(generateTo(full))
                    .isEqualTo(new Run(3, "", "sheaf: cannot write to standard output: No space left on device\n"));
        }
    }

    @Test
    void aClosedPipeCausesNoMessage() throws IOException {
        try (var pipe = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        }) {
            assertThat(generateTo(pipe)).isEqualTo(new Run(3, "", ""));
        }
    }

    private static Run generateTo(OutputStream to) {
        StandardOutput printed = new StandardOutput(to);
        PrintWriter out = new PrintWriter(new OutputStreamWriter(printed, StandardCharsets.UTF_8));
        StringWriter err = new StringWriter();
        Map<String, String> environment = Map.of("SHEAF_SITE_CONFIG", "nowhere");
        int status = new Sheaf(out, new PrintWriter(err), environment, Path.of(""))
                .runTo(printed, "generate", "chain", "-n", "3");
        return new Run(status, "", err.toString());
    }

    /** The setting is an option, a variable or in the configuration; the option has precedence. */
    @Test
    void verboseErrorsHaveAStackTrace(@TempDir Path folder) throws IOException {
        Map<String, String> plain = Map.of("SHEAF_SITE_CONFIG", "nowhere");
        Map<String, String> verbose = Map.of("SHEAF_SITE_CONFIG", "nowhere", "SHEAF_VERBOSE", "true");
        String line = "sheaf: none.yaml: there is no such file\n";
        assertThat(Run.in(folder, plain, "inspect", "none.yaml").err()).isEqualTo(line);
        assertThat(Run.in(folder, plain, "inspect", "none.yaml", "--verbose").err())
                .startsWith(line)
                .contains("InputException");
        assertThat(Run.in(folder, verbose, "inspect", "none.yaml").err())
                .startsWith(line)
                .contains("InputException");
        assertThat(Run.in(folder, verbose, "inspect", "none.yaml", "--no-verbose")
                        .err())
                .isEqualTo(line);
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "verbose: true");
        assertThat(Run.in(folder, plain, "inspect", "none.yaml").err())
                .startsWith(line)
                .contains("InputException");
    }
}
