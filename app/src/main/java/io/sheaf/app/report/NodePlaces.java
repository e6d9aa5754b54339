package io.sheaf.app.report;

import io.sheaf.app.page.FreeNodes;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Node numbers for drawing our jobs and background jobs, since schedulers that count nodes do not report them. In order
 * of their starts, each gets the lowest free block that fits, or else the lowest free nodes.
 */
final class NodePlaces {
    /** A job that ran. */
    private record Ran(boolean own, int index, int nodes, long started, long ended) {}

    private final List<List<Rows.Block>> ownBlocks = new ArrayList<>();
    private final List<List<Rows.Block>> backgroundBlocks = new ArrayList<>();

    NodePlaces(RunRecord run, List<BackgroundJob> neighbours) {
        List<Ran> all = new ArrayList<>();
        for (int i = 0; i < neighbours.size(); i++) {
            BackgroundJob job = neighbours.get(i);
            backgroundBlocks.add(new ArrayList<>());
            all.add(new Ran(false, i, job.nodes(), job.started(), end(job.ended())));
        }
        for (int i = 0; i < run.jobs().size(); i++) {
            JobRecord job = run.jobs().get(i);
            ownBlocks.add(new ArrayList<>());
            if (job.hasStarted()) {
                all.add(new Ran(true, i, job.nodes(), job.started(), end(job.ended())));
            }
        }
        all.removeIf(job -> job.ended <= job.started);
        all.sort(Comparator.comparingLong(Ran::started).thenComparing(Ran::own).thenComparingInt(Ran::index));
        place(all, run.nodes());
    }

    private static long end(long ended) {
        return ended == JobRecord.NEVER ? Long.MAX_VALUE : ended;
    }

    private void place(List<Ran> all, int nodes) {
        FreeNodes free = new FreeNodes(nodes);
        PriorityQueue<Ran> running = new PriorityQueue<>(
                Comparator.comparingLong(Ran::ended).thenComparing(Ran::own).thenComparingInt(Ran::index));
        for (Ran job : all) {
            while (!running.isEmpty() && running.element().ended <= job.started) {
                blocks(running.remove()).forEach(block -> free.free(block.first(), block.length()));
            }
            free.allocate(job.nodes, (first, length) -> blocks(job).add(new Rows.Block(first, length)));
            running.add(job);
        }
    }

    private List<Rows.Block> blocks(Ran job) {
        return (job.own ? ownBlocks : backgroundBlocks).get(job.index);
    }

    /** The nodes of one of our jobs, by its index in the record; empty if it did not run. */
    List<Rows.Block> ownBlocks(int job) {
        return ownBlocks.get(job);
    }

    List<Rows.Block> backgroundBlocks(int job) {
        return backgroundBlocks.get(job);
    }

    /** The cluster's number of a node, given its index within one of our jobs. */
    int node(int job, int within) {
        int left = within;
        for (Rows.Block block : ownBlocks.get(job)) {
            if (left < block.length()) {
                return block.first() + left;
            }
            left -= block.length();
        }
        throw new IllegalArgumentException("job " + job + " has no node " + within);
    }
}
