package io.sheaf.app.replay;

import io.sheaf.app.page.FreeNodes;
import io.sheaf.batch.InstantHeap;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.ReplayResult;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Node numbers for drawing the jobs of a replay: the scheduler's, if it allocates contiguous blocks.
 *
 * <p>Otherwise jobs are placed in order of their starts. Each gets the lowest free block that fits, or else the lowest
 * free nodes, so most jobs are one bar. A job of zero length is drawn on the first nodes and uses none.
 */
final class NodeRanges {
    private final int[] offset;
    private int[] first = new int[64];
    private int[] length = new int[64];
    private int size;

    private NodeRanges(int jobs) {
        offset = new int[jobs + 1];
    }

    static NodeRanges of(ReplayResult replayed, int nodes) {
        return new NodeAssignment(replayed, nodes).place();
    }

    /** The first range of a job; the last one is before {@code from(job + 1)}. */
    int from(int job) {
        return offset[job];
    }

    int first(int range) {
        return first[range];
    }

    int length(int range) {
        return length[range];
    }

    private void add(int at, int count) {
        if (size == first.length) {
            first = Arrays.copyOf(first, 2 * size);
            length = Arrays.copyOf(length, 2 * size);
        }
        first[size] = at;
        length[size] = count;
        size++;
    }

    /** One pass over the starts and ends of all jobs. */
    private static final class NodeAssignment {
        private final ReplayResult replayed;
        private final JobLog log;
        private final FreeNodes free;
        private final InstantHeap ends = new InstantHeap();
        /** The ranges in order of starts, with the first range and the number of ranges of each job. */
        private final NodeRanges found;

        private final int[] begin;
        private final int[] count;

        NodeAssignment(ReplayResult replayed, int nodes) {
            this.replayed = replayed;
            this.log = replayed.log();
            this.free = new FreeNodes(nodes);
            this.found = new NodeRanges(log.size());
            this.begin = new int[log.size()];
            this.count = new int[log.size()];
        }

        NodeRanges place() {
            int[] order = IntStream.range(0, log.size())
                    .filter(j -> replayed.start(j) != ReplayResult.NEVER)
                    .boxed()
                    .sorted((a, b) -> {
                        int byStart = Long.compare(replayed.start(a), replayed.start(b));
                        return byStart != 0 ? byStart : Integer.compare(a, b);
                    })
                    .mapToInt(j -> j)
                    .toArray();
            for (int job : order) {
                while (ends.first() <= replayed.start(job)) {
                    release(ends.remove());
                }
                start(job);
            }
            return byJob();
        }

        private void start(int job) {
            begin[job] = found.size;
            if (replayed.isPlaced()) {
                found.add(replayed.firstNode(job), log.nodes(job));
            } else if (replayed.end(job) > replayed.start(job)) {
                free.allocate(log.nodes(job), found::add);
                ends.add(replayed.end(job), job, job);
            } else {
                found.add(0, log.nodes(job));
            }
            count[job] = found.size - begin[job];
        }

        private void release(int job) {
            for (int r = begin[job]; r < begin[job] + count[job]; r++) {
                free.free(found.first[r], found.length[r]);
            }
        }

        private NodeRanges byJob() {
            NodeRanges sorted = new NodeRanges(log.size());
            for (int job = 0; job < log.size(); job++) {
                sorted.offset[job] = sorted.size;
                for (int r = begin[job]; r < begin[job] + count[job]; r++) {
                    sorted.add(found.first[r], found.length[r]);
                }
            }
            sorted.offset[log.size()] = sorted.size;
            return sorted;
        }
    }
}
