package io.sheaf.sim;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Finds reference files in the folder {@code shared} beside the repository; tests that need them are skipped without it. */
final class SharedFiles {
    private SharedFiles() {}

    /** The lines of a gzipped text file. */
    static List<String> lines(String name) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(find(name)), 1 << 16), StandardCharsets.US_ASCII))) {
            return in.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path find(String name) {
        for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
            Path file = p.resolve("shared").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        String missing = "shared/" + name + " is not there";
        if ("1".equals(System.getenv("SHEAF_REQUIRE_SHARED"))) {
            return fail(missing);
        }
        return abort(missing);
    }
}
