package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManagerWarmUpTest {
    @Test
    @Timeout(30)
    void itCompletesAndLeavesNothing() throws IOException, InterruptedException {
        List<Path> before = left();

        assertThat(ManagerWarmUp.play()).isEqualTo(RunLoop.Ending.OVER);

        assertThat(left()).isEqualTo(before);
    }

    private static List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("sheaf-warm-up-"))
                    .sorted()
                    .toList();
        }
    }
}
