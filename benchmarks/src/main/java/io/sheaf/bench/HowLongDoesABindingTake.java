package io.sheaf.bench;

import io.sheaf.planner.DagPlanner;
import io.sheaf.planner.Elements;
import io.sheaf.planner.Executor;
import io.sheaf.planner.JobPool;
import io.sheaf.planner.Owner;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * How long does it take to choose the next job of 100 workflows of 1,000 jobs and the element that it ends on first, and how much memory do they need?
 *
 * <p>All workflows arrive at once; whenever a job ends, one is bound. Prints the processor time per job and the elapsed time of single bindings in the last
 * round. Argument: the number of rounds.
 */
public final class HowLongDoesABindingTake {
    private static final int WORKFLOWS = 100;
    private static final int TASKS = 1_000;
    private static final int ELEMENTS = 64;

    private record Running(DagPlanner planner, int task, int element, long end) {}

    private HowLongDoesABindingTake() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long before = Measure.used();
        List<RankedDag> dags = new ArrayList<>();
        JobPool forest = new JobPool();
        for (int i = 0; i < WORKFLOWS; i++) {
            Recipe recipe = new Recipe(TASKS, 0, i, Map.of("edge-length", "high"));
            dags.add(RankedDag.of(Families.named("random").generate(recipe), 1e6, 1, RankedDag.WHOLE));
            forest.submit(dags.get(i), new Owner("owner", 1));
        }
        Measure.print(
                "%d workflows of %d jobs, %d ready at first: %.1f MB",
                WORKFLOWS, TASKS, forest.ready(), (Measure.used() - before) / 1e6);
        for (String policy : Policies.NAMES) {
            for (int round = 1; round <= rounds; round++) {
                run(policy, dags, round == rounds);
            }
        }
    }

    private static void run(String policy, List<RankedDag> dags, boolean reported) {
        JobPool pool = new JobPool();
        for (int i = 0; i < WORKFLOWS; i++) {
            pool.submit(dags.get(i), new Owner("owner " + i, 1 + i % 3));
        }
        double[] speeds = new double[ELEMENTS];
        Arrays.setAll(speeds, i -> 1 + i % 4 / 4.0);
        Executor executor =
                new Executor(pool, Policies.named(policy, 1), new Elements(speeds), Executor.Transfer.AT_END);
        Deque<Running> running = new ArrayDeque<>();
        long[] nanos = new long[WORKFLOWS * TASKS];
        int bound = 0;
        int maximum = 0;
        long now = 0;
        long begin = Measure.cpu();
        Executor.Bindings bindings =
                (of, task, element, start, end) -> running.add(new Running(of, task, element, end));
        executor.schedule(now, bindings);
        while (!running.isEmpty()) {
            // In the order of binding: the order of ends would be measured with it.
            Running first = running.remove();
            now = Math.max(now, first.end());
            maximum = Math.max(maximum, pool.ready());
            executor.done(first.planner(), first.task(), first.element(), now);
            long from = System.nanoTime();
            executor.schedule(now, bindings);
            nanos[bound++] = System.nanoTime() - from;
        }
        double micros = (Measure.cpu() - begin) / 1e3 / bound;
        Arrays.sort(nanos, 0, bound);
        if (reported) {
            Measure.print(
                    "%-18s %d jobs, up to %d ready: %.2f µs of processor time each; a binding median %.2f, 99.9 %% within %.2f µs",
                    policy, bound, maximum, micros, nanos[bound / 2] / 1e3, nanos[(int) (bound * 0.999)] / 1e3);
        }
    }
}
