package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * The fast Fourier transform over m = 2^k blocks of data (see {@link ZhangFamily}).
 *
 * <p>The graph is the one that list scheduling is tested with since Topcuoglu, Hariri and Wu (IEEE TPDS 2002): a binary tree
 * of recursive calls, 2m − 1 tasks, whose leaves feed k levels of m butterflies. With its 2k + 1 levels it would be 17
 * levels deep at width 256, where the paper has 20; so the data are read by one task before, scaled block by block and
 * written by one task after. m k + 3m + 1 tasks in 2k + 4 levels.
 *
 * <p>Weights, chosen: a butterfly 1, scaling a block 1/2, moving a block 1/64, so that reading, writing and the call on all
 * data cost m/64 each and a call on half of the data half of that. All blocks are alike: no spread. The 25 sizes have 3
 * times 8, 3 times 16, 4 times 32, 64 and 128, and 7 times 256 blocks; those with equal m differ in their data, hence in
 * their work.
 */
final class Fft extends ZhangFamily {
    private static final double MOVE = 1.0 / 64;
    private static final int[] LOG_BLOCKS = {3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8};

    Fft() {
        super("fft", "fast Fourier transform: a tree of calls and levels of butterflies", 1);
    }

    @Override
    int dimension(int size) {
        return LOG_BLOCKS[size - 1];
    }

    @Override
    long tasks(int logBlocks) {
        return (1L << logBlocks) * (logBlocks + 3) + 1;
    }

    @Override
    void draw(Sketch sketch, int logBlocks, RandomStream random) {
        int blocks = 1 << logBlocks;
        int[] row = calls(sketch, blocks);
        for (int level = 0; level < logBlocks; level++) {
            int[] next = new int[blocks];
            for (int block = 0; block < blocks; block++) {
                next[block] = sketch.task("butterfly", 1);
                sketch.edge(row[block], next[block]).edge(row[block ^ (1 << level)], next[block]);
            }
            row = next;
        }
        int write = sketch.task("write", blocks * MOVE);
        for (int butterfly : row) {
            int scale = sketch.task("scale", 0.5);
            sketch.edge(butterfly, scale).edge(scale, write);
        }
    }

    /** Reads the data and divides them by recursive calls, numbered as in a heap; returns the leaves. */
    private static int[] calls(Sketch sketch, int blocks) {
        int[] call = new int[2 * blocks];
        call[0] = sketch.task("read", blocks * MOVE);
        int[] leaves = new int[blocks];
        for (int i = 1; i < 2 * blocks; i++) {
            double data = (double) blocks / Integer.highestOneBit(i);
            call[i] = sketch.task("call", data * MOVE);
            sketch.edge(call[i / 2], call[i]);
            if (i >= blocks) {
                leaves[i - blocks] = call[i];
            }
        }
        return leaves;
    }
}
