package io.sheaf.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real logs, workflows and reference results, which their licences keep out of the repository.
 *
 * <p>They are in a folder {@code shared} beside the repository, or in the folder SHEAF_SHARED. Without them a test
 * is skipped with a message; with SHEAF_REQUIRE_SHARED=1 it fails instead, so that no one takes a run without them for a full one.
 */
public final class Shared {
    private static final @Nullable Path FOLDER = locate();

    private Shared() {}

    /** A file or folder in there; the calling test is skipped if it is not there. */
    public static Path path(String relative) {
        Path found = FOLDER == null ? null : FOLDER.resolve(relative);
        boolean exists = found != null && Files.exists(found);
        if (!exists && "1".equals(System.getenv("SHEAF_REQUIRE_SHARED"))) {
            throw new AssertionError("shared/" + relative + " is not there, and SHEAF_REQUIRE_SHARED=1 demands it");
        }
        assumeTrue(exists, () -> "skipped: shared/" + relative + " is not there");
        return Objects.requireNonNull(found);
    }

    /** The files below a folder in there whose names end like this, sorted; a test without any would check nothing and fails. */
    public static List<Path> files(String folder, String ending) {
        try (Stream<Path> all = Files.walk(path(folder))) {
            List<Path> found = all.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new AssertionError("shared/" + folder + " has no file *" + ending);
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Path locate() {
        String configured = System.getenv("SHEAF_SHARED");
        if (configured != null) {
            return Path.of(configured);
        }
        Path at = Path.of("").toAbsolutePath();
        while (at != null) {
            // The folder must be this one and not any other that is called so.
            if (Files.isDirectory(at.resolve("shared/data/workflows"))) {
                return at.resolve("shared");
            }
            at = at.getParent();
        }
        return null;
    }
}
