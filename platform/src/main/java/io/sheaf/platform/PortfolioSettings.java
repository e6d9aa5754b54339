package io.sheaf.platform;

/**
 * Parameters of a portfolio.
 *
 * @param alpha an algorithm is chosen at the start and whenever more than this fraction of the work was completed since
 * @param atLevels an algorithm is also chosen whenever a level of the workflow is complete
 * @param beta a candidate is simulated until more than this fraction of the work was completed; to the end if 1
 * @param error a simulated value d is reported as d + d·U with U uniform in (−error, error)
 * @param noiseSeed seed of the error's random numbers
 * @param budget maximum number of candidates per decision
 * @param prune whether to stop candidates that cannot win; the choices are unchanged
 * @param threads number of candidates simulated in parallel; results do not depend on it
 * @param misjudged error of expected run times: the standard deviation of the logarithm of a factor per category, drawn from the noise
 *     seed; 0 for exact ones
 * @param forensics whether expected run times are corrected by observations
 */
public record PortfolioSettings(
        double alpha,
        boolean atLevels,
        double beta,
        double error,
        int noiseSeed,
        int budget,
        boolean prune,
        Objective objective,
        int threads,
        double misjudged,
        boolean forensics) {
    /** Those of the published study, with all cores and without pruning. */
    public static final PortfolioSettings PUBLISHED = new PortfolioSettings(
            0.1,
            false,
            1,
            0,
            1000,
            Integer.MAX_VALUE,
            false,
            Objective.MAKESPAN,
            Runtime.getRuntime().availableProcessors(),
            0,
            false);

    public PortfolioSettings {
        if (!(alpha > 0) || !(beta > 0) || !(error >= 0) || budget < 1 || threads < 1 || !(misjudged >= 0)) {
            throw new IllegalArgumentException("alpha, beta, budget and threads are above 0, errors are not below");
        }
    }

    public PortfolioSettings withAlpha(double fraction, boolean levels) {
        return new PortfolioSettings(
                fraction, levels, beta, error, noiseSeed, budget, prune, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withBeta(double fraction) {
        return new PortfolioSettings(
                alpha, atLevels, fraction, error, noiseSeed, budget, prune, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withError(double relative, int seed) {
        return new PortfolioSettings(
                alpha, atLevels, beta, relative, seed, budget, prune, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withBudget(int candidates) {
        return new PortfolioSettings(
                alpha, atLevels, beta, error, noiseSeed, candidates, prune, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withPruning(boolean on) {
        return new PortfolioSettings(
                alpha, atLevels, beta, error, noiseSeed, budget, on, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withObjective(Objective objective) {
        return new PortfolioSettings(
                alpha, atLevels, beta, error, noiseSeed, budget, prune, objective, threads, misjudged, forensics);
    }

    public PortfolioSettings withThreads(int count) {
        return new PortfolioSettings(
                alpha, atLevels, beta, error, noiseSeed, budget, prune, objective, count, misjudged, forensics);
    }

    /** Candidates are simulated with run times that are wrong, and corrected or not. */
    public PortfolioSettings withBelief(double deviation, boolean corrected) {
        return new PortfolioSettings(
                alpha, atLevels, beta, error, noiseSeed, budget, prune, objective, threads, deviation, corrected);
    }
}
