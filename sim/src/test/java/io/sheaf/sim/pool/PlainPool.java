package io.sheaf.sim.pool;

import io.sheaf.planner.RankedDag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A literal implementation of the paper's pseudo-code for jobs on whole elements: sorts a list before each choice and
 * tries every free element.
 */
final class PlainPool {
    private static final class Job {
        final int dag;
        final int task;
        final long entry;
        int element;
        long start;
        long end;

        Job(int dag, int task, long entry) {
            this.dag = dag;
            this.task = task;
            this.entry = entry;
        }
    }

    private final List<Arrival> arrivals;
    private final List<Double> speeds;
    private final String policy;
    private final boolean atEnd;
    private final List<Job> pool = new ArrayList<>();
    private final List<Job> running = new ArrayList<>();
    private final List<List<Job>> done = new ArrayList<>();
    private long entries;

    PlainPool(List<Arrival> arrivals, List<Double> speeds, String policy, boolean atEnd) {
        this.arrivals = arrivals;
        this.speeds = speeds;
        this.policy = policy;
        this.atEnd = atEnd;
        arrivals.forEach(each -> done.add(new ArrayList<>()));
    }

    private RankedDag dag(Job job) {
        return arrivals.get(job.dag).dag();
    }

    private long rank(Job job) {
        return dag(job).rank(job.task);
    }

    private boolean isDone(int dag, int task) {
        return done.get(dag).stream().anyMatch(job -> job.task == task);
    }

    /** All bindings, in their order. */
    List<String> run() {
        List<String> bound = new ArrayList<>();
        int arrived = 0;
        while (arrived < arrivals.size() || !running.isEmpty()) {
            long now = arrived < arrivals.size() ? arrivals.get(arrived).at() : Long.MAX_VALUE;
            for (Job job : running) {
                now = Math.min(now, job.end);
            }
            for (Job job : List.copyOf(running)) {
                if (job.end == now) {
                    running.remove(job);
                    done.get(job.dag).add(job);
                    submitReady(job.dag, job.task);
                }
            }
            for (; arrived < arrivals.size() && arrivals.get(arrived).at() == now; arrived++) {
                submitReady(arrived, -1);
            }
            while (!pool.isEmpty() && running.size() < speeds.size()) {
                bound.add(schedule(now));
            }
        }
        return bound;
    }

    /** Submits the children of a completed job, or jobs without parents, if all their parents have completed. */
    private void submitReady(int number, int parent) {
        RankedDag dag = arrivals.get(number).dag();
        for (int task = 0; task < dag.size(); task++) {
            boolean concerned = parent < 0;
            boolean ready = true;
            for (int p = dag.firstParent(task); p < dag.firstParent(task + 1); p++) {
                concerned |= dag.parent(p) == parent;
                ready &= isDone(number, dag.parent(p));
            }
            if (concerned && ready) {
                pool.add(new Job(number, task, entries++));
            }
        }
    }

    private String schedule(long now) {
        boolean multiple = pool.stream().mapToInt(job -> job.dag).distinct().count() > 1;
        Comparator<Job> byNumber = Comparator.<Job>comparingInt(job -> job.dag).thenComparingInt(job -> job.task);
        Comparator<Job> lowest = Comparator.<Job>comparingLong(this::rank)
                .thenComparingInt(job -> job.dag)
                .thenComparingInt(job -> -job.task);
        Comparator<Job> highest =
                Comparator.<Job>comparingLong(this::rank).reversed().thenComparing(byNumber);
        Comparator<Job> order =
                switch (policy) {
                    case "rank-hybd" -> multiple ? lowest : highest;
                    case "rank-hf" -> highest;
                    case "fifo" -> Comparator.comparingLong(job -> job.entry);
                    default ->
                        Comparator.<Job>comparingLong(job -> remaining(job.dag))
                                .thenComparingInt(job -> job.dag)
                                .thenComparing(highest);
                };
        pool.sort(order);
        Job job = pool.remove(0);
        job.end = Long.MAX_VALUE;
        for (int element = 0; element < speeds.size(); element++) {
            int each = element;
            if (running.stream().noneMatch(other -> other.element == each)) {
                long start = Math.max(now, arrival(job, element, now));
                long end = start + (long) Math.ceil(dag(job).millis(job.task) / speeds.get(element));
                if (end < job.end) {
                    job.end = end;
                    job.start = start;
                    job.element = element;
                }
            }
        }
        running.add(job);
        return job.dag + "." + job.task + " " + job.element + " " + job.start + " " + job.end;
    }

    private long remaining(int number) {
        RankedDag dag = arrivals.get(number).dag();
        long remaining = 0;
        for (int task = 0; task < dag.size(); task++) {
            remaining += isDone(number, task) ? 0 : dag.millis(task);
        }
        return remaining;
    }

    /** When all data are on an element. */
    private long arrival(Job job, int element, long now) {
        RankedDag dag = dag(job);
        long last = 0;
        for (int p = dag.firstParent(job.task); p < dag.firstParent(job.task + 1); p++) {
            int parent = dag.parent(p);
            Job from = done.get(job.dag).stream()
                    .filter(each -> each.task == parent)
                    .findFirst()
                    .orElseThrow();
            long cost = from.element == element ? 0 : dag.cost(p);
            last = Math.max(last, cost == 0 ? from.end : (atEnd ? from.end : now) + cost);
        }
        return last;
    }
}
