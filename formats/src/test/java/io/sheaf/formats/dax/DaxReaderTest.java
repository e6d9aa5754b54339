package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DaxReaderTest {
    @Test
    void readsDax21() throws IOException {
        Workflow w = read("two-stage.dax", false);
        assertThat(w.name()).isEqualTo("test");
        assertThat(w.size()).isEqualTo(3);
        assertThat(w.edges()).isEqualTo(1);
        assertThat(w.id(w.parent(2, 0))).isEqualTo("ID0");
        assertThat(w.category(0).name()).isEqualTo("split");
        assertThat(w.timeMicros(0)).isEqualTo(12_500_000);
        assertThat(w.timeMicros(2)).isEqualTo(1);
        assertThat(w.command(0)).isNull();
        assertThat(w.resources(0)).isEqualTo(Resources.ONE_CORE);
        assertThat(w.fileName(w.output(0, 0))).isEqualTo("part.dat");
        assertThat(w.fileSize(w.output(0, 0))).isEqualTo(2000);
    }

    @Test
    void addsEdgesFromFilesOnRequest() throws IOException {
        Workflow w = read("two-stage.dax", true);
        assertThat(w.edges()).isEqualTo(2);
        assertThat(w.id(w.parent(1, 0))).isEqualTo("ID0");
    }

    @Test
    void readsCommandsOfDax3() throws IOException {
        Workflow w = read("diamond.dax", false);
        assertThat(w.name()).isEqualTo("diamond");
        assertThat(w.command(0))
                .isEqualTo(Command.of(List.of(
                                "/opt/demo/bin/pre process", "-T", "60", "-i", "f.a", "-o", "f b1", "--note=two words"))
                        .with(Map.of("LANG", "C", "MODE", "fast  lane")));
        assertThat(w.command(1)).isEqualTo(Command.script("exec findrange -i '<' '&' '>' < 'f b1' > f.c1"));
        assertThat(w.command(2)).isNull();
    }

    @Test
    void readsProfilesOfDax3() throws IOException {
        Workflow w = read("diamond.dax", false);
        // Six cores on four nodes: two on each.
        assertThat(w.resources(0)).isEqualTo(new Resources(2, 512L << 20, 1, 4));
        assertThat(w.timeMicros(0)).isEqualTo(60_500_000);
        assertThat(w.limitMicros(0)).isEqualTo(120_000_000);
        assertThat(w.retries(0)).isEqualTo(3);
        assertThat(w.priority(0)).isEqualTo(-5);
        assertThat(w.resources(1)).isEqualTo(new Resources(2, 2L << 30, 0, 1));
        assertThat(w.timeMicros(1)).as("the attribute overrides the profile").isEqualTo(10_000_000);
        assertThat(w.resources(2).cores()).isEqualTo(3);
        assertThat(w.timeMicros(2)).isEqualTo(Workflow.UNKNOWN);
    }

    @Test
    void readsFilesOfDax3() throws IOException {
        Workflow w = read("diamond.dax", false);
        assertThat(w.inputs(0)).isEqualTo(1);
        assertThat(w.outputs(0)).isEqualTo(1);
        assertThat(w.fileName(w.input(1, 0))).isEqualTo("f b1");
        assertThat(w.fileName(w.output(1, 0))).isEqualTo("f.c1");
        assertThat(w.input(2, 1)).isEqualTo(w.output(2, 0));
    }

    @Test
    void aWorkflowWithoutANameIsNamedAfterItsFile() {
        byte[] text = "<adag><job id='a' name='n'/></adag>".getBytes(StandardCharsets.UTF_8);
        Workflow w = new DaxReader().read(Source.of("some/folder/small.dax.gz", text), false);
        assertThat(w.name()).isEqualTo("small");
    }

    private static Workflow read(String name, boolean fileEdges) throws IOException {
        try (InputStream in = Objects.requireNonNull(DaxReaderTest.class.getResourceAsStream(name))) {
            return new DaxReader().read(Source.of(name, in.readAllBytes()), fileEdges);
        }
    }
}
