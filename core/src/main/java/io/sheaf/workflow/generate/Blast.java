package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * BLAST, the search of sequences in a database: "a sequence of parallel executions" (see {@link ZhangFamily}; on a grid by
 * Krishnan, Concurrency and Computation 2005).
 *
 * <p>The paper counts EMAN and Montage among the applications with a constant number of levels and leaves BLAST out, so here the
 * sequence grows with the data: a split, then r rounds of w searches with a merge after each. r = 2 for sizes 1 to 3 and one more
 * for every three sizes, up to 10 for size 25. r (w + 1) + 1 tasks in 2r + 1 levels.
 *
 * <p>Weights, chosen: searches 990 of 1000, log-normal with a standard deviation of 30 % since hits differ from query to query;
 * merges 8, the split 2.
 */
final class Blast extends ZhangFamily {
    private static final double SPREAD = 0.3;

    Blast() {
        super("blast", "sequence search: rounds of parallel searches, each followed by a merge", 1);
    }

    static int rounds(int width) {
        return 2 + Math.min(widthsBelow(width), SIZES - 1) / 3;
    }

    @Override
    long tasks(int width) {
        return rounds(width) * (width + 1L) + 1;
    }

    @Override
    void draw(Sketch sketch, int width, RandomStream random) {
        int rounds = rounds(width);
        int before = sketch.task("split", 2);
        for (int round = 0; round < rounds; round++) {
            int merge = sketch.task("merge", 8.0 / rounds);
            for (int i = 0; i < width; i++) {
                int search = sketch.task("blastall", random.lognormalAround(990.0 / rounds / width, SPREAD));
                sketch.edge(before, search).edge(search, merge);
            }
            before = merge;
        }
    }
}
