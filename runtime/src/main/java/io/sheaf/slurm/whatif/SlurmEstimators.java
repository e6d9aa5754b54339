package io.sheaf.slurm.whatif;

import io.sheaf.manager.Request;
import io.sheaf.predict.CalibratedEstimator;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.LearnedEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.WhatIf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The estimators for our jobs on a Slurm cluster by name, and their {@linkplain CalibratedEstimator calibrated} combination. The initial order of
 * trust is: the engine with the newest snapshot, the same with sampled job ends, the mean of our waits, {@code sbatch --test-only}.
 *
 * <p>No estimate from past waits is earlier than the limits of the user's running pilot jobs allow. The memory of a query is that of the whole job.
 */
final class SlurmEstimators {
    /** The record name of Slurm's planned start; only queued jobs have one. */
    static final String PLANNED = WhatIf.PLANNED;

    /** The record name of our mean wait. */
    static final String MEAN_WAIT = "mean-wait";

    final SnapshotEstimator engine;
    final SampledStarts sampled;
    final TestOnly testOnly;
    final CalibratedEstimator combined;
    /** The queue without jobs but our pilot jobs that run or are about to: no job can start before they make room for it. */
    private final SnapshotEstimator ours;

    private final LearnedEstimator meanWait = new LearnedEstimator();
    private Calibration calibration = new Calibration();
    private PriorityErrors errors = new PriorityErrors(List.of());

    /**
     * Creates the estimators, which have learnt nothing.
     *
     * @param testOnly with the submission options of our jobs
     * @param draws the number of queues with sampled job ends
     * @param names the job's name for a token
     * @param queued our queued job with a token; null if there is none
     */
    SlurmEstimators(
            NewestAnswer<SlurmSnapshot> snapshots,
            EndedJobs ended,
            TestOnly testOnly,
            int draws,
            LongFunction<String> names,
            LongFunction<CalibratedEstimator.@Nullable Queued> queued) {
        this.testOnly = testOnly;
        Submissions submissions = testOnly.submissions();
        engine =
                new SnapshotEstimator(snapshots, submissions, names, UnaryOperator.identity(), SnapshotEstimator.POINT);
        ours = new SnapshotEstimator(
                snapshots,
                submissions,
                names,
                snapshot -> snapshot.without(
                        job -> !job.isRunning() || !snapshot.isOwn(job) || !BatchCommands.isPilotJob(job.name())),
                SnapshotEstimator.POINT);
        sampled = new SampledStarts(snapshots, submissions, names, ended, draws);
        Map<String, StartEstimator> byTrust = new LinkedHashMap<>();
        byTrust.put(SnapshotEstimator.NAME, engine);
        byTrust.put(SampledStarts.NAME, sampled);
        byTrust.put(MEAN_WAIT, meanWait);
        byTrust.put(TestOnly.NAME, testOnly);
        combined = new CalibratedEstimator(byTrust, queued, ours);
    }

    /**
     * Learns from our recorded jobs.
     *
     * @param started in the order of their starts
     * @param waiting jobs that are known to be still queued
     */
    void learn(List<StartRecords.StartRecord> started, List<StartRecords.StartRecord> waiting) {
        calibration = StartRecords.calibration(started);
        combined.learn(calibration);
        meanWait.learn(StartRecords.waits(started));
        errors = new PriorityErrors(started);
        engine.learn(errors);
        sampled.learn(errors);
        sampled.learn(new DrawnWaits(started, waiting));
    }

    /** The recorded errors of the estimators. */
    Calibration calibration() {
        return calibration;
    }

    /** The errors of predicted priorities. */
    PriorityErrors errors() {
        return errors;
    }

    /** Adds one of our queued jobs that the newest snapshot may not contain. */
    void accepted(long now, String name, Request request) {
        engine.accepted(now, name, request);
        sampled.accepted(now, name, request);
    }

    /** Adds one of our jobs that runs or is about to, which the newest snapshot may not contain. */
    void running(long now, String name, Request request) {
        ours.accepted(now, name, request);
    }

    /** Removes one of our jobs. */
    void removed(String name) {
        engine.removed(name);
        ours.removed(name);
        sampled.removed(name);
    }
}
