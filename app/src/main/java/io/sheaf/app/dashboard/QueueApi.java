package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.web.HttpRequest;
import io.sheaf.app.web.Reply;
import io.sheaf.app.web.Routes;
import io.sheaf.app.web.WebException;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.systems.BatchSystems;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The API of the queue of a run's jobs: nodes over time, our jobs, and start-time estimates for a job of any shape.
 */
final class QueueApi {
    private static final int KEPT = 8;
    private static final int FRESH_MILLIS = 1_000;
    private static final int BATCH_MILLIS = 30_000;
    private static final int LONGEST = 30 * 86_400;
    private static final int MAX_NODES = 1_000_000;

    /** A queue that is valid until an instant of the monotonic clock. */
    private record Kept(QueueView view, long begun, long until) {}

    private final LiveRuns runs;
    private final Map<String, Kept> kept = new LinkedHashMap<>();

    QueueApi(LiveRuns runs) {
        this.runs = runs;
    }

    Routes routes() {
        return new Routes().on("GET", "/api/queue", this::queue);
    }

    private Reply queue(HttpRequest request) throws IOException, InterruptedException {
        String id = request.query("run");
        if (id == null) {
            throw new WebException(400, "run: missing; give the id of a run");
        }
        int nodes = (int) request.number("nodes", 1, MAX_NODES, 0);
        long seconds = request.number("seconds", 1, LONGEST, 0);
        Kept kept = view(id);
        return Reply.json(JsonOut.line(out -> {
            QueueView view = kept.view;
            out.seconds("atSeconds", (view.at() - kept.begun) * 1000).field("nodes", view.nodes());
            if (nodes > 0 && seconds > 0) {
                long start = view.start(nodes, seconds * 1000);
                out.object("estimate")
                        .field("nodes", nodes)
                        .field("seconds", seconds)
                        .field("state", start == BatchEngine.NEVER ? "never" : "known");
                if (start != BatchEngine.NEVER) {
                    out.seconds("waitSeconds", Math.max(0, start - view.at()) * 1000);
                }
                out.end();
            }
            out.objects("jobs", view.jobs(), job -> {
                if (job.token() != QueueSnapshot.OTHERS) {
                    out.field("job", job.token());
                }
                out.field("nodes", job.nodes())
                        .field("state", job.running() ? "running" : "queued")
                        .seconds("startSeconds", (job.start() - view.at()) * 1000)
                        .seconds("endSeconds", (job.end() - view.at()) * 1000);
            });
        }));
    }

    /** The queue, at most a second old on the embedded cluster, since the chart queries it often. */
    private synchronized Kept view(String id) throws IOException, InterruptedException {
        Kept known = kept.get(id);
        if (known == null || System.nanoTime() - known.until >= 0) {
            RecordedRun run = runs.find(id).read((read, status) -> read);
            // Has a log of its own, which is read without blocking other readers of the run.
            known = run.spec().where().equals(Placement.LOCAL)
                    ? new Kept(run.queue(run.now()), run.history().begunAt(), fresh(FRESH_MILLIS))
                    : batch(run);
            kept.remove(id);
            kept.put(id, known);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return known;
    }

    private static long fresh(long millis) {
        return System.nanoTime() + millis * 1_000_000;
    }

    /** The queue of a batch system, queried at the interval that runs use. */
    private static Kept batch(RecordedRun run) throws IOException, InterruptedException {
        Placement where = run.spec().where();
        if (where.isSeveral()) {
            throw new WebException(404, "the queues of several sites cannot be shown");
        }
        BatchCommands commands = BatchSystems.commands(where, System.getenv());
        if (!commands.canEstimate()) {
            throw new WebException(404, "the queue of " + where.system() + " cannot be shown");
        }
        try {
            WhatIf queue = commands.whatIf(where.options(), run.spec().node().cores());
            return new Kept(
                    queue.view(System.currentTimeMillis()), run.history().begunAt(), fresh(BATCH_MILLIS));
        } catch (UnreachableException e) {
            throw new WebException(503, String.valueOf(e.getMessage()));
        }
    }
}
