package io.sheaf.nextflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import nextflow.exception.AbortOperationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the scope {@code sheaf} of a configuration, and the directives that override it. */
class ClusterSettingsTest {
    private static ClusterSettings settings() {
        return ClusterSettings.read(Map.of("on", "slurm", "partition", "main"), Map.of("SHEAF", "/opt/sheaf"));
    }

    @Test
    void theScopeIsTranslatedIntoOptions() {
        ClusterSettings read = ClusterSettings.read(
                Map.of("coresPerNode", 4, "keepIdleNodes", "5 m", "time", "1 h", "command", "s"), Map.of());
        assertThat(read.arguments()).containsExactly("--cores-per-node=4", "--keep-idle-nodes=5m");
        assertThat(read.time()).isEqualTo("1h");
        assertThat(read.command()).isEqualTo("s");
        assertThat(settings().command()).isEqualTo("/opt/sheaf");
        assertThat(ClusterSettings.read(null, Map.of()).command()).isEqualTo("sheaf");
    }

    @Test
    void queueAndClusterOptionsOfAProcessTakePrecedence() {
        assertThat(settings().of("A", null, List.of())).isEqualTo(settings());
        assertThat(settings()
                        .of("A", "night", List.of("-A", "lab", "--qos=high", "--constraint", "a100"))
                        .arguments())
                .containsExactly("--account=lab", "--constraint=a100", "--on=slurm", "--partition=night", "--qos=high");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--exclusive", "--gres=gpu:1", "-N", "--account"})
    void otherClusterOptionsAreRefusedByName(String word) {
        assertThatThrownBy(() -> settings().of("ALIGN", null, List.of(word)))
                .isInstanceOf(AbortOperationException.class)
                .hasMessageContaining("process 'ALIGN'")
                .hasMessageContaining("'" + word + "'")
                .hasMessageContaining("it accepts --account, --constraint, --partition, --qos, --reservation");
    }

    @Test
    void anUnknownSettingIsRefusedByName() {
        assertThatThrownBy(() -> ClusterSettings.read(Map.of("nods", 3), Map.of()))
                .hasMessageContaining("unknown setting 'sheaf.nods'");
        assertThatThrownBy(() -> ClusterSettings.read("slurm", Map.of())).hasMessageContaining("not a scope");
    }
}
