package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the built-in platforms and platform files. */
class PlatformsTest {
    @ParameterizedTest
    @CsvSource({
        "P1,96:100:100,[0]",
        "P2,48:50:100 48:150:100,'[1, 0]'",
        "P3,48:50:100 48:400:10,'[1, 0]'",
        "P4,32:100:100 32:200:200 32:300:300,'[0, 1, 2]'",
        "P5,32:100:100 32:200:300 32:300:200,'[0, 1, 2]'",
        "P6,32:100:200 32:200:100 32:300:300,'[0, 1, 2]'",
        "P7,32:100:200 32:200:300 32:300:100,'[0, 1, 2]'",
        "P8,32:100:300 32:200:200 32:300:100,'[0, 1, 2]'",
        "P9,32:100:300 32:200:100 32:300:200,'[0, 1, 2]'"
    })
    void builtInPlatformsEqualThoseOfTableOne(String name, String clusters, String order) {
        Platform platform = Platforms.of(name);
        StringBuilder text = new StringBuilder();
        for (PlatformCluster cluster : platform.clusters()) {
            assertThat(cluster.cores()).isEqualTo(8);
            text.append(text.isEmpty() ? "" : " ").append(cluster.nodes()).append(':');
            text.append(Math.round(cluster.speed())).append(':').append(Math.round(cluster.bandwidth() / 1e6));
        }
        assertThat(text).hasToString(clusters);
        assertThat(platform.publishedOrder()).hasToString(order);
        assertThat(platform.name()).isEqualTo(name);
    }

    @Test
    void aPlatformFileOverridesDefaults(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                clusters:
                  - {name: fast, nodes: 4, cores: 64, speed: 300, bandwidth: 1000, latency: 5, disk: 2000, busyWatts: 400}
                user: {bandwidth: 50}
                fabric: {backbone: 1250}
                """);
        Platform platform = Platforms.of(file.toString());
        assertThat(platform.name()).isEqualTo("mine");
        assertThat(platform.clusters())
                .containsExactly(new PlatformCluster("fast", 4, 64, 300, 1e9, 5 * 1e-6, 2e9, 10, 400));
        assertThat(platform.user()).isEqualTo(new Platform.UserMachine(50e6, 20 * 1e-6, 100e6));
        assertThat(platform.fabric()).isEqualTo(new Platform.Fabric(1.25e9, 100e9, 10 * 1e-6));
        assertThat(platform.cores()).isEqualTo(256);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "clusters: []|there are no clusters; list them below 'clusters:'",
                "name: x|there are no clusters",
                "clusters: [{nodes: 4}]|1:12: 'cores' is missing; write a number",
                "clusters: [{nodes: 0, cores: 1}]|1:20: 'nodes' must be a whole number from 1 to 1000000",
                "clusters: [{nodes: 1, cores: 1, speed: fast}]|'speed' must be a number, not 'fast'",
                "clusters: [{nodes: 1, cores: 1, speed: 0}]|'speed' must be above 0",
                "clusters: [{nodes: 1, cores: 1, latency: -1}]|'latency' must be 0 or more",
                "clusters: [{nodes: 1, core: 1}]|unknown key 'core' in a cluster. Did you mean 'cores'?",
                "clusters: [{nodes: 1, nodes: 2}]|'nodes' is given twice",
                "clusters: [{nodes: 1, cores: 1}]\\npublishedOrder: [1]|'publishedOrder' must list every cluster once",
                "clusters: [|is not YAML",
                "\"\"|is empty"
            })
    void problemsOfAPlatformFileAreReported(String text, String problem) {
        assertThatThrownBy(() -> {
                    byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
                    PlatformFile.read(Source.of("p.yaml", bytes));
                })
                .isInstanceOf(InputException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void anUnknownPlatformIsRefused() {
        assertThatThrownBy(() -> Platforms.of("P10"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("unknown platform 'P10'. Known platforms: P1,");
    }
}
