package io.sheaf.slurm.whatif;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.SampledEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Estimates by the median over sampled queues: engines loaded with the newest snapshot, in which background jobs end
 * {@linkplain EndedJobs like finished ones}. {@link DrawnWaits} calibrates the result. {@link StartTimes#UNKNOWN} until
 * enough jobs have ended.
 */
final class SampledStarts implements StartEstimator {
    static final String NAME = WhatIf.CORRECTED;

    private final NewestAnswer<SlurmSnapshot> snapshots;
    private final EndedJobs ended;
    private final List<SnapshotEstimator> draws = new ArrayList<>();
    private final SampledEstimator sampled = new SampledEstimator(now -> draws);
    private final StartQuery copy = new StartQuery();
    private DrawnWaits calibration = new DrawnWaits(List.of(), List.of());

    SampledStarts(
            NewestAnswer<SlurmSnapshot> snapshots,
            Submissions submissions,
            LongFunction<String> names,
            EndedJobs ended,
            int count) {
        this.snapshots = snapshots;
        this.ended = ended;
        for (int i = 0; i < count; i++) {
            RandomStream random = random(i);
            draws.add(
                    new SnapshotEstimator(snapshots, submissions, names, snapshot -> ended.drawn(snapshot, random), i));
        }
    }

    private static RandomStream random(int draw) {
        return new RandomStream(0).split("ends").split(draw);
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        if (query.isWithQueued() || !isEnough(query.now())) {
            answer.begin(query, basis());
            answer.fill(StartTimes.UNKNOWN);
            return;
        }
        sampled.estimate(copy.copy(query, query.now(), 0).withQuantiles(), answer);
        for (int i = 0; i < answer.answered(); i++) {
            Quantiles drawn = answer.waits(i);
            if (drawn != null) {
                Quantiles waits = calibration.calibrated(drawn, query.now());
                answer.waits(i, waits);
                answer.job(i, query.now() + waits.median());
            }
        }
    }

    private boolean isEnough(long now) {
        SlurmSnapshot newest = snapshots.newest(now);
        return newest != null && ended.isEnoughFor(newest);
    }

    /** The number of starts of our jobs that the calibration has learnt from. */
    int learnt() {
        return calibration.learnt();
    }

    /** Replaces the calibration. */
    void learn(DrawnWaits learnt) {
        calibration = learnt;
    }

    /** Replaces the errors of predicted priorities. */
    void learn(PriorityErrors errors) {
        draws.forEach(each -> each.learn(errors));
    }

    /** The uncalibrated quantiles of a job's sampled waits; null if unknown. */
    @Nullable
    Quantiles drawn(StartQuery query) {
        return isEnough(query.now()) ? waits(sampled, query) : null;
    }

    private static @Nullable Quantiles waits(SampledEstimator estimator, StartQuery query) {
        return estimator
                .estimate(new StartQuery().copy(query, query.now(), 0).withQuantiles())
                .waits(0);
    }

    /** Adds one of our jobs that the newest snapshot may not contain. */
    void accepted(long now, String name, Request request) {
        draws.forEach(each -> each.accepted(now, name, request));
    }

    /** Removes one of our jobs. */
    void removed(String name) {
        draws.forEach(each -> each.removed(name));
    }

    /**
     * The quantiles of a job's waits from samples of one snapshot; null if too little is known, or if it would never
     * start.
     *
     * @param where the assumed position of the job in each sample
     */
    static @Nullable Quantiles drawn(
            SlurmSnapshot snapshot,
            IntFunction<QueueModel.SubmissionTarget> where,
            EndedJobs ended,
            StartQuery query,
            int count) {
        if (!ended.isEnoughFor(snapshot)) {
            return null;
        }
        List<StartEstimator> models = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            models.add(new QueueModel(ended.drawn(snapshot, random(i)), where.apply(i)).estimator());
        }
        return waits(new SampledEstimator(at -> models), query);
    }
}
