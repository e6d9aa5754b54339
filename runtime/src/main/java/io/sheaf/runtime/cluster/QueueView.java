package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.BatchScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * A queue at an instant, to be looked at: who has nodes and until when, who waits and when he is expected to start, and when one more job would start.
 * Everybody is taken to use the time that he asked for.
 */
public final class QueueView {
    /** The token of a job that is not ours. */
    public static final long OTHERS = -1;

    /**
     * A job that runs or waits.
     *
     * @param start when it started or is expected to
     * @param end when its time is over then
     */
    public record Job(long token, int nodes, long start, long end, boolean running) {}

    /** Tells when a job of so many nodes and so many milliseconds would start. */
    @FunctionalInterface
    public interface Estimate {
        long start(int units, long walltime);
    }

    private final long at;
    private final int nodes;
    private final List<Job> jobs;
    private final Estimate estimate;

    /** What an engine holds, which is asked for starts as well. */
    QueueView(BatchEngine engine, long at, IntToLongFunction tokens) {
        this(engine, at, tokens, (units, walltime) -> start(engine, at, units, walltime));
    }

    private static long start(BatchEngine engine, long at, int units, long walltime) {
        long[] out = new long[1];
        engine.estimate(at, new int[] {units}, new long[] {walltime}, 1, out);
        return out[0];
    }

    /**
     * What an engine holds, which belongs to the view from now on.
     *
     * @param tokens of the engine's jobs, by handle; {@link #OTHERS} for those that are not ours
     * @param estimate knows more than the engine
     */
    public QueueView(BatchEngine engine, long at, IntToLongFunction tokens, Estimate estimate) {
        this.at = at;
        this.estimate = estimate;
        nodes = engine.capacity();
        List<Job> found = new ArrayList<>();
        for (int handle = 0; handle < engine.handles(); handle++) {
            if (engine.isRunning(handle)) {
                found.add(new Job(
                        tokens.applyAsLong(handle),
                        engine.units(handle),
                        engine.start(handle),
                        engine.limit(handle),
                        true));
            }
        }
        int[] queued = new int[engine.queued()];
        for (int i = 0; i < queued.length; i++) {
            queued[i] = engine.queued(i);
        }
        long[] starts = new long[queued.length + 1];
        engine.expect(at, -1, queued, queued.length, new int[0], new long[0], 0, starts);
        for (int i = 0; i < queued.length; i++) {
            if (starts[i] != BatchScheduler.NEVER) {
                long start = Math.max(at, starts[i]);
                found.add(new Job(
                        tokens.applyAsLong(queued[i]),
                        engine.units(queued[i]),
                        start,
                        start + engine.walltime(queued[i]),
                        false));
            }
        }
        found.sort(
                Comparator.comparingLong(Job::start).thenComparingLong(Job::end).thenComparingLong(Job::token));
        jobs = List.copyOf(found);
    }

    /** The queue of an embedded cluster, as its log tells it, at an instant; the process in charge is not disturbed. */
    public static QueueView look(ClusterShape shape, Path log, long at) throws IOException {
        ClusterMachine machine = ClusterLog.machine(shape, log, at);
        return machine.view(Math.max(at, machine.now()));
    }

    public long at() {
        return at;
    }

    /** Nodes of the cluster. */
    public int nodes() {
        return nodes;
    }

    /** By their starts. */
    public List<Job> jobs() {
        return jobs;
    }

    /** When a job submitted now would start; {@link BatchScheduler#NEVER} if never. */
    public synchronized long start(int units, long walltime) {
        return estimate.start(units, walltime);
    }
}
