package io.sheaf.slurm.whatif;

import io.sheaf.predict.Calibration;
import io.sheaf.predict.LearnedEstimator;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.runtime.site.Ledger;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.slurm.SlurmSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of all estimators to one question, asked now, with what they rest on. */
public final class WhatIf {
    /** In place of a start: it is not known. */
    public static final long UNKNOWN = StartTimes.UNKNOWN;

    /** In place of a start: never, as things are. */
    public static final long NEVER = StartTimes.NEVER;

    private static final long PROBE_PAUSE = 1_000;
    private static final int DRAWS = 101;

    /**
     * What one estimator says.
     *
     * @param start an instant, {@link #UNKNOWN} or {@link #NEVER}
     * @param why why it is not known
     * @param recentLoss how wrong it was about our last jobs, 0 to 1; not a number if it was never asked
     * @param samples about how many
     */
    public record Answer(String estimator, long start, String why, double recentLoss, int samples) {}

    /** What Slurm plans for a waiting job of ours. */
    public record AutoMemo(long job, int nodes, long limit, long start) {}

    /**
     * The cluster as it was seen.
     *
     * @param nodes that take jobs
     * @param taken of them at present
     * @param out nodes that take no jobs
     * @param hidden of those taken, by jobs that cannot be seen
     * @param queued requests that stand before ours
     * @param unmodelledShare of the queued node-time; not a number if that cannot be told
     */
    public record Seen(
            String partition, int nodes, int taken, int out, int hidden, int queued, double unmodelledShare) {}

    /**
     * When a job may start, as instants: half of the time within the inner interval, nine times in ten within the outer one.
     *
     * @param basis what it rests on, in words
     */
    public record Interval(long low90, long low50, long median, long high50, long high90, String basis) {
        /** From waits that begin at an instant. */
        static Interval of(Quantiles waits, long now, String basis) {
            return new Interval(
                    now + waits.low90(),
                    now + waits.low50(),
                    now + waits.median(),
                    now + waits.high50(),
                    now + waits.high90(),
                    basis);
        }
    }

    /**
     * Everything.
     *
     * @param used the estimator that runs use at present
     * @param interval when it may start if jobs end as they tend to; null if too little is known of that
     * @param problems what could not be read
     */
    public record Answers(
            long at,
            Seen seen,
            List<Answer> answers,
            String used,
            @Nullable Interval interval,
            List<AutoMemo> planned,
            List<String> problems) {}

    /**
     * How the cluster is for us.
     *
     * @param limits what we may have, by name; empty where nothing is told
     * @param hidesJobs whether others' jobs are hidden
     */
    public record Condition(Seen seen, Map<String, String> limits, boolean hidesJobs, List<String> problems) {}

    /**
     * The queue of a cluster.
     *
     * @param problems what could not be read
     */
    public record Outlook(SimulatedQueue queue, List<String> problems) {}

    private final SlurmSite site;
    private final Submissions alike;
    private final StartBook book;

    public WhatIf(SlurmSite site, Submissions alike) {
        this.site = site;
        this.alike = alike;
        book = new StartBook(site.learnt());
    }

    /**
     * When would a job of so many nodes × so long start?
     *
     * @param probe how long to wait for Slurm's plan for a job that is submitted and cancelled; 0 for no such job
     */
    public Answers ask(long now, int nodes, long walltime, long probe) throws IOException, InterruptedException {
        Snapshot snapshot = read(now);
        Where where = SnapshotEstimator.where(snapshot, alike);
        QueueModel model = new QueueModel(snapshot, where);
        EndedJobs ended = new EndedJobs(site.commands(), site.learnt());
        ended.learn(snapshot);
        Quantiles drawn = SampledStarts.drawn(snapshot, where, ended, now, nodes, walltime, DRAWS);
        List<StartBook.Entry> started = book.started(now);
        DrawnWaits fared = new DrawnWaits(started, waiting(snapshot));
        Quantiles waits = drawn == null ? null : fared.calibrated(drawn, now);
        Calibration calibration = StartBook.calibration(started);
        LearnedEstimator meanWait = new LearnedEstimator();
        meanWait.learn(StartBook.waits(started));
        StartQuery query = StartQuery.of(now, 0, nodes, walltime);
        long planned = model.estimator().estimate(query).job(0);
        List<Answer> answers = new ArrayList<>();
        answers.add(answer(
                calibration,
                SnapshotEstimator.NAME,
                planned,
                planned == NEVER ? "it is larger or longer than allowed" : ""));
        answers.add(answer(
                calibration,
                SampledStarts.NAME,
                waits == null ? UNKNOWN : now + waits.median(),
                waits == null ? "too few jobs of others were seen to end" : ""));
        TestOnly.Answer tested =
                new TestOnly(site.commands(), alike.options(), Runnable::run).ask(now, nodes, walltime);
        answers.add(answer(calibration, TestOnly.NAME, tested.start(), tested.why()));
        long learned = meanWait.estimate(query).job(0);
        answers.add(answer(
                calibration,
                SlurmEstimator.MEAN_WAIT,
                learned,
                learned == UNKNOWN ? "too few jobs of yours were seen to start" : ""));
        answers.add(planned(calibration, now, nodes, walltime, probe));
        return new Answers(
                now,
                seen(model),
                answers,
                calibration.best(
                        List.of(SnapshotEstimator.NAME, SampledStarts.NAME, SlurmEstimator.MEAN_WAIT, TestOnly.NAME)),
                waits == null ? null : Interval.of(waits, now, ended.basis() + basis(fared)),
                plans(snapshot),
                snapshot.problems());
    }

    /** Jobs of ours of which something was foretold, and which are seen to wait. */
    private List<StartBook.Entry> waiting(Snapshot snapshot) throws IOException {
        List<StartBook.Entry> waiting = new ArrayList<>();
        for (SeenJob job : snapshot.jobs()) {
            boolean ours = job.state() == SeenJob.State.WAITING && job.user().equals(snapshot.user());
            StartBook.Entry entry = ours ? book.entry(job.name()) : null;
            if (entry != null && entry.start() == Limit.UNKNOWN) {
                waiting.add(entry);
            }
        }
        return waiting;
    }

    private static String basis(DrawnWaits fared) {
        return fared.learnt() == 0 ? "" : "; calibrated on " + fared.learnt() + " of your jobs that waited";
    }

    /** The queue as it is now, as the engine has it: to be played on, with nobody else arriving. */
    public Outlook outlook(long now) throws AwayException, InterruptedException {
        Snapshot snapshot = read(now);
        QueueModel model = new QueueModel(snapshot, SnapshotEstimator.where(snapshot, alike));
        JobLog nobody = JobLog.builder().build();
        return new Outlook(SimulatedQueue.of(model.engine(), now, nobody), snapshot.problems());
    }

    /** The queue of our partition as it is now, for people. */
    public QueueView view(long now) throws AwayException, InterruptedException {
        Snapshot snapshot = read(now);
        return new QueueModel(snapshot, SnapshotEstimator.where(snapshot, alike)).view(now);
    }

    private Snapshot read(long now) throws AwayException, InterruptedException {
        return new SnapshotReader(site.commands(), site.user(), alike.quality()).read(now);
    }

    /** Looks at the cluster without a question. */
    public Condition look(long now) throws AwayException, InterruptedException {
        Snapshot snapshot = read(now);
        QueueModel model = new QueueModel(snapshot, SnapshotEstimator.where(snapshot, alike));
        return new Condition(seen(model), snapshot.limits().texts(), snapshot.hidesJobs(), snapshot.problems());
    }

    private static Answer answer(Calibration calibration, String name, long start, String why) {
        return new Answer(name, start, why, calibration.recentLoss(name), calibration.count(name));
    }

    private static Seen seen(QueueModel model) {
        PartitionNodes nodes = model.nodes();
        return new Seen(
                model.partition(),
                nodes.size(),
                nodes.taken(),
                nodes.out(),
                nodes.hidden(),
                model.queued(),
                model.unmodelledShare());
    }

    private static List<AutoMemo> plans(Snapshot snapshot) {
        List<AutoMemo> plans = new ArrayList<>();
        for (SeenJob job : snapshot.jobs()) {
            if (job.state() == SeenJob.State.WAITING && job.user().equals(snapshot.user())) {
                plans.add(new AutoMemo(job.id(), job.nodes(), job.limit(), job.start()));
            }
        }
        return plans;
    }

    private Answer planned(Calibration calibration, long now, int nodes, long walltime, long patience)
            throws IOException, InterruptedException {
        String name = SlurmEstimator.PLANNED;
        if (patience <= 0) {
            return answer(calibration, name, UNKNOWN, "Slurm plans only jobs that are queued; --probe queues one");
        }
        if (!Ledger.mayProbe(now)) {
            return answer(calibration, name, UNKNOWN, "this site allows you no further submissions at present");
        }
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=sheaf-probe",
                "--no-requeue",
                "--output=/dev/null",
                "--nodes=" + nodes,
                "--time=" + Math.max(1, (walltime + 59_999) / 60_000)));
        words.addAll(alike.options());
        words.addAll(List.of("--wrap", "true"));
        CommandRunner.Answer said = site.commands().order(null, words.toArray(String[]::new));
        String job = said.out().strip().split(";", -1)[0];
        if (!said.isGood() || !job.matches("[0-9]+")) {
            return answer(calibration, name, UNKNOWN, said.why());
        }
        try {
            long start = await(job, patience);
            return answer(
                    calibration, name, start, start == UNKNOWN ? "Slurm has not planned the probe in this time" : "");
        } finally {
            site.commands().order(null, "scancel", job);
        }
    }

    /** Until Slurm says when it starts the probe, or has started it. */
    private long await(String job, long patience) throws AwayException, InterruptedException {
        for (long waited = 0; waited < patience; waited += PROBE_PAUSE) {
            Thread.sleep(PROBE_PAUSE);
            CommandRunner.Answer shown = site.commands().ask("scontrol", "-o", "show", "job", job);
            for (Map<String, String> record : Scontrol.records(shown.out())) {
                String start = record.getOrDefault("StartTime", "");
                if (start.matches("[1-9][0-9]{0,14}")) {
                    return Limit.instant(start);
                }
            }
        }
        return UNKNOWN;
    }
}
