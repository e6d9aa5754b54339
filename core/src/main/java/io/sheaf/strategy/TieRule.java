package io.sheaf.strategy;

/** Selects one of several node counts with the same expected end. */
public enum TieRule {
    /** The fewest nodes: equally fast and cheaper. */
    SMALLEST,
    /** The most nodes: as in the authors' program of GLUME, and safer if tasks take longer than expected. */
    LARGEST;

    /** Whether one number of nodes is preferred to another; a strict order. */
    boolean wins(int nodes, int over) {
        return this == SMALLEST ? nodes < over : nodes > over;
    }
}
