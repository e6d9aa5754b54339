package io.sheaf.bench;

import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Allocation;
import io.sheaf.strategy.Allocations;
import io.sheaf.strategy.LevelRange;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.StartDelays;
import io.sheaf.strategy.TaskOrder;
import io.sheaf.strategy.TieRule;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
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

/**
 * How long do run-time estimates take, and the search for the best numbers of nodes for a workflow cut in two at every level?
 *
 * <p>The workflows are {@link BenchWorkflows}; the queue is a random profile of free nodes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx3g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class HowLongDoesAnAllocationTake {
    private static final BitSet NONE_DONE = new BitSet();

    @Param({"montage", "cybershake", "genome", "sipht", "layers", "forkjoin"})
    String shape = "";

    @Param({"BY_NUMBER", "BOTTOM_LEVEL"})
    TaskOrder order = TaskOrder.BY_NUMBER;

    private Workflow workflow = new WorkflowBuilder("none").build();
    private RunTimes known = new RunTimes(workflow, order, 1);
    private int nodes;
    private StartDelays queue = (n, walltime, count, delay) -> Arrays.fill(delay, 0, count, 0);

    @Setup
    public void make() {
        workflow = BenchWorkflows.named(shape);
        nodes = BenchWorkflows.nodes(shape);
        queue = new RandomQueue(1, nodes, 100_000_000L, 200);
        known = new RunTimes(workflow, order, 1);
        cutInTwo(known);
    }

    /** The whole workflow on one number of nodes, without memo. */
    @Benchmark
    public long oneRunTime() {
        return known.millis(0, workflow.levels() - 1, nodes / 2, NONE_DONE);
    }

    /** The whole workflow on every number of nodes up to 128, without memo. */
    @Benchmark
    public long runTimesOn1To128Nodes() {
        long sum = 0;
        for (int n = 1; n <= 128; n++) {
            sum += known.millis(0, workflow.levels() - 1, n, NONE_DONE);
        }
        return sum;
    }

    /** The estimates of one GLUME decision, without memo. */
    @Benchmark
    public long cutInTwoCold() {
        return cutInTwo(new RunTimes(workflow, order, 1));
    }

    /** The same, with the memo of the previous decision. */
    @Benchmark
    public long cutInTwoKnown() {
        return cutInTwo(known);
    }

    private long cutInTwo(RunTimes times) {
        Allocations search = new Allocations(TieRule.LARGEST);
        int last = workflow.levels() - 1;
        List<LevelRange> firsts = times.prefixes(0, last);
        long best = best(search, firsts.get(last)).end(0);
        for (int level = last - 1; level >= 0; level--) {
            Allocation first = best(search, firsts.get(level));
            LevelRange rest = times.range(level + 1, last);
            int maxNodes = Math.min(nodes, rest.maxNodes());
            long before = Math.max(0, best - first.startDelay());
            Allocation second = search.prunedBefore(rest, first.run(), maxNodes, queue, before);
            best = second == null ? best : first.startDelay() + second.end(first.run());
        }
        return best;
    }

    private Allocation best(Allocations search, LevelRange range) {
        return Objects.requireNonNull(
                search.prunedBefore(range, 0, Math.min(nodes, range.maxNodes()), queue, Long.MAX_VALUE));
    }

    /** Random free nodes over time; at the end all are free. */
    private static final class RandomQueue implements StartDelays {
        private final long[] from;
        private final int[] free;

        RandomQueue(long seed, int nodes, long horizon, int steps) {
            RandomStream random = new RandomStream(seed);
            from = new long[steps + 1];
            free = new int[steps + 1];
            for (int i = 0; i < steps; i++) {
                from[i] = i == 0 ? 0 : random.nextLong(horizon);
                free[i] = random.nextInt(nodes + 1);
            }
            from[steps] = horizon;
            free[steps] = nodes;
            Arrays.sort(from);
        }

        @Override
        public void starts(int[] nodes, long[] walltime, int count, long[] delay) {
            for (int i = 0; i < count; i++) {
                delay[i] = start(nodes[i], walltime[i]);
            }
        }

        private long start(int nodes, long walltime) {
            int at = 0;
            for (int i = 0; i < from.length && from[i] < from[at] + walltime; i++) {
                if (free[i] < nodes) {
                    at = i + 1;
                }
            }
            return from[at];
        }
    }
}
