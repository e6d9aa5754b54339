package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    @TempDir
    Path runs;

    @Test
    void runsThatStartInOneSecondHaveFoldersOfTheirOwn() throws IOException {
        Path wanted = runs.resolve("words-20261118-054809");
        assertThat(RunCommand.unused(wanted)).isEqualTo(wanted);
        Files.createDirectory(wanted);
        assertThat(RunCommand.unused(wanted)).hasFileName("words-20261118-054809-2");
        Files.createDirectory(RunCommand.unused(wanted));
        assertThat(RunCommand.unused(wanted)).hasFileName("words-20261118-054809-3");
    }
}
