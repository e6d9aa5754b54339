package io.sheaf.platform;

import io.sheaf.platform.CandidateCache.Point;
import io.sheaf.platform.PortfolioRound.Candidate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulation-driven portfolio scheduling, after Casanova, Wong, Pottier and Ferreira da Silva, JSSPP 2022.
 *
 * <h2>Idea</h2>
 * No algorithm is best everywhere. From time to time the run is copied once for each algorithm and simulated with that
 * algorithm only; the run continues with the best. Running tasks are not touched.
 *
 * <h2>Decision</h2>
 * At the start, and when more than a fraction α of the work was completed since the last choice, every candidate is
 * simulated until more than a fraction β of the work is completed, or to the end. The smallest reported value wins; ties by lowest number.
 *
 * <h2>Departures from the paper</h2>
 * Copies are forks in memory, not processes. Options: choices at level boundaries; a budget of
 * candidates; pruning of candidates that cannot win. Pruning simulates in waves of fixed size with a bound from earlier waves only, so that
 * results do not depend on the number of threads. Without pruning, candidates that make the same decisions share a simulation ({@link
 * CandidateCache}).
 */
public final class PlatformPortfolio {
    /** As many candidates are simulated before their results bound the next ones. */
    private static final int WAVE = 6;

    private static final double GOLDEN = 0.618;

    private final CandidateCache cache;
    private final List<Algorithm> algorithms;
    private final PortfolioSettings settings;
    private final MersenneTwister noise;
    private final List<PortfolioRound> rounds = new ArrayList<>();
    /** The last value simulated for each algorithm, and the round of it; −1 before the first. */
    private final double[] lastValue;

    private final int[] lastRound;
    private long evaluations;

    /** The result of a run: the execution and every choice. */
    public record Run(PlatformSimulation simulation, List<PortfolioRound> rounds, long evaluations) {}

    private PlatformPortfolio(CandidateCache cache, PortfolioSettings settings) {
        this.cache = cache;
        algorithms = cache.algorithms;
        this.settings = settings;
        noise = new MersenneTwister(settings.noiseSeed());
        lastValue = new double[algorithms.size()];
        lastRound = new int[algorithms.size()];
        Arrays.fill(lastRound, -1);
    }

    /** Runs a workflow, choosing among these algorithms. */
    public static Run run(Scenario scenario, List<Algorithm> algorithms, PortfolioSettings settings) {
        return run(new CandidateCache(scenario, algorithms), settings);
    }

    /** Runs a workflow; what was found out for other portfolios of it is not simulated again. */
    public static Run run(CandidateCache cache, PortfolioSettings settings) {
        return run(cache, settings, Forensics.of(cache.scenario(), settings));
    }

    /** Runs a workflow; candidates are simulated with the run times of the forensics. */
    static Run run(CandidateCache cache, PortfolioSettings settings, Forensics forensics) {
        PlatformPortfolio portfolio = new PlatformPortfolio(cache, settings);
        ExecutorService threads = Executors.newFixedThreadPool(settings.threads(), task -> {
            Thread thread = new Thread(task, "portfolio");
            thread.setDaemon(true);
            return thread;
        });
        try {
            PlatformSimulation start = new PlatformSimulation(cache.scenario(), portfolio.algorithms.get(0));
            return portfolio.run(start, forensics, threads);
        } finally {
            threads.shutdownNow();
        }
    }

    private Run run(PlatformSimulation simulation, Forensics forensics, ExecutorService threads) {
        StopRule next = new StopRule(settings.alpha(), settings.atLevels(), Double.POSITIVE_INFINITY);
        do {
            PlatformSimulation believed = forensics.believed(simulation);
            PortfolioRound round = choose(believed, threads);
            rounds.add(round);
            simulation.use(algorithms.get(round.chosen()));
        } while (!simulation.run(next));
        return new Run(simulation, List.copyOf(rounds), evaluations);
    }

    private PortfolioRound choose(PlatformSimulation now, ExecutorService threads) {
        double[] factor = new double[algorithms.size()];
        for (int i = 0; i < factor.length; i++) {
            factor[i] = 1 + noise.uniform(-settings.error(), settings.error());
        }
        int[] order = settings.prune() || settings.budget() < factor.length ? promising() : numbers();
        List<Candidate> candidates =
                settings.prune() ? inWaves(now, order, factor, threads) : allSimulated(now, order, factor, threads);
        Candidate best = null;
        for (Candidate candidate : candidates) {
            best = better(candidate, best);
        }
        remember(candidates);
        candidates.sort(Comparator.comparingInt(Candidate::algorithm));
        return new PortfolioRound(now.now(), candidates, best == null ? 0 : best.algorithm());
    }

    /** Simulates all candidates; equivalent ones share a simulation. */
    private List<Candidate> allSimulated(
            PlatformSimulation now, int[] order, double[] factor, ExecutorService threads) {
        List<Integer> chosen = rounds.stream().map(PortfolioRound::chosen).toList();
        double[] values = cache.values(now, Point.of(settings, chosen), order, threads, settings.threads());
        List<Candidate> candidates = new ArrayList<>();
        for (int number : order) {
            candidates.add(new Candidate(number, values[number], reported(now, values[number], factor[number]), false));
        }
        return candidates;
    }

    /** Simulates candidates in waves, and prunes those that cannot beat earlier waves. */
    private List<Candidate> inWaves(PlatformSimulation now, int[] order, double[] factor, ExecutorService threads) {
        List<Candidate> candidates = new ArrayList<>();
        Candidate best = null;
        for (int from = 0; from < order.length; from += WAVE) {
            double bound = best == null ? Double.POSITIVE_INFINITY : best.reported();
            List<Future<Candidate>> wave = new ArrayList<>();
            for (int i = from; i < Math.min(order.length, from + WAVE); i++) {
                int number = order[i];
                wave.add(threads.submit(() -> simulate(now, number, factor[number], bound)));
            }
            for (Future<Candidate> future : wave) {
                Candidate candidate = result(future);
                candidates.add(candidate);
                best = better(candidate, best);
            }
        }
        return candidates;
    }

    private static Candidate better(Candidate candidate, @Nullable Candidate best) {
        boolean wins = best == null
                || (!candidate.givenUp()
                        && (candidate.reported() < best.reported()
                                || (candidate.reported() == best.reported()
                                        && candidate.algorithm() < best.algorithm())));
        return wins || best == null ? candidate : best;
    }

    /** Simulates one algorithm from here on; it is pruned when the reported value must exceed the bound. */
    private Candidate simulate(PlatformSimulation now, int number, double factor, double bound) {
        PlatformSimulation fork = now.fork();
        fork.use(algorithms.get(number));
        double max = factor > 0 ? bound / factor : Double.POSITIVE_INFINITY;
        double latest = settings.objective().latest(fork, max);
        double horizon = Point.of(settings, List.of()).horizon();
        fork.run(StopRule.afterWork(horizon).orAfter(latest));
        boolean givenUp = !fork.stopped;
        double value = givenUp ? max : settings.objective().value(fork);
        return new Candidate(number, value, reported(now, value, factor), givenUp);
    }

    private static double reported(PlatformSimulation now, double value, double factor) {
        boolean atLeastZero = now.scenario().model() == Model.PAPER;
        return atLeastZero ? Math.max(0, value * factor) : value * factor;
    }

    private void remember(List<Candidate> candidates) {
        evaluations += candidates.size();
        for (Candidate candidate : candidates) {
            lastValue[candidate.algorithm()] = candidate.simulated();
            lastRound[candidate.algorithm()] = rounds.size();
        }
    }

    private int[] numbers() {
        return IntStream.range(0, algorithms.size()).toArray();
    }

    /**
     * The candidates that the budget allows: by turns the one that was best when last simulated and the one that was simulated longest
     * ago, so that the good are watched and no other is forgotten.
     */
    private int[] promising() {
        Set<Integer> good =
                sorted(Comparator.comparingDouble(i -> lastRound[i] < 0 ? Double.POSITIVE_INFINITY : lastValue[i]));
        Set<Integer> old = sorted(Comparator.comparingInt(i -> lastRound[i]));
        int count = Math.min(settings.budget(), algorithms.size());
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            // If all are simulated, the best first gives the tightest bound.
            boolean takeOld = count < algorithms.size() && i % 2 == 1;
            Integer next = (takeOld ? old : good).iterator().next();
            good.remove(next);
            old.remove(next);
            order[i] = next;
        }
        return order;
    }

    private Set<Integer> sorted(Comparator<Integer> order) {
        return IntStream.range(0, algorithms.size())
                .boxed()
                .sorted(order.thenComparingInt(this::scattered))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** A place for each number such that the first few lie far apart, since neighbours differ in one criterion only. */
    private int scattered(int number) {
        int count = algorithms.size();
        int stride = (int) Math.round(count * GOLDEN);
        while (BigInteger.valueOf(stride).gcd(BigInteger.valueOf(count)).intValue() > 1) {
            stride++;
        }
        return (int) ((long) number * stride % count);
    }

    static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while candidates were simulated", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a candidate could not be simulated", e.getCause());
        }
    }
}
