package io.sheaf.slurm.whatif;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.Calibration;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.runtime.limits.Ledger;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What-if estimates from the queue of a Slurm cluster. A dependent job is not planned before its predecessor has ended.
 */
public final class SlurmWhatIf implements WhatIf {
    private static final long PROBE_PAUSE = 1_000;
    private static final int DRAWS = 101;

    /**
     * The condition of the cluster for this user.
     *
     * @param limits the user's limits by name; empty if unknown
     * @param refused why the limits allow no job; empty if they allow one
     * @param hidesJobs whether other users' jobs are hidden
     * @param obstacles why jobs would not start at present
     */
    public record Condition(
            ClusterState cluster,
            Map<String, String> limits,
            String refused,
            boolean hidesJobs,
            List<String> obstacles,
            List<String> problems) {}

    private final CommandRunner commands;
    private final String user;
    private final Path learnt;
    private final Submissions submissions;
    private final StartRecords book;
    /** Remembers running jobs from one observation to the next. */
    private final ForecastCheck check;

    /**
     * Creates estimates for jobs with equal submission options.
     *
     * @param learnt the folder of recorded predictions
     */
    public SlurmWhatIf(CommandRunner commands, String user, Path learnt, Submissions submissions) {
        this.commands = commands;
        this.user = user;
        this.learnt = learnt;
        this.submissions = submissions;
        book = new StartRecords(learnt);
        check = new ForecastCheck(commands, learnt, submissions.partition());
    }

    @Override
    public Answers estimate(StartQuery job, long probe) throws IOException, InterruptedException {
        SlurmSnapshot snapshot = read(job.now());
        EndedJobs ended = new EndedJobs(commands, learnt);
        ended.learn(snapshot);
        SlurmEstimators estimators = new SlurmEstimators(
                new NewestAnswer<>(at -> snapshot, Runnable::run),
                ended,
                new TestOnly(commands, submissions, Runnable::run),
                DRAWS,
                token -> "",
                token -> null);
        estimators.learn(book.started(job.now()), waiting(snapshot));
        PriorityErrors errors = estimators.errors();
        QueueModel model = new QueueModel(
                snapshot,
                SnapshotEstimator.where(snapshot, submissions, job.units(0), errors, SnapshotEstimator.POINT));
        Calibration calibration = estimators.calibration();
        long engine = estimators.combined.estimate(SnapshotEstimator.NAME, job).job(0);
        StartTimes sampled = estimators.combined.estimate(SampledStarts.NAME, job);
        Quantiles waits = engine == NEVER ? null : sampled.waits(0);
        TestOnly.Answer tested = estimators.testOnly.query(job);
        long learned =
                estimators.combined.estimate(SlurmEstimators.MEAN_WAIT, job).job(0);
        List<Answer> answers = new ArrayList<>();
        answers.add(answer(
                calibration,
                SnapshotEstimator.NAME,
                engine,
                engine == NEVER ? obstacle(model, job.units(0), job.walltime(0)) : ""));
        answers.add(answer(
                calibration,
                SampledStarts.NAME,
                sampled.job(0),
                sampled.job(0) == UNKNOWN ? "too few jobs of other users have been observed until their end" : ""));
        answers.add(answer(calibration, TestOnly.NAME, tested.start(), tested.why()));
        answers.add(answer(
                calibration,
                SlurmEstimators.MEAN_WAIT,
                learned,
                learned == UNKNOWN ? "too few starts of your jobs have been observed" : ""));
        answers.add(planned(calibration, job, probe));
        return new Answers(
                job.now(),
                model.clusterState(),
                answers,
                estimators.combined.best(),
                waits,
                (snapshot.hidesJobs() ? "assumed hidden jobs, " : "")
                        + ended.basis()
                        + (estimators.sampled.learnt() == 0
                                ? ""
                                : "; calibrated on " + estimators.sampled.learnt() + " of your jobs that waited"),
                priority(snapshot, submissions, job.units(0), job.walltime(0), errors),
                snapshot.jobs().stream()
                        .filter(queued -> queued.isWaiting() && snapshot.isOwn(queued))
                        .map(queued -> new PlannedJob(queued.id(), queued.nodes(), queued.limit(), queued.start()))
                        .toList(),
                model.problems());
    }

    /** Why a job would never start. */
    private static String obstacle(QueueModel model, int nodes, long walltime) {
        JobLimits limits = model.limits();
        int available = Math.min(limits.units(), model.nodes().size());
        if (nodes > available) {
            return "a job may have at most " + available + (available == 1 ? " node" : " nodes");
        }
        if (walltime > limits.walltime(nodes)) {
            return "a job of " + nodes + (nodes == 1 ? " node" : " nodes") + " may run for at most "
                    + TimeText.text(1000 * Math.max(0, limits.walltime(nodes)));
        }
        return "a reservation ends before it would, or no node has its memory";
    }

    /** The priority of a new job, and what it does to those of later ones; null if it is unknown, or Slurm computes none. */
    static @Nullable Priority priority(
            SlurmSnapshot snapshot, Submissions submissions, int nodes, long walltime, PriorityErrors errors) {
        SlurmPriority ours = snapshot.priority();
        if (!ours.isKnown()) {
            return null;
        }
        long value = ours.of(snapshot, submissions, nodes) + errors.median();
        double now = ours.shares().factor();
        double after = ours.shares().factorWith(nodes * SlurmPriority.coresPerNode(submissions) * (walltime / 1000.0));
        int behind = (int) snapshot.jobs().stream()
                .filter(job -> job.isWaiting() && job.priority() < value)
                .count();
        return new Priority(
                value,
                now,
                after,
                Double.isNaN(after) ? UNKNOWN : ours.waitEquivalent(now - after),
                behind,
                errors.count(),
                errors.median());
    }

    /** Our queued jobs that have recorded predictions. */
    private List<StartRecords.StartRecord> waiting(SlurmSnapshot snapshot) throws IOException {
        List<StartRecords.StartRecord> waiting = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            boolean ours = job.isWaiting() && snapshot.isOwn(job);
            StartRecords.StartRecord entry = ours ? book.entry(job.name()) : null;
            if (entry != null && entry.start() == Limit.UNKNOWN) {
                waiting.add(entry);
            }
        }
        return waiting;
    }

    @Override
    public Evaluation check(long now) throws IOException, InterruptedException {
        return check.observe(read(now));
    }

    @Override
    public WatchedQueue watch(long now, String prefix, Consumer<QueueSnapshot> background)
            throws IOException, InterruptedException {
        SlurmSnapshot snapshot = read(now);
        List<WatchedJob> watched = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            boolean waits = job.isWaiting();
            if (snapshot.isOwn(job) && job.name().startsWith(prefix) && (waits || job.isRunning())) {
                watched.add(new WatchedJob(
                        Long.toString(job.id()), job.name(), job.nodes(), job.limit(), waits ? UNKNOWN : job.start()));
            }
        }
        background.accept(BackgroundJobs.of(snapshot, submissions, prefix));
        return new WatchedQueue(watched, check.observe(snapshot));
    }

    @Override
    public ModelledQueue outlook(long now) throws UnreachableException, InterruptedException {
        SlurmSnapshot snapshot = read(now);
        QueueModel model = new QueueModel(snapshot, submissions);
        JobLog noJobs = JobLog.builder().build();
        return new ModelledQueue(SimulatedQueue.of(model.engine(), now, noJobs), model.problems());
    }

    @Override
    public QueueView view(long now) throws UnreachableException, InterruptedException {
        SlurmSnapshot snapshot = read(now);
        return new QueueModel(snapshot, submissions).view(now);
    }

    private SlurmSnapshot read(long now) throws UnreachableException, InterruptedException {
        return new SnapshotReader(commands, user, submissions, null).read(now);
    }

    /** The limits of one job with these options. */
    public JobLimits limits(long now) throws UnreachableException, InterruptedException {
        QueueModel model = sharedModel(now);
        if (model == null) {
            return JobLimits.NONE;
        }
        model.checkLimits();
        return model.limits();
    }

    /** Why jobs with these options would not start at present, although Slurm accepts them; empty if they would. */
    public List<String> obstacles(long now) throws UnreachableException, InterruptedException {
        QueueModel model = sharedModel(now);
        return model == null ? List.of() : model.notUp();
    }

    /** The queue from answers that the manager of the run that is about to begin reads as well: limits rarely change. Null if no node takes jobs at present. */
    private @Nullable QueueModel sharedModel(long now) throws UnreachableException, InterruptedException {
        SlurmSnapshot snapshot = new SnapshotReader(commands, user, submissions, learnt).read(now);
        try {
            return new QueueModel(snapshot, submissions);
        } catch (InputException e) {
            return null;
        }
    }

    /** Checks the cluster without an estimate. */
    public Condition condition(long now) throws UnreachableException, InterruptedException {
        SlurmSnapshot snapshot = read(now);
        QueueModel model = new QueueModel(snapshot, submissions);
        String refused = "";
        try {
            model.checkLimits();
        } catch (InputException e) {
            refused = e.getMessage();
        }
        return new Condition(
                model.clusterState(),
                snapshot.limits().texts(),
                refused,
                snapshot.hidesJobs(),
                model.notUp(),
                snapshot.problems());
    }

    private static Answer answer(Calibration calibration, String name, long start, String why) {
        return new Answer(name, start, why, calibration.recentLoss(name), calibration.count(name));
    }

    private Answer planned(Calibration calibration, StartQuery job, long patience)
            throws IOException, InterruptedException {
        String name = SlurmEstimators.PLANNED;
        if (patience <= 0) {
            return answer(calibration, name, UNKNOWN, "Slurm plans only jobs that are queued; --probe queues one");
        }
        if (!Ledger.mayProbe(job.now())) {
            return answer(calibration, name, UNKNOWN, "this site's limits allow no further submission now");
        }
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=sheaf-probe",
                "--no-requeue",
                "--output=/dev/null",
                "--nodes=" + job.units(0),
                "--time=" + TimeText.wholeMinutes(job.walltime(0))));
        words.addAll(submissions.options());
        words.addAll(List.of("--wrap", "true"));
        CommandRunner.Answer submitted = commands.order(null, words.toArray(String[]::new));
        String id = submitted.out().strip().split(";", -1)[0];
        if (!submitted.isGood() || !id.matches("[0-9]+")) {
            return answer(calibration, name, UNKNOWN, submitted.why());
        }
        String lost;
        long start;
        try {
            start = await(id, patience);
        } finally {
            lost = cancelled(id) ? "" : "the probe job could not be cancelled; run: scancel " + id;
        }
        return answer(
                calibration,
                name,
                start,
                start == UNKNOWN && lost.isEmpty() ? "Slurm has not planned the probe in this time" : lost);
    }

    /** Cancels a probe, which may have ended; returns whether Slurm has answered. */
    private boolean cancelled(String job) throws InterruptedException {
        try {
            commands.order(null, "scancel", job);
            return true;
        } catch (UnreachableException e) {
            return false;
        }
    }

    /** Waits until Slurm plans a start for the probe or starts it. */
    private long await(String job, long patience) throws InterruptedException {
        long from = System.nanoTime();
        do {
            Thread.sleep(PROBE_PAUSE);
            long start = plannedStart(job);
            if (start != UNKNOWN) {
                return start;
            }
        } while (System.nanoTime() - from < TimeUnit.MILLISECONDS.toNanos(patience));
        return UNKNOWN;
    }

    private long plannedStart(String job) throws InterruptedException {
        try {
            CommandRunner.Answer shown = commands.order(null, "scontrol", "-o", "show", "job", job);
            for (Map<String, String> record : Scontrol.records(shown.out())) {
                String start = record.getOrDefault("StartTime", "");
                if (start.matches("[1-9][0-9]{0,14}")) {
                    return Limit.instant(start);
                }
            }
        } catch (UnreachableException e) {
            // The next query may have an answer.
            return UNKNOWN;
        }
        return UNKNOWN;
    }
}
