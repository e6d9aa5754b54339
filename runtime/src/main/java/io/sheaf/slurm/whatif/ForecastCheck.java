package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pools;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Predictions for jobs that any user has queued, and their actual starts: an evaluation on site without jobs of its own.
 *
 * <p>An observation predicts the start of each queued job that is seen for the first time, as if it were submitted now behind the jobs with a higher
 * priority. Later observations record its start. Intervals are calibrated on jobs that started before. Jobs that are held, depend on others, share
 * their nodes or stand for several tasks of an array are left out. All entries are in a {@link StartRecords}, so that observations of any processes add up;
 * names of users are not kept.
 */
final class ForecastCheck {
    /** The maximum number of started jobs that are kept. */
    private static final int KEPT = 5_000;

    /** The maximum number of new predictions in an observation. */
    private static final int MOST_NEW = 50;

    private static final int DRAWS = 31;
    private static final String INTERVAL = "interval-";

    private final CommandRunner commands;
    private final String partition;
    private final StartRecords book;
    private final EndedJobs ended;

    /** @param learnt the folder of what is learnt about the cluster */
    ForecastCheck(CommandRunner commands, Path learnt, String partition) {
        this.commands = commands;
        this.partition = partition;
        book = new StartRecords(learnt.resolve("checks"), KEPT);
        ended = new EndedJobs(commands, learnt);
    }

    WhatIf.Evaluation observe(SlurmSnapshot snapshot) throws IOException, InterruptedException {
        ended.learn(snapshot);
        Map<String, SlurmJob> queue = new HashMap<>();
        snapshot.jobs().forEach(job -> queue.put(Long.toString(job.id()), job));
        List<StartRecords.StartRecord> open = new ArrayList<>();
        for (StartRecords.StartRecord entry : book.entries()) {
            if (entry.start() == Limit.UNKNOWN && !follow(entry, queue.get(entry.job()))) {
                open.add(entry);
            }
        }
        List<StartRecords.StartRecord> started = book.started(snapshot.at());
        DrawnWaits calibration = new DrawnWaits(started, open);
        String where = partition.isEmpty() ? snapshot.defaultPartition() : partition;
        int added = 0;
        for (SlurmJob job : snapshot.jobs()) {
            if (added < MOST_NEW && isChecked(job, where) && book.entry(Long.toString(job.id())) == null) {
                StartRecords.StartRecord entry = predicted(snapshot, job, where, calibration);
                if (entry != null) {
                    book.write(entry);
                    added++;
                }
            }
        }
        List<WhatIf.EvaluatedJob> checked =
                started.stream().map(ForecastCheck::checked).toList();
        return new WhatIf.Evaluation(added, open.size() + added, checked, snapshot.problems());
    }

    private static boolean isChecked(SlurmJob job, String where) {
        return job.isWaiting()
                && job.tasks() == 1
                && job.partitions().contains(where)
                && !job.isHeld()
                && job.dependency().isEmpty()
                && job.extras().isEmpty()
                && job.limit() > 0
                && job.limit() != Limit.UNLIMITED;
    }

    /** The predictions for a queued job; null if it does not use whole nodes, or its constraints are not modelled. */
    private StartRecords.@Nullable StartRecord predicted(
            SlurmSnapshot snapshot, SlurmJob job, String where, DrawnWaits calibration) {
        Set<String> features = SlurmJob.conjunction(job.features());
        if (features == null || !job.requiredHosts().isEmpty()) {
            return null;
        }
        QueueModel.SubmissionTarget place =
                new QueueModel.SubmissionTarget(where, features, job.priority(), job.reservation(), Pools.NONE, 0);
        SlurmSnapshot others = snapshot.with(snapshot.jobs().stream()
                        .filter(each -> each.id() != job.id())
                        .toList())
                .unlimited();
        QueueModel model = new QueueModel(others, place);
        PartitionNodes nodes = model.nodes();
        if (!nodes.wholeNodes() && !job.wholeNodes() && job.cores() < (long) job.nodes() * nodes.coresPerNode()) {
            return null;
        }
        long at = snapshot.at();
        StartQuery query = StartQuery.of(at, 0, job.nodes(), job.limit());
        long planned = model.estimator().estimate(query).job(0);
        if (planned == WhatIf.NEVER || planned == WhatIf.UNKNOWN) {
            return null;
        }
        Map<String, Long> predictions = new LinkedHashMap<>();
        predictions.put(SnapshotEstimator.NAME, planned);
        if (job.start() != Limit.UNKNOWN) {
            predictions.put(SlurmEstimators.PLANNED, job.start());
        }
        Quantiles drawn = SampledStarts.drawn(others, draw -> place, ended, query, DRAWS);
        if (drawn != null) {
            predictions.putAll(DrawnWaits.noted(drawn, at));
            Quantiles calibrated = calibration.calibrated(drawn, at);
            for (int i = 0; i < Quantiles.levels().length; i++) {
                predictions.put(INTERVAL + i, at + calibrated.values()[i]);
            }
        }
        return new StartRecords.StartRecord(
                Long.toString(job.id()), at, job.nodes(), job.limit(), Limit.UNKNOWN, predictions);
    }

    /**
     * Records the start of a job, or forgets a job that left the queue without one. Returns false while it is queued, or its start is unknown because
     * the accounting does not answer.
     */
    private boolean follow(StartRecords.StartRecord entry, @Nullable SlurmJob job)
            throws IOException, InterruptedException {
        if (job != null && job.isWaiting()) {
            return false;
        }
        long start;
        try {
            start = job == null || job.start() == Limit.UNKNOWN ? recordedStart(entry.job()) : job.start();
        } catch (UnreachableException e) {
            // A later observation may have an answer.
            return false;
        }
        // A start before the prediction, by a second at most, is that of a job that was about to start.
        if (start == Limit.UNKNOWN) {
            book.forget(entry);
        } else {
            book.write(entry.started(Math.max(start, entry.submitted())));
        }
        return true;
    }

    /** The start of a job that has left the queue. */
    private long recordedStart(String job) throws IOException, InterruptedException {
        for (Map<String, String> record : Scontrol.records(
                commands.query("scontrol", "-o", "show", "job", job).out())) {
            boolean ran = !record.getOrDefault("RunTime", "00:00:00").equals("00:00:00");
            if (ran) {
                return Limit.instant(record.getOrDefault("StartTime", ""));
            }
        }
        CommandRunner.Answer kept = commands.order(null, "sacct", "-n", "-P", "-X", "-j", job, "-o", "Start");
        String start = kept.isGood() ? kept.out().strip() : "";
        return start.matches("[1-9][0-9]{0,14}") ? Limit.instant(start) : Limit.UNKNOWN;
    }

    private static WhatIf.EvaluatedJob checked(StartRecords.StartRecord entry) {
        long[] waits = new long[Quantiles.levels().length];
        boolean known = true;
        for (int i = 0; i < waits.length; i++) {
            Long at = entry.predicted().get(INTERVAL + i);
            known &= at != null;
            waits[i] = at == null ? 0 : Math.max(0, at - entry.submitted());
        }
        long none = WhatIf.UNKNOWN;
        long planned = entry.predicted().getOrDefault(SlurmEstimators.PLANNED, none);
        return new WhatIf.EvaluatedJob(
                entry.job(),
                entry.nodes(),
                entry.submitted(),
                entry.waited(),
                Math.max(0, entry.predicted().getOrDefault(SnapshotEstimator.NAME, none) - entry.submitted()),
                planned == none ? none : Math.max(0, planned - entry.submitted()),
                known ? Quantiles.at(waits) : null);
    }
}
