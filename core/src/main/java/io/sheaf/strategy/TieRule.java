package io.sheaf.strategy;

/** Which number of nodes is taken of several that are expected to end at the same date. */
public enum TieRule {
    /** The fewest nodes: as good, and cheaper. */
    SMALLEST {
        @Override
        boolean wins(int nodes, int over) {
            return nodes < over;
        }
    },
    /** The most nodes: as the authors of GLUME have it, and safer if tasks take longer than expected. */
    LARGEST {
        @Override
        boolean wins(int nodes, int over) {
            return nodes > over;
        }
    };

    /** Whether one number of nodes is taken rather than another one; a strict order. */
    abstract boolean wins(int nodes, int over);
}
