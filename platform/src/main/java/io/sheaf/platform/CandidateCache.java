package io.sheaf.platform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Simulated values of all algorithms at points of a scenario's runs, to the end or to a horizon.
 *
 * <p>An algorithm that makes the same decisions as another shares its simulation. Portfolios with the same choices so far share the values.
 * Thread-safe.
 */
public final class CandidateCache {
    private final Scenario scenario;
    final List<Algorithm> algorithms;
    /** The value of each algorithm; not a number where it is not known yet. */
    private final Map<Point, double[]> known = new ConcurrentHashMap<>();

    /** A point of a run, identified by earlier choices, and the question to the algorithms there. */
    record Point(double alpha, boolean atLevels, List<Integer> chosen, double beta, Objective objective) {
        static Point of(PortfolioSettings settings, List<Integer> chosen) {
            // When the next choice is made matters only after the first.
            boolean first = chosen.isEmpty();
            return new Point(
                    first ? 1 : settings.alpha(),
                    !first && settings.atLevels(),
                    chosen,
                    settings.beta(),
                    settings.objective());
        }

        double horizon() {
            return beta >= 1 ? Double.POSITIVE_INFINITY : beta;
        }
    }

    /** The value of an algorithm, and the algorithms that share it. */
    private record Simulated(int number, double value, List<Integer> equivalent) {}

    /** Of a scenario and algorithms, about which nothing is known yet. */
    public CandidateCache(Scenario scenario, List<Algorithm> algorithms) {
        this.scenario = scenario;
        this.algorithms = List.copyOf(algorithms);
    }

    public Scenario scenario() {
        return scenario;
    }

    /** The values of at least these algorithms, by number. Cached if they were simulated with the true run times. */
    double[] values(PlatformSimulation now, Point point, int[] numbers, ExecutorService threads, int side) {
        boolean isTrue = now.scenario() == scenario;
        double[] found = isTrue ? known.get(point) : null;
        double[] values = new double[algorithms.size()];
        Arrays.fill(values, Double.NaN);
        if (found != null) {
            System.arraycopy(found, 0, values, 0, values.length);
        }
        List<Integer> open = new ArrayList<>();
        for (int number : numbers) {
            if (Double.isNaN(values[number])) {
                open.add(number);
            }
        }
        while (!open.isEmpty()) {
            List<Integer> candidates = List.copyOf(open);
            List<Future<Simulated>> futures = new ArrayList<>();
            for (int number : candidates.subList(0, Math.min(side, candidates.size()))) {
                Callable<Simulated> task = () -> simulate(now, point, number, candidates);
                futures.add(threads.submit(task));
            }
            for (Future<Simulated> future : futures) {
                Simulated simulated = PlatformPortfolio.result(future);
                values[simulated.number()] = simulated.value();
                simulated.equivalent().forEach(number -> values[number] = simulated.value());
            }
            open.removeIf(number -> !Double.isNaN(values[number]));
        }
        if (isTrue) {
            known.put(point, values);
        }
        return values;
    }

    private Simulated simulate(PlatformSimulation now, Point point, int number, List<Integer> candidates) {
        PlatformSimulation fork = now.fork();
        fork.use(algorithms.get(number));
        fork.equivalent.watch(fork, candidates.stream().map(algorithms::get).toList());
        fork.run(StopRule.afterWork(point.horizon()));
        List<Integer> equivalent = candidates.stream()
                .filter(other -> fork.equivalent.has(algorithms.get(other), algorithms.get(number)))
                .toList();
        return new Simulated(number, point.objective().value(fork), equivalent);
    }
}
