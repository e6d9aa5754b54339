package io.sheaf.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.RunLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RehearsalTest {
    @Test
    @Timeout(30)
    void itComesToItsEndAndLeavesNothing() throws IOException, InterruptedException {
        List<Path> before = left();

        assertThat(Rehearsal.play()).isEqualTo(RunLoop.Ending.OVER);

        assertThat(left()).isEqualTo(before);
    }

    private static List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("sheaf-rehearsal-"))
                    .sorted()
                    .toList();
        }
    }
}
