package io.sheaf.bench;

import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
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

/** How long does it take to build a workflow with its levels, and to find its critical path, at four edges a task? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx4g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HowFastAreLevelsAndPaths {
    private static final int EDGES = 4;
    private static final int WIDTH = 100;

    @Param({"1000", "100000", "1000000"})
    int tasks;

    private String[] ids = {};
    private Workflow built = new WorkflowBuilder("empty").build();

    @Setup
    public void make() {
        ids = new String[tasks];
        for (int i = 0; i < tasks; i++) {
            ids[i] = "ID" + i;
        }
        built = buildWithLevels();
    }

    /** Tasks in layers of 100, each after four of the layer above. */
    @Benchmark
    public Workflow buildWithLevels() {
        WorkflowBuilder builder = new WorkflowBuilder("layers");
        for (int i = 0; i < tasks; i++) {
            int task = builder.task(ids[i]);
            builder.time(task, 1_000_000 + i % 977);
            int above = i / WIDTH * WIDTH - WIDTH;
            for (int e = 0; above >= 0 && e < EDGES; e++) {
                builder.edge(above + (i * 7 + e * 31) % WIDTH, task);
            }
        }
        return builder.build();
    }

    @Benchmark
    public long criticalPath() {
        return built.criticalPathMicros();
    }
}
