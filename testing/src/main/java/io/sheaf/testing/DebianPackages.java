package io.sheaf.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs that slow tests use if they can be had: {@code tools/packages} installs them as root on Debian. */
public final class DebianPackages {
    private static final int TIMEOUT_SECONDS = 600;

    private DebianPackages() {}

    /**
     * Goes on if a program is there, or can be installed with these packages; otherwise the calling test is skipped with the reason.
     *
     * @param program its name; {@code mpicc:mpi.h} for a C compiler that must find a header
     */
    public static void require(String program, String... packages) {
        List<String> words = new ArrayList<>(List.of(RealCluster.tool("packages"), program));
        words.addAll(List.of(packages));
        try {
            Finished installed = Finished.run(Path.of("").toAbsolutePath(), Map.of(), TIMEOUT_SECONDS, words);
            assumeTrue(
                    installed.status() == 0, () -> "skipped: " + installed.err().strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
