package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Start estimates by {@linkplain ForwardSimulation forward simulation}: every job uses its full walltime and no job arrives.
 *
 * <p>A job that is last in the queue order does not influence other jobs before it starts. So with the order of arrival one simulation answers any
 * number of requests: after each pass it checks which of them would start.
 *
 * <p>For the same reason one simulation can answer for jobs submitted one after the other, each without the later ones. This holds while, among them,
 * only the first job that has not started can start or has a reservation.
 */
final class StartEstimates {
    private final BatchEngine scratch;
    private final ForwardSimulation forward;
    private final Submission request = new Submission();
    /** By handle: 1 + the index of a job in turn, 0 for any other. */
    private int[] turns = new int[16];

    private int[] expected = new int[4];

    private @Nullable RecordedSimulation recorded;

    /** Uses an engine exclusively. */
    StartEstimates(BatchEngine scratch) {
        this.scratch = scratch;
        forward = new ForwardSimulation(scratch);
    }

    private static boolean isRecordable(BatchEngine origin) {
        return origin.plan instanceof DepthPlan
                && origin.policy().order().isArrival()
                && origin.policy().placement() == Policy.NodeSelection.COUNT
                && origin.policy().pools().count() == 0
                && !origin.plan.countsMemory();
    }

    private RecordedSimulation recorded() {
        RecordedSimulation c = recorded;
        if (c == null) {
            c = new RecordedSimulation(new BatchEngine(scratch.policy(), scratch.size()));
            recorded = c;
        }
        return c;
    }

    /** The start of a job submitted now; NEVER if it would not start. */
    long start(BatchEngine origin, long at, Submission job) {
        forward.begin(origin);
        int handle = scratch.submit(at, job);
        if (handle < 0) {
            return NEVER;
        }
        for (long t = at; t != NEVER; t = forward.next()) {
            forward.pass(t);
            if (scratch.isRunning(handle)) {
                return t;
            }
        }
        return NEVER;
    }

    /** The same for a request of our user or, if unknown, one without other jobs. */
    long start(BatchEngine origin, long at, JobShapes shapes, int job) {
        boolean possible = isPossible(origin, pool(shapes, job), shapes, job);
        return possible ? start(origin, at, assumed(origin, shapes, job)) : NEVER;
    }

    /** The same for many requests, each by itself. */
    void starts(BatchEngine origin, long at, JobShapes shapes, long[] out) {
        if (isRecordable(origin)) {
            recorded().starts(origin, at, shapes, out);
            return;
        }
        if (!origin.policy().order().isArrival()) {
            for (int i = 0; i < shapes.count(); i++) {
                out[i] = start(origin, at, assumed(origin, shapes, i));
            }
            return;
        }
        int user = origin.plan.users.unknown();
        int open = 0;
        for (int i = 0; i < shapes.count(); i++) {
            out[i] = NEVER;
            open += isPossible(origin, pool(shapes, i), shapes, i) ? 1 : 0;
        }
        forward.begin(origin);
        for (long t = at; open > 0 && t != NEVER; t = forward.next()) {
            forward.pass(t);
            for (int i = 0; i < shapes.count(); i++) {
                int pool = pool(shapes, i);
                if (out[i] == NEVER
                        && isPossible(origin, pool, shapes, i)
                        && scratch.plan.users.isAllowed(user, shapes.units(i), shapes.walltime(i))
                        && scratch.plan.wouldStart(t, pool, shapes.units(i), shapes.walltime(i), shapes.memory())) {
                    out[i] = t;
                    open--;
                }
            }
        }
    }

    /** Whether a job is within the cluster and its limits. */
    static boolean isPossible(BatchEngine engine, int pool, JobShapes shapes, int job) {
        int units = shapes.units(job);
        return units <= engine.size() && engine.policy().allows(pool, units, shapes.walltime(job), shapes.memory());
    }

    private int pool(JobShapes shapes, int job) {
        return scratch.plan.hasPools() ? shapes.pool(job) : Pools.ANY;
    }

    private Submission request(JobShapes shapes, int job) {
        return request.size(shapes.units(job), shapes.walltime(job))
                .pool(pool(shapes, job))
                .memory(shapes.memory());
    }

    /** The request of our user or, if unknown, one without other jobs. */
    private Submission assumed(BatchEngine origin, JobShapes shapes, int job) {
        return request(shapes, job)
                .priority(origin.policy().order().assumedPriority())
                .user(origin.plan.users.unknown());
    }

    /**
     * The start of each job submitted in this order, without the later ones. Returns the number of jobs, from the first on, that one simulation
     * covered; may be 0.
     */
    int inOrder(BatchEngine origin, long at, JobShapes shapes, long[] out) {
        forward.begin(origin);
        int all = submitInOrder(at, shapes);
        int started = 0;
        for (long t = at; started < all && t != NEVER; t = forward.next()) {
            forward.pass(t);
            for (int i = 0; i < forward.startedCount; i++) {
                int turn = turns[forward.started[i]];
                if (turn > started + 1) {
                    return started;
                }
                if (turn == started + 1) {
                    out[started++] = t;
                }
            }
            if (isReservedBehind(started + 1)) {
                return started;
            }
        }
        return started;
    }

    /** Submits jobs while each is behind the previous one in the queue order. Returns their number. */
    private int submitInOrder(long at, JobShapes shapes) {
        if (turns.length < scratch.handles()) {
            turns = new int[2 * scratch.handles()];
        }
        Arrays.fill(turns, 0);
        long before = Long.MIN_VALUE;
        int submitted = 0;
        while (submitted < shapes.count()) {
            long rank = scratch.policy().order().rank(at, shapes.units(submitted), shapes.walltime(submitted), 0);
            int job = rank < before ? -1 : scratch.submit(at, request(shapes, submitted));
            if (job < 0) {
                break;
            }
            before = rank;
            submitted++;
            if (turns.length <= job) {
                turns = Arrays.copyOf(turns, 2 * job + 1);
            }
            turns[job] = submitted;
        }
        return submitted;
    }

    /** Whether a job behind this turn has a reservation. */
    private boolean isReservedBehind(int turn) {
        JobTable jobs = scratch.plan.jobs;
        int queued = scratch.plan.planned;
        for (int i = 0; queued > 0 && i < scratch.queued(); i++) {
            int job = scratch.queued(i);
            if (jobs.isPlanned(job)) {
                queued--;
                if (turns[job] > turn) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The starts of queued jobs and of jobs submitted now, with one queued job cancelled; NEVER for handles below 0. */
    void expect(BatchEngine origin, long at, int cancelled, int[] jobs, int count, JobShapes added, long[] out) {
        if (added.count() == 0 && cancelled < 0 && isRecordable(origin)) {
            recorded().starts(origin, at, jobs, count, out);
            return;
        }
        forward.begin(origin);
        int all = count + added.count();
        if (expected.length < all) {
            expected = new int[all];
        }
        System.arraycopy(jobs, 0, expected, 0, count);
        for (int i = 0; i < added.count(); i++) {
            expected[count + i] = scratch.submit(at, assumed(origin, added, i));
        }
        if (cancelled >= 0) {
            scratch.cancel(cancelled, at);
        }
        int open = 0;
        for (int i = 0; i < all; i++) {
            out[i] = NEVER;
            open += expected[i] >= 0 ? 1 : 0;
        }
        for (long t = at; open > 0 && t != NEVER; t = forward.next()) {
            forward.pass(t);
            for (int i = 0; i < all; i++) {
                if (out[i] == NEVER && expected[i] >= 0 && scratch.isRunning(expected[i])) {
                    out[i] = t;
                    open--;
                }
            }
        }
    }
}
