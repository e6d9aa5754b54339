package io.sheaf.bench;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long does it take to read a Montage workflow, from text in memory to a checked workflow? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx8g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3)
@Measurement(iterations = 3)
public class HowFastIsAWorkflowRead {
    @Param({"wfformat", "dax", "dagman", "yaml"})
    String format = "";

    @Param({"1000", "100000", "1000000"})
    int tasks;

    private byte[] text = {};
    private WorkflowReader reader = Formats.readers().get(0);

    @Setup
    public void write() throws IOException {
        Workflow workflow = Families.named("montage").generate(Recipe.of(tasks, 0, 1));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer out = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            Formats.writer(format).write(workflow, out);
        }
        text = bytes.toByteArray();
        reader = Formats.reader(format);
    }

    @Benchmark
    public Workflow read() throws IOException {
        return reader.read(Source.of("montage", text), reader.fileEdgesByDefault());
    }
}
