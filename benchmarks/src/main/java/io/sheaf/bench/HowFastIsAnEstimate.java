package io.sheaf.bench;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueOrder;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;
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

/** With 100 jobs queued on 128 nodes: how long does one estimate take, and how long all n = 1 … 128 at once? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HowFastIsAnEstimate {
    private static final int NODES = 128;

    @Param({"conservative", "easy", "fcfs", "easy-large"})
    String policy = "";

    private BatchEngine engine = new BatchEngine(Policy.easy(), NODES);
    private final int[] units = new int[NODES];
    private final long[] walltime = new long[NODES];
    private final JobShapes shapes = new JobShapes();
    private final long[] out = new long[NODES];
    private int next;

    @Setup
    public void queue() {
        Policy chosen = policy.equals("easy-large") ? Policy.easy().withOrder(QueueOrder.LARGE) : Queues.policy(policy);
        engine = Queues.busy(chosen, NODES, 100, new RandomStream(1));
        shapes.clear();
        for (int n = 1; n <= NODES; n++) {
            units[n - 1] = n;
            walltime[n - 1] = 60_000 + 360_000_000L / n;
            shapes.add(Pools.ANY, n, walltime[n - 1]);
        }
    }

    @Benchmark
    public long one() {
        next = (next + 1) % NODES;
        return engine.estimate(0, Submission.of(units[next], walltime[next]));
    }

    @Benchmark
    public long[] allWidths() {
        engine.estimate(0, shapes, out);
        return out;
    }
}
