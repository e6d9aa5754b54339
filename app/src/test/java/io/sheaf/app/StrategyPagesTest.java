package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.strategy.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each strategy has a page, and that the command on the page draws its picture. */
class StrategyPagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGES = ROOT.resolve("docs/strategies");
    private static final Pattern COMMAND =
            Pattern.compile("^sheaf (simulate .* --svg )(docs/images/\\S+)$", Pattern.MULTILINE);
    /** Second names of strategies, which have no page of their own. */
    private static final Map<String, String> SAME = Map.of("individual", "onejobpertask");

    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.map(file -> file.getFileName().toString().replace(".md", ""))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyStrategyHasAPageAndALineInTheOverview() throws IOException {
        List<String> expected = Strategies.NAMES.stream()
                .map(name -> SAME.getOrDefault(name, name))
                .distinct()
                .sorted()
                .toList();
        assertThat(pages()).isEqualTo(expected);
        String overview = Files.readString(ROOT.resolve("docs/reference/strategies.md"));
        for (String name : Strategies.NAMES) {
            assertThat(overview).as(name).contains("`" + name + "`");
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandDrawsThePicture(String name, @TempDir Path folder) throws IOException {
        String page = Files.readString(PAGES.resolve(name + ".md"));
        Matcher command = COMMAND.matcher(page);
        assertThat(command.find()).as("the page has a command with --svg").isTrue();
        assertThat(page).contains("](../" + command.group(2).substring("docs/".length()) + ")");
        Path drawn = folder.resolve("drawn.svg");
        String line = command.group(1).replace("examples/", ROOT + "/examples/") + drawn;
        Run run = Run.of(line.split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(ROOT.resolve(command.group(2))))
                .as("draw the picture again and check it: ./" + command.group())
                .isEqualTo(Files.readString(drawn));
        assertThat(Files.readString(ROOT.resolve("docs/reference/strategies.md")))
                .as("the makespan in the overview")
                .containsPattern("strategies/" + name + "\\.md\\).*\\| " + makespan(run) + "[^|]*\\|\n");
    }

    private static String makespan(Run run) {
        Matcher line = Pattern.compile("^makespan +(.*)$", Pattern.MULTILINE).matcher(run.out());
        assertThat(line.find()).isTrue();
        return Pattern.quote(line.group(1));
    }
}
