package io.sheaf.runtime.batch.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Reports of jobs that probe a node are parsed. */
class NodeProbeTest {
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
