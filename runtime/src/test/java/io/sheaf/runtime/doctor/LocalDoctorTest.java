package io.sheaf.runtime.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of this machine. */
class LocalDoctorTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aMachineThatCanRunTestsCanRunWorkflows() throws IOException {
        List<Finding> findings = new LocalDoctor(folder).findings();
        assertThat(findings)
                .extracting(Finding::subject)
                .contains("Java", "file system", "space", "clock", "ports", "limits", "site");
        assertThat(findings).noneMatch(finding -> finding.grade() == Finding.Grade.BAD);
        assertThat(findings)
                .filteredOn(finding -> finding.grade() == Finding.Grade.GOOD)
                .allMatch(finding -> finding.advice().isEmpty());
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aMissingFolderIsBad() {
        assertThat(new LocalDoctor(folder.resolve("none")).findings())
                .anyMatch(finding -> finding.grade() == Finding.Grade.BAD
                        && finding.subject().equals("file system")
                        && finding.advice().contains("--run-dir"));
    }
}
