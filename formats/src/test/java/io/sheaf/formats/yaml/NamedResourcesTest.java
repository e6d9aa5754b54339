package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.text.InputException;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that GPUs by type and named resources are read and survive the formats that support them. */
class NamedResourcesTest {
    private static final String TEXT = """
            name: named
            defaults: {resources: {licence: 1, scratch: 10G}}
            tasks:
              a: {gpus: a100:2, memory: 4G}
              b: {gpus: 'a100,v100:2', resources: {scratch: 200G, licence: 0}}
              c: {gpus: 3}
            """;

    private static Workflow read(String format, String text) throws IOException {
        return Formats.reader(format).read(Source.of("named", text.getBytes(StandardCharsets.UTF_8)), true);
    }

    private static void check(Workflow workflow) {
        long gib = 1L << 30;
        assertThat(workflow.resources(0))
                .isEqualTo(new Resources(
                        1,
                        4 * gib,
                        2,
                        1,
                        0,
                        NamedAmounts.of(Map.of("gpu:a100", 2L, "licence", 1L, "scratch", 10 * gib))));
        assertThat(workflow.resources(1).gpus()).isEqualTo(3);
        assertThat(workflow.resources(1).named())
                .isEqualTo(NamedAmounts.of(Map.of("gpu:a100", 1L, "gpu:v100", 2L, "scratch", 200 * gib)));
        assertThat(workflow.resources(2).gpus()).isEqualTo(3);
        assertThat(GpuText.text(workflow.resources(1))).isEqualTo("a100:1,v100:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "wfformat"})
    void gpuTypesAndNamedResourcesAreReadAndWritten(String format) throws IOException {
        Workflow workflow = read("yaml", TEXT);
        check(workflow);
        StringWriter written = new StringWriter();
        Formats.writer(format).write(workflow, written);
        check(read(format, written.toString()));
    }

    @Test
    void invalidGpusAndResourcesAreReported() {
        assertThatThrownBy(() -> read("yaml", "tasks:\n  a: {gpus: 'a100:x'}\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("named:2:")
                .hasMessageContaining("'a100:x' is not a number of GPUs");
        assertThatThrownBy(() -> read("yaml", "tasks:\n  a: {resources: {'2x': 1}}\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("the resource '2x' must have a name");
        assertThatThrownBy(() -> read("yaml", "tasks:\n  a: {resources: {scratch: much}}\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'much' is not a size");
    }
}
