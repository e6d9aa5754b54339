package io.sheaf.sim.pool;

import io.sheaf.batch.InstantHeap;
import io.sheaf.planner.DagPlanner;
import io.sheaf.planner.Elements;
import io.sheaf.planner.Executor;
import io.sheaf.planner.JobPool;
import io.sheaf.planner.Owner;
import io.sheaf.planner.PoolPolicy;
import io.sheaf.planner.RankedDag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Simulates workflows that arrive over time on shared elements (Yu and Shi, section IV).
 *
 * <p>At an instant, first jobs end, in the order in which they were bound; then workflows arrive; then the Executor binds. Estimates are exact.
 */
public final class PoolSimulation {
    /** The tie-break of arrivals, above those of all jobs. */
    private static final long ARRIVES = 1L << 62;

    private final List<Arrival> arrivals;
    private final JobPool pool = new JobPool();
    private final Executor executor;
    private final Executor.Bindings watcher;
    private final List<Owner> owners = new ArrayList<>();
    private final InstantHeap events = new InstantHeap();
    private final DagPlanner[] planners;
    private final long[] started;
    private final long[] ended;
    /** Jobs that run: the workflow, the task and the element of each. */
    private int[] jobs = new int[3 * 64];

    private int[] freeSlots = new int[64];
    private int free;
    private int slots;
    private long bound;
    private double busy;

    private PoolSimulation(
            List<Arrival> arrivals,
            Elements elements,
            PoolPolicy policy,
            PoolSetup setting,
            Executor.Bindings watcher) {
        this.arrivals = arrivals;
        this.watcher = watcher;
        executor = new Executor(pool, policy, elements, setting.transfer());
        planners = new DagPlanner[arrivals.size()];
        started = new long[arrivals.size()];
        ended = new long[arrivals.size()];
        Arrays.fill(started, Long.MAX_VALUE);
        for (int i = 0; i < arrivals.size(); i++) {
            if (i > 0 && arrivals.get(i).at() < arrivals.get(i - 1).at()) {
                throw new IllegalArgumentException("arrival " + i + " is before the one before it");
            }
            int owner = arrivals.get(i).owner();
            while (owners.size() <= owner) {
                List<Double> weights = setting.weights();
                owners.add(new Owner("owner " + owners.size(), weights.get(owners.size() % weights.size())));
            }
            events.add(arrivals.get(i).at(), ARRIVES + i, -1 - i);
        }
    }

    /**
     * Elements and owners.
     *
     * @param speeds of all elements
     * @param weights of owners, in turn
     */
    public record PoolSetup(List<Double> speeds, Executor.Transfer transfer, List<Double> weights) {}

    /** Runs workflows, which are in the order of their arrival. */
    public static PoolRun run(List<Arrival> arrivals, PoolSetup setting, PoolPolicy policy) {
        return run(arrivals, setting, policy, (of, task, element, start, end) -> {});
    }

    /** Runs workflows and reports every binding. */
    public static PoolRun run(List<Arrival> arrivals, PoolSetup setting, PoolPolicy policy, Executor.Bindings watcher) {
        Elements elements = new Elements(
                setting.speeds().stream().mapToDouble(Double::doubleValue).toArray());
        PoolSimulation simulation = new PoolSimulation(arrivals, elements, policy, setting, watcher);
        simulation.run();
        return new PoolRun(
                arrivals,
                simulation.started,
                simulation.ended,
                simulation.busy,
                setting.speeds().size());
    }

    private void run() {
        while (!events.isEmpty()) {
            long now = events.first();
            while (!events.isEmpty() && events.first() == now) {
                int event = events.remove();
                if (event < 0) {
                    arrive(-1 - event);
                } else {
                    end(event, now);
                }
            }
            executor.schedule(now, this::bound);
        }
        if (pool.ready() > 0) {
            throw new IllegalStateException(pool.ready() + " jobs are ready and fit on no element");
        }
    }

    private void arrive(int number) {
        Arrival arrival = arrivals.get(number);
        planners[number] = pool.submit(arrival.dag(), owners.get(arrival.owner()));
    }

    private void end(int slot, long now) {
        int number = jobs[3 * slot];
        ended[number] = now;
        freeSlots[free++] = slot;
        executor.done(planners[number], jobs[3 * slot + 1], jobs[3 * slot + 2], now);
    }

    private void bound(DagPlanner of, int task, int element, long start, long end) {
        int number = (int) of.arrival();
        started[number] = Math.min(started[number], start);
        busy += (end - start) * (of.dag().share() / (double) RankedDag.WHOLE);
        int slot = free > 0 ? freeSlots[--free] : slots++;
        if (3 * slot == jobs.length) {
            jobs = Arrays.copyOf(jobs, 2 * jobs.length);
            freeSlots = Arrays.copyOf(freeSlots, 2 * freeSlots.length);
        }
        jobs[3 * slot] = number;
        jobs[3 * slot + 1] = task;
        jobs[3 * slot + 2] = element;
        events.add(end, bound++, slot);
        watcher.bound(of, task, element, start, end);
    }
}
