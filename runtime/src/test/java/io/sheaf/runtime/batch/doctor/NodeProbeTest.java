package io.sheaf.runtime.batch.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.oar.OarCommands;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of jobs that probe a node are parsed. */
class NodeProbeTest {
    @TempDir
    Path folder = Path.of("");

    /** A doctor whose job leaves a report that cannot be read. */
    private static final class FailingDoctor extends ClusterDoctor<OarCommands> {
        FailingDoctor(OarCommands commands) {
            super(commands, List.of(), new SystemAdvice("", "", "", "", "", ""));
        }

        @Override
        protected void check(List<Finding> findings) {}

        @Override
        protected BatchCommands.Submitted submit(Path script, Path output) throws IOException {
            Files.createDirectory(script.resolveSibling("report"));
            return BatchCommands.Submitted.as(7);
        }

        @Override
        protected String state(long job) {
            throw new AssertionError(job);
        }

        @Override
        protected boolean isWaiting(String state) {
            return false;
        }
    }

    @Test
    void theJobIsCancelledAfterAnError() throws Exception {
        Path command = Files.writeString(folder.resolve("oardel"), "#!/bin/sh\necho \"$@\" > " + folder + "/words\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        Reach reach = Reach.here(Map.of("PATH", folder + ":" + System.getenv("PATH")));
        List<Finding> findings = new FailingDoctor(new OarCommands(reach)).findings(folder, 10_000);
        assertThat(findings).singleElement().asString().contains("could not be checked");
        assertThat(folder.resolve("words")).hasContent("7\n");
    }

    @Test
    void nodeReportsAreParsed() {
        assertThat(NodeProbe.NodeReport.parse(
                        "host n1\njava openjdk version \"17.0.9\" 2023-10-17\nreached 10.0.0.1\nend\n"))
                .satisfies(report -> {
                    assertThat(report.javaRelease()).isEqualTo(17);
                    assertThat(report.reached()).containsExactly("10.0.0.1");
                });
        assertThat(NodeProbe.NodeReport.parse("java java version \"1.8.0_301\"\n")
                        .javaRelease())
                .isEqualTo(8);
        assertThat(NodeProbe.NodeReport.parse("java bash: /opt/java: No such file or directory\n")
                        .javaRelease())
                .isZero();
        assertThat(NodeProbe.NodeReport.isWhole("host n1\nend\n")).isTrue();
        assertThat(NodeProbe.NodeReport.isWhole("host n1\ne")).isFalse();
    }
}
