package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PegasusYamlTest {
    private final Workflow w;

    PegasusYamlTest() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("diamond.yml"))) {
            w = new PegasusYaml().read(Source.of("d.yml", in.readAllBytes()), false);
        }
    }

    @Test
    void readsJobsAndDependencies() {
        assertThat(w.name()).isEqualTo("diamond");
        assertThat(w.size()).isEqualTo(4);
        assertThat(w.edges()).isEqualTo(3);
        assertThat(w.id(w.parent(3, 0))).isEqualTo("ID2");
        assertThat(w.category(1).name()).isEqualTo("findrange");
    }

    @Test
    void readsCommands() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("LANG", "C");
        environment.put("MODE", "fast  lane");
        environment.put("EMPTY", "");
        assertThat(w.command(0))
                .isEqualTo(Command.of(List.of("/usr/bin/pegasus-keg", "-a", "preprocess", "-T60", "-i", "f.a", "f b1"))
                        .with(environment));
        assertThat(Objects.requireNonNull(w.command(1)).script()).isEqualTo("exec findrange < 'f b1' > f.c1 2> f.err");
        assertThat(Objects.requireNonNull(w.command(2)).argv())
                .containsExactly("/opt/scripts/report it.sh", "--of", "f.c1");
    }

    @Test
    void readsProfilesOfTransformationAndJob() {
        assertThat(w.resources(0)).isEqualTo(new Resources(2, 512L << 20, 1, 4));
        assertThat(w.timeMicros(0)).isEqualTo(60_500_000);
        assertThat(w.limitMicros(0)).isEqualTo(120_000_000);
        assertThat(w.retries(0)).isEqualTo(3);
        assertThat(w.category(0)).isEqualTo(new Category("preprocess", List.of(), "docker://rynge/montage:latest"));
        assertThat(w.resources(1)).isEqualTo(Resources.ONE_CORE);
        assertThat(w.timeMicros(1)).isEqualTo(Workflow.UNKNOWN);
    }

    @Test
    void readsFilesWithSizesAndStreams() {
        assertThat(w.inputs(0)).isEqualTo(1);
        assertThat(w.fileSize(w.input(0, 0))).isEqualTo(2048);
        assertThat(w.outputs(0)).isEqualTo(1);
        assertThat(w.fileSize(w.output(0, 0))).isEqualTo(100);
        assertThat(w.inputs(1))
                .as("a stream that 'uses' lists again counts once")
                .isEqualTo(1);
        assertThat(w.outputs(1)).isEqualTo(2);
    }

    @Test
    void isDistinguishedFromSheafYamlByItsKeys() {
        assertThat(formatOf("name: x\npegasus: \"5.0\"\njobs: []\n")).isEqualTo("pegasus");
        assertThat(formatOf("tasks:\n  pegasus:\n    run: x\n")).isEqualTo("yaml");
        assertThat(formatOf("task:\n  a: {run: x}\n")).as("a misspelt key").isEqualTo("yaml");
    }

    private static String formatOf(String text) {
        return Formats.readerFor(Source.of("w.yml", text.getBytes(StandardCharsets.UTF_8)))
                .name();
    }
}
