package io.sheaf.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * A queue snapshot at an instant: the units of a cluster, running jobs, queued jobs in scheduling order, and reservations.
 *
 * <p>It is independent of the batch system. Each batch system is read into a snapshot, and engines that simulate a queue are {@linkplain #load
 * loaded} from one. All times are in milliseconds.
 *
 * @param at the instant
 * @param jobs running and queued ones; queued ones in the order in which the scheduler considers them
 */
public record QueueSnapshot(long at, Capacity capacity, List<Job> jobs, List<Reservation> reservations) {
    /** The start of a job that is queued. */
    public static final long QUEUED = -1;

    /** The token of a background job. */
    public static final long OTHERS = -1;

    public QueueSnapshot {
        jobs = List.copyOf(jobs);
        reservations = List.copyOf(reservations);
    }

    /** Without reservations, in the order of arrival; {@code depth} as in {@link Policy#depth()}. */
    public static QueueSnapshot of(long at, int units, int depth, List<Job> jobs) {
        return new QueueSnapshot(at, new Capacity(units, Policy.depth(depth)), jobs, List.of());
    }

    /**
     * Units that jobs compete for, such as the nodes of a cluster.
     *
     * @param units the usable units
     * @param policy their scheduling policy
     */
    public record Capacity(int units, Policy policy) {}

    /** Units of a pool that are kept free of jobs from one instant to another. */
    public record Reservation(int pool, int units, long from, long to) {}

    /**
     * A job, or several that use their units side by side.
     *
     * @param id identifies it across snapshots; may be empty
     * @param start when it started; {@link #QUEUED} if it has not
     * @param notBefore the instant from which on it is eligible; {@link Long#MIN_VALUE} if it is
     * @param after the index in the snapshot of a job that must end before; −1 if there is none
     * @param token of our submission, or {@link #OTHERS}
     * @param pool in which it runs; {@link Pools#ANY} if there is none
     * @param memory on each unit, in bytes; 0 if unknown
     */
    public record Job(
            String id,
            int units,
            long walltime,
            long start,
            long notBefore,
            int after,
            long token,
            int pool,
            long memory) {
        /** A job of a cluster without pools, whose memory is unknown. */
        public Job(String id, int units, long walltime, long start, long notBefore, int after, long token) {
            this(id, units, walltime, start, notBefore, after, token, Pools.ANY, 0);
        }

        /** A background job without conditions. */
        public static Job of(String id, int units, long walltime, long start) {
            return new Job(id, units, walltime, start, Long.MIN_VALUE, -1, OTHERS);
        }

        /** The same with conditions. */
        public Job eligible(long from, int behind) {
            return new Job(id, units, walltime, start, from, behind, token, pool, memory);
        }

        /** The same with memory on each unit, in bytes. */
        public Job needing(long perUnit) {
            return new Job(id, units, walltime, start, notBefore, after, token, pool, perUnit);
        }

        /** The same in a pool. */
        public Job in(int number) {
            return new Job(id, units, walltime, start, notBefore, after, token, number, memory);
        }

        public boolean isRunning() {
            return start != QUEUED;
        }

        public boolean isOwn() {
            return token != OTHERS;
        }
    }

    /**
     * The snapshot of an engine: first the running jobs, then the queued ones. Planned starts are not part of it.
     *
     * @param tokens of the engine's jobs, by handle
     */
    public static QueueSnapshot of(BatchEngine engine, long at, IntToLongFunction tokens) {
        List<Job> jobs = new ArrayList<>();
        for (int handle : engine.present()) {
            jobs.add(new Job(
                    "",
                    engine.units(handle),
                    engine.walltime(handle),
                    engine.isRunning(handle) ? engine.start(handle) : QUEUED,
                    Long.MIN_VALUE,
                    -1,
                    tokens.applyAsLong(handle),
                    engine.pool(handle),
                    engine.memory(handle)));
        }
        return new QueueSnapshot(at, new Capacity(engine.size(), engine.policy()), jobs, List.of());
    }

    /** An engine with the jobs of a snapshot. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Loaded(BatchEngine engine, int[] handles) {
        /** The engine's handle of a job, by its index in the snapshot; −1 if the engine does not contain it. */
        public int handle(int job) {
            return handles[job];
        }
    }

    /**
     * Creates an engine with these jobs.
     *
     * <p>Running jobs keep their units until their limits; one past its limit is about to end. Omits running jobs that exceed the remaining units,
     * cyclic dependencies, and jobs that are never eligible.
     */
    public Loaded load() {
        BatchEngine engine = new BatchEngine(capacity.policy, capacity.units);
        int[] handles = new int[jobs.size()];
        Arrays.fill(handles, -1);
        for (int i = 0; i < handles.length; i++) {
            Job job = jobs.get(i);
            int units = Math.min(job.units, capacity.units);
            if (job.isRunning() && engine.hasRoom(job.pool, units)) {
                long walltime = Math.max(job.walltime, at + 1 - job.start);
                handles[i] = engine.adopt(
                        at, Submission.of(units, walltime).pool(job.pool).memory(job.memory), job.start);
            }
        }
        reservations.forEach(each -> engine.reserve(each.pool, each.units, each.from, each.to, at));
        List<Integer> waiting = new ArrayList<>(IntStream.range(0, handles.length)
                .filter(i -> !jobs.get(i).isRunning() && jobs.get(i).notBefore != Long.MAX_VALUE)
                .boxed()
                .toList());
        // Submit a job after its dependency.
        for (boolean moved = true; moved; ) {
            moved = waiting.removeIf(place -> submit(place, engine, handles));
        }
        return new Loaded(engine, handles);
    }

    private boolean submit(int place, BatchEngine engine, int[] handles) {
        Job job = jobs.get(place);
        if (job.after >= 0 && handles[job.after] < 0) {
            return false;
        }
        Submission request = Submission.of(Math.min(job.units, capacity.units), job.walltime)
                .pool(job.pool)
                .memory(job.memory)
                .notBefore(job.notBefore)
                .submitted(at - jobs.size() + place)
                .exempt();
        if (job.after >= 0 && capacity.policy.isConservative()) {
            request.reservingAfter(handles[job.after]);
        } else if (job.after >= 0) {
            request.eligibleAfter(handles[job.after]);
        }
        handles[place] = engine.submit(at, request);
        return true;
    }
}
