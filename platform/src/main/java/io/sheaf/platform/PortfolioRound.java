package io.sheaf.platform;

import java.util.List;

/**
 * A choice of an algorithm: when, among which candidates, and which one.
 *
 * @param chosen the number of the algorithm
 */
public record PortfolioRound(double date, List<Candidate> candidates, int chosen) {
    /**
     * A candidate and its value.
     *
     * @param algorithm its number
     * @param simulated the simulated value, or the bound at which it was pruned
     * @param reported the value with the error, which decides
     */
    public record Candidate(int algorithm, double simulated, double reported, boolean givenUp) {}

    public PortfolioRound {
        candidates = List.copyOf(candidates);
    }
}
