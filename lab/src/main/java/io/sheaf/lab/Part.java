package io.sheaf.lab;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The part of a block that some of its items need, so that a few of them do not play the background for all.
 */
final class Part {
    private final QueueBlock whole;
    private final QueueBlock block;
    /** The places of its workflows in the whole block, ascending. */
    private final int[] subjects;
    /** The places of its starts there, ascending. */
    private final int[] starts;

    private Part(QueueBlock whole, QueueBlock block, int[] subjects, int[] starts) {
        this.whole = whole;
        this.block = block;
        this.subjects = subjects;
        this.starts = starts;
    }

    /** This part by itself. */
    QueueBlock block() {
        return block;
    }

    /** What these items need; an item of a block is workflow × number of starts + start. */
    static Part of(QueueBlock whole, int[] items) {
        int all = whole.starts().length;
        int[] subjects =
                IntStream.of(items).map(item -> item / all).distinct().sorted().toArray();
        int[] starts =
                IntStream.of(items).map(item -> item % all).distinct().sorted().toArray();
        QueueBlock block = new QueueBlock(
                whole.strategies(),
                whole.cluster(),
                whole.conventions(),
                whole.accuracy(),
                whole.coresPerNode(),
                whole.taken(),
                whole.cap(),
                whole.seed(),
                IntStream.of(subjects).mapToObj(whole.subjects()::get).toList(),
                IntStream.of(starts).mapToLong(start -> whole.starts()[start]).toArray(),
                whole.expectedStarts(),
                whole.background());
        return new Part(whole, block, subjects, starts);
    }

    /** The number here of an item of the whole block. */
    int here(int item) {
        int all = whole.starts().length;
        return Arrays.binarySearch(subjects, item / all) * starts.length + Arrays.binarySearch(starts, item % all);
    }

    /** The number in the whole block of what is at a workflow and a start here. */
    int there(int subject, int start) {
        return subjects[subject] * whole.starts().length + starts[start];
    }
}
