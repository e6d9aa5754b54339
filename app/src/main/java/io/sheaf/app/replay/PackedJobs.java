package io.sheaf.app.replay;

import io.sheaf.app.page.FreeNodes;
import io.sheaf.app.page.Varints;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.Trace;
import java.io.IOException;
import java.io.Writer;
import java.util.function.IntToLongFunction;

/**
 * The jobs of a replay as a page holds them: a {@code <script>} element of data, a column after the other, in {@link Varints}.
 *
 * <table>
 *   <caption>Columns, in this order</caption>
 *   <tr><td>id</td><td>difference to the job before, signed</td></tr>
 *   <tr><td>submit</td><td>difference to the job before; the first to the log's own zero, signed</td></tr>
 *   <tr><td>wait</td><td>until the start; for a job cancelled, until then</td></tr>
 *   <tr><td>run</td><td>from start to end; 0 for a job that never started</td></tr>
 *   <tr><td>requested</td><td>walltime</td></tr>
 *   <tr><td>nodes</td><td></td></tr>
 *   <tr><td>outcome</td><td>0 completed, 1 killed, 2 cancelled, 3 refused, 4 never started</td></tr>
 *   <tr><td>ranges</td><td>how many ranges of nodes; then for each the gap since the end of the one before and its length, the length
 *       of the last left out</td></tr>
 * </table>
 * Times are whole seconds if all of them are, else milliseconds: the attribute data-unit is the
 * unit in milliseconds.
 */
final class PackedJobs {
    private static final long SECOND = 1000;

    private final Trace trace;
    private final ReplayResult replayed;
    private final JobLog log;
    private final int[][] placed;
    private final int count;
    private final long unit;

    PackedJobs(Trace trace, ReplayResult replayed, int nodes, int count) {
        this.trace = trace;
        this.replayed = replayed;
        this.log = trace.jobs();
        this.placed = replayed.isPlaced()
                ? new int[0][]
                : FreeNodes.place(nodes, log.size(), log::nodes, replayed::start, j -> replayed.start(j) + run(j));
        this.count = count;
        this.unit = wholeSeconds() ? SECOND : 1;
    }

    void write(Writer out) throws IOException {
        Varints packed = new Varints();
        long before = 0;
        for (int j = 0; j < count; j++) {
            packed.addSigned(log.id(j) - before);
            before = log.id(j);
        }
        before = 0;
        for (int j = 0; j < count; j++) {
            long submit = trace.logTime(log.submit(j)) / unit;
            packed.addSigned(submit - before);
            before = submit;
        }
        column(packed, j -> wait(j) / unit);
        column(packed, j -> run(j) / unit);
        column(packed, j -> log.requested(j) / unit);
        column(packed, log::nodes);
        column(packed, j -> code(replayed.outcome(j)));
        for (int j = 0; j < count; j++) {
            addRanges(j, packed);
        }
        out.write("<script type=\"application/octet-stream\" id=\"jobs\" data-count=\"" + count + "\" data-unit=\""
                + unit + "\">");
        out.write(packed.base64());
        out.write("</script>");
    }

    private void column(Varints packed, IntToLongFunction value) {
        for (int j = 0; j < count; j++) {
            packed.add(value.applyAsLong(j));
        }
    }

    private void addRanges(int job, Varints packed) {
        int[] ranges = ranges(job);
        packed.add(ranges.length / 2);
        int end = 0;
        for (int i = 0; i < ranges.length; i += 2) {
            packed.add(ranges[i] - end);
            end = ranges[i] + ranges[i + 1];
            if (i < ranges.length - 2) {
                packed.add(ranges[i + 1]);
            }
        }
    }

    /** The scheduler's nodes, if it allocates contiguous blocks. A job of zero length is drawn on the first nodes and uses none. */
    private int[] ranges(int job) {
        if (replayed.start(job) == ReplayResult.NEVER) {
            return new int[0];
        }
        if (replayed.isPlaced()) {
            return new int[] {replayed.firstNode(job), log.nodes(job)};
        }
        return run(job) > 0 ? placed[job] : new int[] {0, log.nodes(job)};
    }

    private static int code(JobOutcome outcome) {
        return switch (outcome) {
            case COMPLETED -> 0;
            case KILLED -> 1;
            case CANCELLED -> 2;
            case REFUSED -> 3;
            case STUCK -> 4;
        };
    }

    private long wait(int job) {
        if (replayed.start(job) != ReplayResult.NEVER) {
            return replayed.start(job) - log.submit(job);
        }
        return replayed.outcome(job) == JobOutcome.CANCELLED ? log.patience(job) : 0;
    }

    private long run(int job) {
        return replayed.start(job) == ReplayResult.NEVER ? 0 : replayed.end(job) - replayed.start(job);
    }

    private boolean wholeSeconds() {
        long rest = 0;
        for (int j = 0; j < count; j++) {
            rest |= trace.logTime(log.submit(j)) % SECOND
                    | wait(j) % SECOND
                    | run(j) % SECOND
                    | log.requested(j) % SECOND;
        }
        return rest == 0;
    }
}
