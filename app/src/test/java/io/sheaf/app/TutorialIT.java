package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tutorial: writes its files, runs its commands and compares their output with the page. */
@Tag("slow")
class TutorialIT {
    private static final Path PAGE =
            Path.of("../docs/tutorials/first-run.md").toAbsolutePath().normalize();
    private static final String ANYTHING = "…";
    private static final int TIMEOUT_SECONDS = 300;

    @TempDir
    Path home = Path.of("");

    /** A file of the page, or a command with its output. */
    private record Step(String file, String command, List<String> shown) {}

    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        String fence = "";
        List<String> block = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```") && fence.isEmpty()) {
                fence = line.substring(3).strip();
                block.clear();
            } else if (line.startsWith("```")) {
                add(fence, List.copyOf(block), steps);
                fence = "";
            } else {
                block.add(line);
            }
        }
        return steps;
    }

    private static void add(String fence, List<String> block, List<Step> steps) {
        if (fence.startsWith("yaml ")) {
            steps.add(new Step(fence.substring(5), "", block));
        } else if (fence.equals("console")) {
            List<String> shown = new ArrayList<>();
            for (String line : block) {
                if (line.startsWith("$ ")) {
                    shown = new ArrayList<>();
                    steps.add(new Step("", line.substring(2), shown));
                } else {
                    shown.add(line);
                }
            }
        }
    }

    /** The shown output as a pattern: a line of only … matches any lines, elsewhere … matches any text of a line. */
    private static Pattern pattern(List<String> shown) {
        StringBuilder pattern = new StringBuilder();
        for (String line : shown) {
            if (line.equals(ANYTHING)) {
                pattern.append("(?:.*\n)*?");
            } else {
                List<String> parts = new ArrayList<>();
                for (String part : line.split(ANYTHING, -1)) {
                    parts.add(Pattern.quote(part));
                }
                pattern.append(String.join(".*", parts)).append("\n");
            }
        }
        return Pattern.compile(pattern.toString());
    }

    @Test
    void everyCommandPrintsTheOutputOfThePage() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(home.resolve("bin"));
        Path sheaf = Files.writeString(bin.resolve("sheaf"), "#!/bin/sh\nexec '" + RealRun.BUILT + "' \"$@\"\n");
        Files.setPosixFilePermissions(sheaf, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path folder = Files.createDirectories(home.resolve("work"));
        Map<String, String> environment = Map.of(
                "PATH", bin + ":" + System.getenv("PATH"),
                "SHEAF_CACHE", RealRun.CACHE.toString(),
                "SHEAF_STATE", home.resolve("state").toString(),
                "HOME", home.toString(),
                "JAVA_HOME", System.getProperty("java.home"));
        List<Step> steps = steps();
        assertThat(steps).as("steps of %s", PAGE).hasSizeGreaterThan(15);
        for (Step step : steps) {
            if (step.command.isEmpty()) {
                Files.write(folder.resolve(step.file), step.shown);
                continue;
            }
            Finished done = Finished.run(
                    folder, environment, TIMEOUT_SECONDS, List.of("sh", "-c", "exec 2>&1; " + step.command));
            assertThat(done.status()).as("%s%n%s", step.command, done.out()).isZero();
            if (!step.shown.isEmpty()) {
                assertThat(done.out()).as(step.command).matches(pattern(step.shown));
            }
        }
        assertThat(folder.resolve("history.html")).content().contains("<svg");
    }
}
