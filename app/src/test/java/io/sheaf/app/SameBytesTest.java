package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.strategy.Strategies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that output is identical for any number of threads and on any JDK. The digests were computed on JDK 17;
 * {@code ./test all} runs this test on another JDK, too.
 *
 * <p>After a deliberate change of decisions, pictures or output, check the difference and copy the new digests from the
 * failure message.
 */
class SameBytesTest {
    @TempDir
    Path folder = Path.of("");

    private String montage = "";

    @BeforeEach
    void generate() {
        montage = folder.resolve("montage.json").toString();
        assertThat(Run.of("generate", "montage", "--tasks", "60", "--work", "60h", "--seed", "5", "-o", montage)
                        .status())
                .isZero();
    }

    @Test
    void generatedWorkflowsAreReproducible() throws IOException {
        assertThat(digest(Files.readString(Path.of(montage)))).isEqualTo("3291d941ff165fe2");
    }

    @Test
    void simulationsAreReproducibleWithEveryStrategy() {
        StringBuilder all = new StringBuilder();
        for (String strategy : Strategies.NAMES) {
            all.append(Run.line("simulate " + montage + " --model kth-like --days 12 --start 3d --strategy " + strategy
                            + " --task-times spread:0.2 --json")
                    .out());
        }
        assertThat(digest(all.toString())).isEqualTo("941808ed3b5292ca");
    }

    @Test
    void comparisonsAreTheSameOnAnyNumberOfThreads() {
        for (String threads : new String[] {"1", "3"}) {
            String out = Run.line("compare " + montage
                            + " --model sdsc-like --days 8 --start 2d --every 12h --for 2d --threads " + threads
                            + " --json")
                    .out();
            assertThat(digest(out.replace(montage, "montage.json"))).isEqualTo("a97327ea85ce0c95");
        }
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
