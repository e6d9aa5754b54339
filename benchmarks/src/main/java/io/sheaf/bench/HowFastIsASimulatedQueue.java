package io.sheaf.bench;

import io.sheaf.batch.Policy;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to fork a simulated queue with 300 jobs in it, and to simulate an instant of it?
 *
 * <p>They share 128 nodes, 5 for a job on average. A fork is made into the same scratch each time; an instant is the one of
 * {@link SimulatedQueue#next}, from open to pass, in a fork that is renewed after 300 instants (the figure includes its share of the fork). Jobs arrive about as fast as
 * the nodes can run them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HowFastIsASimulatedQueue implements SimulatedQueue.JobListener {
    private static final int NODES = 128;
    private static final int LIVE = 300;
    private static final int INSTANTS = 300;
    private static final int MINUTE = 60_000;

    /** Depth of reservations: 1 is EASY, 2147483647 conservative. */
    @Param({"1", "2147483647"})
    int depth;

    private SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.easy(), NODES);
    private SimulatedQueue scratch = queue;
    private long starts;

    @Setup
    public void fill() {
        RandomStream random = new RandomStream(300);
        JobLog.Builder log = JobLog.builder();
        for (int i = 0; i < LIVE + INSTANTS; i++) {
            // A job of 5 nodes × 30 minutes on average leaves every 70 seconds.
            long submit = i < LIVE ? 0 : (i - LIVE) * 70_000L;
            long run = (5 + random.nextInt(51)) * (long) MINUTE;
            log.add(i, submit, run, run * (1 + random.nextInt(4)), 1 + random.nextInt(9), random.nextInt(50));
        }
        queue = new SimulatedQueue(log.build(), Policy.depth(depth), NODES);
        queue.advanceTo(0);
        scratch = queue.fork();
    }

    @Benchmark
    public SimulatedQueue fork() {
        queue.forkInto(scratch);
        return scratch;
    }

    @Benchmark
    @OperationsPerInvocation(INSTANTS)
    public long instant() {
        queue.forkInto(scratch);
        for (int i = 0; i < INSTANTS; i++) {
            scratch.open(scratch.next(), this);
            scratch.pass(this);
        }
        return starts;
    }

    @Override
    public void backgroundStarted(int job, long at) {
        starts++;
    }

    @Override
    public void started(int handle) {}

    @Override
    public void expired(int handle) {}
}
