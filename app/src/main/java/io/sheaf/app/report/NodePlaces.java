package io.sheaf.app.report;

import io.sheaf.app.page.FreeNodes;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Node numbers for drawing our jobs and background jobs, by {@link FreeNodes#place}. */
final class NodePlaces {
    private record Ran(int nodes, long started, long ended) {}

    /** The ranges of the background jobs, then of ours. */
    private final int[][] placed;

    private final int neighbours;

    NodePlaces(RunRecord run, List<BackgroundJob> neighbours) {
        this.neighbours = neighbours.size();
        List<Ran> all = new ArrayList<>();
        neighbours.forEach(job -> all.add(new Ran(job.nodes(), job.started(), end(job.ended()))));
        for (JobRecord job : run.jobs()) {
            long end = job.hasStarted() ? end(job.ended()) : job.started();
            all.add(new Ran(job.nodes(), job.started(), end));
        }
        placed = FreeNodes.place(
                run.nodes(), all.size(), job -> all.get(job).nodes, job -> all.get(job).started, job -> all.get(job)
                        .ended);
    }

    private static long end(long ended) {
        return ended == JobRecord.NEVER ? Long.MAX_VALUE : ended;
    }

    /** The nodes of one of our jobs, by its index in the record; empty if it did not run. */
    List<Rows.Block> ownBlocks(int job) {
        return backgroundBlocks(neighbours + job);
    }

    List<Rows.Block> backgroundBlocks(int job) {
        int[] ranges = placed[job];
        return IntStream.range(0, ranges.length / 2)
                .mapToObj(i -> new Rows.Block(ranges[2 * i], ranges[2 * i + 1]))
                .toList();
    }

    /** The cluster's number of a node, given its index within one of our jobs. */
    int node(int job, int within) {
        int left = within;
        for (Rows.Block block : ownBlocks(job)) {
            if (left < block.length()) {
                return block.first() + left;
            }
            left -= block.length();
        }
        throw new IllegalArgumentException("job " + job + " has no node " + within);
    }
}
