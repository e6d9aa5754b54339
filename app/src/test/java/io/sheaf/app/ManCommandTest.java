package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ManCommandTest {
    private static final Set<String> REQUESTS =
            Set.of(".TH", ".nh", ".ad", ".ds", ".SH", ".SS", ".HP", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi");

    @TempDir
    static Path folder = Path.of("");

    private static Run written = new Run(-1, "", "");
    private static final Map<String, String> PAGES = new TreeMap<>();

    @BeforeAll
    static void write() throws IOException {
        written = Run.of("man", folder.resolve("pages").toString());
        try (Stream<Path> files = Files.list(folder.resolve("pages/man1"))) {
            for (Path file : files.toList()) {
                PAGES.put(file.getFileName().toString(), Files.readString(file));
            }
        }
    }

    @Test
    void everyCommandHasAPageWithAllItsOptions() {
        assertThat(written.status()).as(written.err()).isZero();
        assertThat(written.out()).startsWith(PAGES.size() + " pages in ");
        int checked = check(Sheaf.allCommands());
        assertThat(checked).isEqualTo(PAGES.size());
        assertThat(PAGES).containsKeys("sheaf.1", "sheaf-run.1", "sheaf-lab-run.1", "sheaf-serve-drain.1");
    }

    @Test
    void manyOptionsAreGroupedUnderHeadings() {
        assertThat(PAGES.get("sheaf-run.1")).containsSubsequence(".SH OPTIONS", ".SS \"Batch system\"", "account");
        assertThat(PAGES.get("sheaf-resume.1")).doesNotContain(".SS");
    }

    @Test
    void theSynopsisBreaksNoWords() {
        assertThat(PAGES.get("sheaf-run.1")).contains(" [\\-\\-[no\\-]isolated] ");
    }

    private static int check(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName("-");
        String page = PAGES.getOrDefault(name + ".1", "");
        assertThat(page)
                .as(name)
                .contains(".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH \"EXIT STATUS\"", ".SH \"SEE ALSO\"");
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.hidden()) {
                continue;
            }
            String word = option.longestName().substring(2).replace("-", "\\-");
            assertThat(page)
                    .as(name + " " + option.longestName())
                    .containsPattern("\\\\-(\\[no\\\\-\\])?" + Pattern.quote(word + "\\fR"));
        }
        assertThat(page.replaceAll("\\s+", " "))
                .as("description in the help")
                .contains(String.format(command.getCommandSpec().usageMessage().description()[0])
                        .replace("-", "\\-")
                        .replace("'", "\\(aq")
                        .replaceAll("\\s+", " "));
        int pages = 1;
        for (CommandLine sub : command.getSubcommands().values()) {
            pages += check(sub);
        }
        return pages;
    }

    @Test
    void pagesShowBuiltInDefaultsAndExamples() throws IOException {
        String page = String.valueOf(PAGES.get("sheaf-simulate.1"));
        assertThat(page)
                .contains("Random seed (default: 1).")
                .contains(
                        ".nf\nsheaf simulate workflow.json \\-\\-model kth\\-like \\-\\-start 2d \\-\\-strategy glume\n.fi");
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "seed: 77");
        Run second = Run.line(
                folder,
                Map.of("SHEAF_SITE_CONFIG", "nowhere"),
                "man " + folder.resolve("again").toString() + " --json");
        assertThat(second.out()).contains("\"pages\" : " + PAGES.size());
        assertThat(Files.readString(folder.resolve("again/man1/sheaf-simulate.1")))
                .isEqualTo(page);
    }

    @Test
    void pagesUseOnlyKnownRequests() {
        PAGES.forEach((name, page) -> page.lines().skip(1).forEach(line -> {
            if (line.startsWith(".") || line.startsWith("'")) {
                assertThat(REQUESTS).as(name + ": " + line).contains(line.split(" ")[0]);
            }
        }));
    }

    @Test
    void groffReportsNoWarnings() throws Exception {
        assumeTrue(
                Stream.of("/usr/bin/groff", "/usr/local/bin/groff")
                        .map(Path::of)
                        .anyMatch(Files::exists),
                "no groff");
        List<String> line = new ArrayList<>(List.of("groff", "-man", "-Tutf8", "-ww", "-k", "-z"));
        PAGES.keySet()
                .forEach(name ->
                        line.add(folder.resolve("pages/man1").resolve(name).toString()));
        Finished groff = Finished.run(folder, Map.of(), 60, line);
        assertThat(groff.status()).isZero();
        assertThat(groff.err()).isEmpty();
    }

    @Test
    void aFileInPlaceOfTheFolderIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Run refused = Run.of("man", file.toString());
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).startsWith("sheaf: " + file + ": cannot create the folder");
    }
}
