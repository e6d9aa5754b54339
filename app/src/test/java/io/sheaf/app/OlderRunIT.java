package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run with journal version 1, whose manager was killed on the embedded cluster while task 'two' of 'one', 'two' and
 * 'three' ran. Each task appends to its output.
 */
class OlderRunIT {
    private static final Path FIXTURE =
            Path.of("src/test/resources/io/sheaf/app/version-1").toAbsolutePath();

    @TempDir
    Path folder = Path.of("");

    @Test
    void aRunOfJournalVersionOneIsResumed() throws IOException, InterruptedException {
        RealRun run = new RealRun(folder);
        try (Stream<Path> files = Files.walk(FIXTURE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = folder.resolve("run").resolve(FIXTURE.relativize(file).toString());
                Files.createDirectories(to.resolveSibling(""));
                Files.copy(file, to);
            }
        }
        Path specification = folder.resolve("run/run.json");
        RunFolder.replace(specification, Files.readString(specification).replace("FOLDER", folder.toString()));
        Files.writeString(folder.resolve("one.txt"), "1\n");
        Process status = run.sheaf("status", "run");
        assertThat(run.await(status)).as(run.errorOutput()).isZero();
        // The host of the killed manager probably differs from this one.
        Process resume = run.sheaf("resume", "run", "--take-over");
        assertThat(run.await(resume)).as(run.errorOutput()).isZero();
        assertThat(run.errorOutput()).contains("an earlier version of Sheaf started this run");
        assertThat(List.of(run.lines("one.txt"), run.lines("two.txt"), run.lines("three.txt")))
                .as("task 'one' did not run again")
                .isEqualTo(List.of(List.of("1"), List.of("1"), List.of("1")));
        Process report = run.sheaf("report", "run");
        assertThat(run.await(report)).as(run.errorOutput()).isZero();
        Process explain = run.sheaf("explain", "run");
        assertThat(run.await(explain)).as(run.errorOutput()).isZero();
    }
}
