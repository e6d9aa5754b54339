package io.sheaf.runtime.batch;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.List;

/**
 * What-if estimates by the batch engine, from a snapshot of the present queue.
 *
 * @param title the batch system's name in messages
 */
public record SnapshotWhatIf(SnapshotForecast.SnapshotSource source, String title) implements WhatIf {

    private SnapshotForecast.SnapshotQueue read(long now) throws IOException, InterruptedException {
        return source.parse(source.print(now), now);
    }

    @Override
    public Answers estimate(StartQuery job, long probe) throws IOException, InterruptedException {
        if (probe > 0) {
            throw new InputException("--probe cannot be used with " + title + "; leave it out");
        }
        long now = job.now();
        SnapshotForecast.SnapshotQueue queue = read(now);
        BatchEngine engine = queue.snapshot().load().engine();
        long requested = source.memory(job.memory());
        long start = queue.startsAtOnce(engine, job.units(0), requested)
                ? now
                : engine.estimate(
                        now,
                        Submission.of(job.units(0), source.occupied(job.walltime(0)))
                                .memory(requested));
        int allocated = engine.size() - engine.idle();
        return new Answers(
                now,
                new ClusterState(source.place(), engine.size(), allocated, 0, 0, engine.queued(), 0),
                List.of(new Answer(
                        ENGINE, start, start == NEVER ? "it is larger than the cluster" : "", Double.NaN, 0)),
                ENGINE,
                null,
                "",
                null,
                List.of(),
                List.of());
    }

    @Override
    public ModelledQueue outlook(long now) throws IOException, InterruptedException {
        BatchEngine engine = read(now).snapshot().load().engine();
        return new ModelledQueue(SimulatedQueue.of(engine, now, JobLog.builder().build()), List.of());
    }

    @Override
    public QueueView view(long now) throws IOException, InterruptedException {
        BatchEngine engine = read(now).snapshot().load().engine();
        return QueueView.of(engine, now, handle -> QueueSnapshot.OTHERS, new EngineEstimator(engine));
    }
}
