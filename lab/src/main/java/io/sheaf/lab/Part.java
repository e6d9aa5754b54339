package io.sheaf.lab;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The part of a block that some of its items need, so that a few of them do not play the background for all.
 */
final class Part {
    private final Block whole;
    private final Block block;
    /** The places of its workflows in the whole block, ascending. */
    private final int[] subjects;
    /** The places of its starts there, ascending. */
    private final int[] starts;

    private Part(Block whole, Block block, int[] subjects, int[] starts) {
        this.whole = whole;
        this.block = block;
        this.subjects = subjects;
        this.starts = starts;
    }

    /** This part by itself. */
    Block block() {
        return block;
    }

    /** What these items need; an item of a block is workflow × number of starts + start. */
    static Part of(Block whole, int[] items) {
        int all = whole.starts().length;
        int[] subjects =
                IntStream.of(items).map(item -> item / all).distinct().sorted().toArray();
        int[] starts =
                IntStream.of(items).map(item -> item % all).distinct().sorted().toArray();
        Block block = new Block(
                whole.cluster(),
                whole.conventions(),
                whole.accuracy(),
                whole.coresPerNode(),
                whole.spread(),
                whole.cap(),
                whole.seed(),
                IntStream.of(subjects).mapToObj(whole.subjects()::get).toList(),
                IntStream.of(starts).mapToLong(start -> whole.starts()[start]).toArray(),
                whole.firstItem(),
                whole.expectedStarts());
        return new Part(whole, block, subjects, starts);
    }

    /** The number here of an item of the whole block. */
    int here(int item) {
        int all = whole.starts().length;
        return Arrays.binarySearch(subjects, item / all) * starts.length + Arrays.binarySearch(starts, item % all);
    }

    /** The number in the whole plan of what is at a workflow and a start here. */
    int inPlan(int subject, int start) {
        return (int) whole.firstItem() + subjects[subject] * whole.starts().length + starts[start];
    }
}
