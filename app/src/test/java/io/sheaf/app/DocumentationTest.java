package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Every command line of the documentation is valid. {@link DocumentationIT} runs them. */
class DocumentationTest {
    private static final CommandLine SHEAF = Sheaf.allCommands().setCaseInsensitiveEnumValuesAllowed(true);

    @Test
    void everyCommandLineIsValid() throws IOException {
        List<String> problems = new ArrayList<>();
        int lines = 0;
        for (String page : DocumentedLines.pages()) {
            for (DocumentedLines.Line line : DocumentedLines.of(page)) {
                lines++;
                String problem = problem(line);
                if (!problem.isEmpty()) {
                    problems.add(line + ": " + problem);
                }
            }
        }
        assertThat(problems).isEmpty();
        assertThat(lines).isGreaterThan(150);
    }

    private static String problem(DocumentedLines.Line line) {
        try {
            SHEAF.parseArgs(line.words().toArray(String[]::new));
            return "";
        } catch (ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sheaf run a.yaml   in words, run a.yaml",
        "./sheaf run a.yaml # in words, run a.yaml",
        "sheaf lab report out --by \"a>1\" > file, lab report out --by a>1",
    })
    void remarksAndRedirectionsAreNotArguments(String line, String expected) {
        assertThat(DocumentedLines.commands(line)).containsExactly("sheaf " + expected);
    }

    @Test
    void aLineMayHaveSeveralCommands() {
        assertThat(DocumentedLines.commands("sheaf status; sheaf watch && sheaf report    as before"))
                .containsExactly("sheaf status", "sheaf watch", "sheaf report");
        assertThat(DocumentedLines.commands("mkdir sheaf")).isEmpty();
    }

    /** The reference lists the commands in the groups of the help. The message of a failure has the correct list. */
    @Test
    void theListOfCommandsMatchesTheHelp() throws IOException {
        String page = Files.readString(DocumentedLines.ROOT.resolve("docs/reference/commands.md"));
        StringBuilder list = new StringBuilder();
        Sheaf.GROUPS.forEach((heading, commands) -> list.append("- " + heading + ": ")
                .append(commands.keySet().stream()
                        .map(DocumentationTest::withSubcommands)
                        .collect(Collectors.joining(", ")))
                .append('\n'));
        assertThat(page).contains(list);
    }

    /** A command in the list, with its subcommands in parentheses. */
    private static String withSubcommands(String name) {
        CommandLine command = Objects.requireNonNull(SHEAF.getSubcommands().get(name));
        Set<String> below = command.getSubcommands().keySet();
        return "`" + name + "`"
                + (below.isEmpty() ? "" : below.stream().collect(Collectors.joining("`, `", " (`", "`)")));
    }

    @Test
    void everyClassOfTheArchitecturePageExists() throws IOException {
        Set<String> sources;
        try (Stream<Path> files = Files.walk(DocumentedLines.ROOT)) {
            sources = files.filter(file -> file.toString().contains("src/main/java"))
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
        }
        String page = Files.readString(DocumentedLines.ROOT.resolve("docs/explanation/architecture.md"));
        List<String> named = Pattern.compile("`([A-Z]\\w+)`")
                .matcher(page)
                .results()
                .map(match -> match.group(1) + ".java")
                .filter(file -> !file.endsWith("Test.java"))
                .toList();
        assertThat(named).hasSizeGreaterThan(50).allMatch(sources::contains);
    }

    @Test
    void unknownCommandsAndOptionsAreFound() {
        assertThat(problem(new DocumentedLines.Line("page", 1, List.of("run", "a.yaml", "--nodse", "3"))))
                .contains("--nodse");
        assertThat(problem(new DocumentedLines.Line("page", 1, List.of("rnu")))).contains("rnu");
    }
}
