package io.sheaf.planner;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntBiFunction;

/** All policies by name. */
public final class Policies {
    public static final List<String> NAMES =
            List.of("rank-hybd", "rank-hf", "fifo", "random", "smallest-remaining", "fair-share");

    private Policies() {}

    /** The policy of this name; throws an exception that lists the names if it is unknown. */
    public static PoolPolicy named(String name, long seed) {
        return switch (name) {
            case "rank-hybd" -> rankHybd();
            case "rank-hf" -> rankHf();
            case "fifo" -> fifo();
            case "random" -> new RandomChoice(seed);
            case "smallest-remaining" -> smallestRemainingWork();
            case "fair-share" -> fairShare();
            default -> throw InputException.unknown("policy", name, NAMES);
        };
    }

    /**
     * RANK_HYBD of Yu and Shi (Figure 3): the lowest rank first if ready jobs belong to several workflows, else the highest.
     *
     * <p>A low rank means that little work is left in a workflow, so nearly finished workflows go first. For a single workflow the order is HEFT's.
     */
    private static PoolPolicy rankHybd() {
        return new First(
                Comparator.comparingLong(each -> each.dag().rank(each.lowest())),
                (pool, workflow) -> pool.workflows() > 1 ? workflow.lowest() : workflow.highest());
    }

    /**
     * RANK_HF, the highest rank first: HEFT's order over all workflows (Yu and Shi, section III.C).
     *
     * <p>It favours late workflows and long jobs, because ranks decrease towards the end of a workflow.
     */
    private static PoolPolicy rankHf() {
        Comparator<DagPlanner> lowest =
                Comparator.comparingLong(each -> each.dag().rank(each.highest()));
        return new First(lowest.reversed(), (pool, workflow) -> workflow.highest());
    }

    /** FIFO: selects the job that entered the pool first. */
    private static PoolPolicy fifo() {
        return new First(
                Comparator.comparingInt(each -> each.entry(each.oldest())), (pool, workflow) -> workflow.oldest());
    }

    /**
     * Selects the workflow with the least work left, then its job of the highest rank.
     *
     * <p>This is shortest remaining time first, with work for time: on one element it minimizes the mean turnaround (Schrage, 1968). Large workflows wait
     * while small ones keep arriving.
     */
    private static PoolPolicy smallestRemainingWork() {
        return new First(Comparator.comparingLong(DagPlanner::remaining), (pool, workflow) -> workflow.highest());
    }

    /** Weighted fair share: selects the owner with the least weighted usage, then the workflow that arrived first, then the job of the highest rank. */
    private static PoolPolicy fairShare() {
        return new First(
                Comparator.comparingDouble(each -> each.owner().usage()), (pool, workflow) -> workflow.highest());
    }

    /** Selects the first workflow of an order, of equal ones the one that arrived first, and one of its jobs. */
    private record First(Comparator<DagPlanner> order, ToIntBiFunction<JobPool, DagPlanner> job) implements PoolPolicy {
        @Override
        public DagPlanner workflow(JobPool pool) {
            DagPlanner best = pool.workflow(0);
            for (int i = 1; i < pool.workflows(); i++) {
                DagPlanner each = pool.workflow(i);
                int compared = order.compare(each, best);
                if (compared < 0 || (compared == 0 && each.arrival() < best.arrival())) {
                    best = each;
                }
            }
            return best;
        }

        @Override
        public int task(JobPool pool, DagPlanner workflow) {
            return job.applyAsInt(pool, workflow);
        }
    }

    /** RANDOM: selects a ready job uniformly. The choice depends on the seed and the number of jobs taken before. */
    private static final class RandomChoice implements PoolPolicy {
        private final RandomStream workflows;
        private final RandomStream tasks;

        RandomChoice(long seed) {
            workflows = new RandomStream(seed).split("workflow");
            tasks = new RandomStream(seed).split("task");
        }

        /** Selects a workflow with a probability proportional to its ready jobs. */
        @Override
        public DagPlanner workflow(JobPool pool) {
            int index = workflows.split(pool.assigned()).nextInt(pool.ready());
            int number = 0;
            while (index >= pool.workflow(number).ready()) {
                index -= pool.workflow(number++).ready();
            }
            return pool.workflow(number);
        }

        @Override
        public int task(JobPool pool, DagPlanner workflow) {
            return workflow.ready(tasks.split(pool.assigned()).nextInt(workflow.ready()));
        }
    }
}
