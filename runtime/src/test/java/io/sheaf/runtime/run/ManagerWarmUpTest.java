package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ManagerWarmUpTest {
    @Test
    @Timeout(30)
    void theWarmUpCompletesAndLeavesNoFiles(@TempDir Path parent) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(parent.resolve("warm-up"));

        assertThat(ManagerWarmUp.execute(folder)).isEqualTo(RunLoop.Ending.ENDED);

        assertThat(parent).isEmptyDirectory();
    }
}
