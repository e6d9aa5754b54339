package io.sheaf.platform;

import java.util.List;

/**
 * A choice of an algorithm: when, among which candidates, and which one.
 *
 * @param chosen the number of the algorithm
 */
public record PortfolioRound(double date, List<Candidate> candidates, int chosen) {
    /**
     * A candidate and what its simulation came to.
     *
     * @param algorithm its number
     * @param simulated the value simulated, or the bound that it passed when it was given up
     * @param reported the value with the error, which the choice was made by
     */
    public record Candidate(int algorithm, double simulated, double reported, boolean givenUp) {}

    public PortfolioRound {
        candidates = List.copyOf(candidates);
    }
}
