package io.sheaf.strategy;

/** Selects one of several node counts with the same expected end. */
public enum TieRule {
    /** The fewest nodes: equally fast and cheaper. */
    SMALLEST {
        @Override
        boolean wins(int nodes, int over) {
            return nodes < over;
        }
    },
    /** The most nodes: as in the authors' program of GLUME, and safer if tasks take longer than expected. */
    LARGEST {
        @Override
        boolean wins(int nodes, int over) {
            return nodes > over;
        }
    };

    /** Whether one number of nodes is preferred to another; a strict order. */
    abstract boolean wins(int nodes, int over);
}
