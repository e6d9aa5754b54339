package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    @TempDir
    Path runs = Path.of("");

    @Test
    void runsOfTheSameSecondHaveSeparateFolders() throws IOException {
        Path preferred = runs.resolve("words-20261118-054809");
        assertThat(RunCommand.unused(preferred)).isEqualTo(preferred);
        Files.createDirectory(preferred);
        assertThat(RunCommand.unused(preferred)).hasFileName("words-20261118-054809-2");
        Files.createDirectory(RunCommand.unused(preferred));
        assertThat(RunCommand.unused(preferred)).hasFileName("words-20261118-054809-3");
    }
}
