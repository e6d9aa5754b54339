package io.sheaf.runtime.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of site files, and checks of their owners and permissions. */
class LimitsFileTest {
    @TempDir
    Path folder = Path.of("");

    private Path file(String name, String permissions, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private static String ownerOf(Path file) throws IOException {
        return Files.getOwner(file).getName();
    }

    @Test
    void theTighterOfTwoLimitsCounts() throws IOException {
        Path system =
                file("a", "rw-r--r--", "queued-placeholders: 20\nsubmissions-per-hour: 60\nledger: /shared/sheaf\n");
        Path installed = file("b", "rw-r--r--", "queued-pilot-jobs: 5\nsubmissions-per-hour: 100\n");
        assertThat(LimitsFile.limits(system, ownerOf(system), installed))
                .isEqualTo(new SubmissionLimits(5, 60, SubmissionLimits.ANY, Path.of("/shared/sheaf")));
        assertThat(LimitsFile.limits(folder.resolve("none"), "root", folder.resolve("none")))
                .isEqualTo(SubmissionLimits.NONE);
    }

    @Test
    void aFileThatOtherUsersMayWriteIsRefused() throws IOException {
        Path group = file("a", "rw-rw-r--", "queued-placeholders: 20\n");
        assertThatThrownBy(() -> LimitsFile.read(group, ""))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(
                        "can be written by its group; only its owner may change a site file (chmod go-w)");
        Path world = file("b", "rw-r--rw-", "queued-placeholders: 20\n");
        assertThatThrownBy(() -> LimitsFile.read(world, "")).hasMessageContaining("can be written by all users");
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws IOException {
        Path file = file("a", "rw-r--r--", "queued-placeholders: 20\n");
        assertThatThrownBy(() -> LimitsFile.read(file, "nobody-at-all"))
                .hasMessageContaining("a site file must belong to nobody-at-all");
    }

    @Test
    void mistakesAreReportedWithTheirLine() throws IOException {
        Path file = file("a", "rw-r--r--", "queued-placeholders: 20\nsubmisions-per-hour: 3\n");
        assertThatThrownBy(() -> LimitsFile.read(file, ""))
                .hasMessageStartingWith(file + ":2:1: unknown limit 'submisions-per-hour'.")
                .hasMessageContaining("submissions-per-hour");
        Path zero = file("b", "rw-r--r--", "queued-placeholders: 0\n");
        assertThatThrownBy(() -> LimitsFile.read(zero, "")).hasMessageContaining("'0' is not a limit");
    }
}
