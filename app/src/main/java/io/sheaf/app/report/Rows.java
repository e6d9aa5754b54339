package io.sheaf.app.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows of a chart; items must be placed in order of their start. */
final class Rows {
    /** A block of neighbouring rows. */
    record Block(int first, int length) {}

    /** When each row becomes free. */
    private final List<Long> freeAt = new ArrayList<>();

    /** Adds a block, joined with the last one if they touch. */
    static void add(List<Block> blocks, int first, int length) {
        Block last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
        if (last != null && last.first + last.length == first) {
            blocks.set(blocks.size() - 1, new Block(last.first, last.length + length));
        } else {
            blocks.add(new Block(first, length));
        }
    }

    /** Takes the lowest free block of rows until an instant, adding rows if needed. */
    int block(int rows, long from, long to) {
        int first = 0;
        int found = 0;
        for (int row = 0; row < freeAt.size() && found < rows; row++) {
            if (freeAt.get(row) > from) {
                found = 0;
                first = row + 1;
            } else {
                found++;
            }
        }
        occupy(first, rows, to);
        return first;
    }

    /** The lowest free rows below a number, in blocks. Items share rows if late reports claim more than exist. */
    List<Block> any(int rows, int below, long from, long to) {
        List<Block> blocks = new ArrayList<>();
        int missing = rows;
        for (int row = 0; row < below && missing > 0; row++) {
            if (row >= freeAt.size() || freeAt.get(row) <= from) {
                add(blocks, row, 1);
                missing--;
            }
        }
        for (Block block : blocks) {
            occupy(block.first, block.length, to);
        }
        return blocks.isEmpty() ? List.of(new Block(0, Math.min(rows, below))) : blocks;
    }

    private void occupy(int first, int rows, long to) {
        int end = first + rows;
        while (freeAt.size() < end) {
            freeAt.add(Long.MIN_VALUE);
        }
        Collections.fill(freeAt.subList(first, end), to);
    }

    int count() {
        return freeAt.size();
    }
}
