package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    @TempDir
    Path folder = Path.of("");

    private static int warmUp(Path parent, StringWriter err) {
        return WarmUp.in(parent, new PrintWriter(new StringWriter()), new PrintWriter(err));
    }

    @Test
    void warmUpLeavesNoFiles() {
        StringWriter err = new StringWriter();
        assertThat(warmUp(folder, err)).as(err.toString()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void configurationIsIgnored() throws IOException {
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "sede: 1");
        Run run = Run.in(folder, Map.of("SHEAF_SEED", "many"), "warm-up");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("maximum width", "sheaf ");
    }

    @Test
    void failuresAreReported() {
        assertThat(warmUp(folder.resolve("nowhere"), new StringWriter())).isNotZero();
    }
}
