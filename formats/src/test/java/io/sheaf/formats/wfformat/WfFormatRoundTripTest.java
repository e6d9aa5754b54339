package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sheaf.formats.Source;
import io.sheaf.formats.wfformat.MeasuredRun.MeasuredTask;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.testing.Shared;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that written workflows are read back unchanged and fit the schema. */
class WfFormatRoundTripTest {
    private static final int SEEDS = 300;

    private final WfFormat format = new WfFormat();

    @Test
    void keepsWorkflowsWithEverything() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertKept(RandomWorkflows.withEverything(seed).next());
        }
    }

    @Test
    void keepsWorkflowsWithOddNames() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertKept(RandomWorkflows.withOddNames(seed).next());
        }
    }

    @Test
    void keepsRealWorkflows() throws IOException {
        for (Path file : Shared.files("data/workflows/wfformat", ".json")) {
            assertKept(format.read(Source.of(file), false));
        }
        for (Path file : Shared.files("data/jsspp2022/workflows", ".json")) {
            assertKept(format.read(Source.of(file), false));
        }
    }

    @Test
    void keepsANamelessWorkflow() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("");
        builder.time(builder.task("a"), 1);
        assertKept(builder.build());
    }

    @Test
    void keepsAnEmptyWorkflow() throws IOException {
        assertKept(new WorkflowBuilder("nothing").build());
    }

    @Test
    void keepsCategoriesWithoutTasks() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.describe(new Category("later", List.of(), null));
        builder.category(builder.task("a"), "now");
        Workflow read = read(write(builder.build()));
        assertThat(read.categories()).extracting(Category::name).contains("later", "now");
    }

    @Test
    void keepsACategoryNamedLikeItsTask() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.category(builder.task("mAdd_1"), "mAdd_1");
        builder.category(builder.task("mAdd_2"), "");
        builder.category(builder.task("m Add_2"), "m#0020Add_2");
        assertKept(builder.build());
    }

    @Test
    void keepsFilesThatNoTaskUses() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.task("a");
        builder.file("known", 7);
        builder.file("unknown", Workflow.UNKNOWN);
        builder.file("", 0);
        assertKept(builder.build());
    }

    @Test
    void keepsAmbiguousCommands() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        for (List<String> argv : List.of(
                List.of("prog"),
                List.of("prog", "a b"),
                List.of("-"),
                List.of("-", "x"),
                List.of("a program"),
                List.of("a program", "x"),
                List.of(""),
                List.of("", "x"),
                List.of("prog", ""),
                List.of("/bin/sh", "-c"),
                List.of("/bin/sh", "-c", "true"),
                List.of("/bin/sh", "-c", "echo a; echo b"),
                List.of("/bin/sh", "-c", " "),
                List.of("/bin/sh", "-c", ""),
                List.of("/bin/sh", "-c", "-"))) {
            int task = builder.task("t" + builder.size());
            builder.time(task, 1).command(task, Command.of(argv));
            builder.command(builder.task("t" + builder.size()), Command.of(argv).with(Map.of("A", "b")));
        }
        assertKept(builder.build());
    }

    @Test
    void theWrittenTextEqualsTheSample() throws IOException {
        String text = new String(WfFormatReadTest.bytes("everything.json"), StandardCharsets.UTF_8);
        assertThat(write(read(text))).isEqualTo(text);
    }

    @Test
    void writtenFilesFitTheSchema() throws IOException {
        Schema schema = schema();
        assertThat(schema.validate("{\"name\": \"\"}", InputFormat.JSON)).hasSizeGreaterThan(2);
        for (long seed = 0; seed < SEEDS; seed++) {
            String text = write(RandomWorkflows.withOddNames(seed).next());
            assertThat(schema.validate(text, InputFormat.JSON))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    private static Schema schema() throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(Files.readString(Shared.path("data/schema/wfcommons-schema.json"))
                        // The schema names no dialect that a validator knows.
                        .replace("http://json-schema.org/schema#", "http://json-schema.org/draft-07/schema#"));
    }

    @Test
    void anExecutedWorkflowFitsTheSchemaAndIsReadBack() throws IOException {
        Schema schema = schema();
        MeasuredTask used = new MeasuredTask(1 << 20, 93.5, 17, 4, 1_700_000_000_000L, List.of("node1", "node2"));
        for (long seed = 0; seed < SEEDS; seed++) {
            Workflow workflow = RandomWorkflows.withOddNames(seed).next();
            StringWriter text = new StringWriter();
            WfFormat.write(
                    workflow,
                    new MeasuredRun(1_700_000_000_000L, 5_250, "1.0", task -> task % 2 == 0 ? used : MeasuredTask.NONE),
                    text);
            assertThat(schema.validate(text.toString(), InputFormat.JSON))
                    .as("seed " + seed)
                    .isEmpty();
            SameWorkflow.assertSame(workflow, read(text.toString()));
        }
    }

    @Test
    void readsFilesWrittenWithEdgesFromFiles() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("w").fileEdges(true);
        int maker = builder.task("maker");
        int user = builder.task("user");
        int file = builder.file("f", 1);
        builder.output(maker, file).input(user, file);
        Workflow workflow = builder.build();
        byte[] text = write(workflow).getBytes(StandardCharsets.UTF_8);
        assertThat(workflow.edges()).isEqualTo(1);
        SameWorkflow.assertSame(workflow, format.read(Source.of("w.json", text), true));
        SameWorkflow.assertSame(workflow, format.read(Source.of("w.json", text), false));
    }

    private void assertKept(Workflow workflow) throws IOException {
        String text = write(workflow);
        Workflow read = read(text);
        SameWorkflow.assertSame(workflow, read);
        assertThat(write(read)).as("text of the restored workflow").isEqualTo(text);
    }

    private String write(Workflow workflow) throws IOException {
        StringWriter out = new StringWriter();
        format.write(workflow, out);
        return out.toString();
    }

    private Workflow read(String text) {
        return format.read(Source.of("w.json", text.getBytes(StandardCharsets.US_ASCII)), false);
    }
}
