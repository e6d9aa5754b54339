package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.dax.DaxReader;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.testing.Shared;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that published workflows survive conversion to Sheaf YAML. */
class RealFilesTest {
    @Test
    void keepsPegasusWorkflows() throws IOException {
        convert(Shared.files("data/workflows/dax", ".dax"), new DaxReader());
    }

    @Test
    void keepsWfInstances() throws IOException {
        convert(Shared.files("data/workflows/wfformat", ".json"), new WfFormat());
    }

    private static void convert(List<Path> files, WorkflowReader reader) throws IOException {
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            Workflow workflow = reader.read(Source.of(file), reader.fileEdgesByDefault());
            SameWorkflow.assertSame(workflow, Yaml.read(Yaml.write(workflow)));
        }
    }
}
