package io.sheaf.app.run;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.lab.savings.JobName;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.past.PastQueue;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.TaskTimes;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A shadow run: watches a workflow that another tool or another run of Sheaf executes on a batch system, and decides what a strategy would do in the
 * same queue. It submits nothing.
 *
 * <h2>Observation</h2>
 * The watched jobs are those of the user whose names begin with a prefix, or the pilot jobs of a run. Each observation records them, the rest of the
 * queue, and predicted starts of queued jobs, all durably in the shadow's folder and the state folder. It ends when no such job is left and all
 * output files exist (or the run has ended), or after ten minutes without jobs.
 *
 * <h2>Decisions</h2>
 * After each observation the strategy decides in the observed queue without the watched jobs, from the first of these on up to now. Jobs that it
 * has not submitted before are recorded with the instant of the decision. Tasks take the run times of the watched tasks; before these are known, those of
 * ended jobs of the same rule or process, the expected times, or the mean of all jobs. The report repeats the simulation with all that was observed and
 * shows how many of the recorded decisions are the same.
 */
public final class ShadowRun {
    /** Between two observations, in milliseconds. */
    public static final long PAUSE = 10_000;

    private static final long GIVE_UP = 600_000;

    /** Decisions take at most a share of the time of one to this. */
    private static final int SELDOM = 10;

    private final Workflow workflow;
    private final RunSpec spec;
    private final Path work;
    private final Path folder;
    private final WhatIf cluster;
    private final String prefix;
    private final @Nullable Path watchedRun;
    private final WatchedJobs jobs;
    private final ShadowOrders orders;
    private final QueueSnapshots background;
    private final List<QueueSnapshot> snapshots;
    private final FailedObservations failed = new FailedObservations();
    private final Set<String> predicted = new HashSet<>();
    private List<WhatIf.EvaluatedJob> checked = List.of();
    private long idleSince = System.nanoTime();
    private long decideAt;

    /** What a run took, measured or simulated; times in milliseconds. */
    private record RunFigures(long makespan, int jobs, long nodeMillis, long waited) {
        static RunFigures by(SimulatedRun run) {
            return new RunFigures(
                    run.makespanMillis(), run.jobsSubmitted(), run.allocatedNodeMillis(), run.waitMillis());
        }

        String text() {
            return "makespan " + Rounded.time(makespan) + ", " + ShadowRun.jobs(jobs) + ", " + Rounded.hours(nodeMillis)
                    + " node-hours, queue wait " + Rounded.time(waited) + " total";
        }

        JsonOut fields(JsonOut out) {
            return out.seconds("makespanSeconds", makespan * 1000)
                    .field("jobs", jobs)
                    .decimal("nodeHours", nodeMillis / 3.6e6, 4)
                    .seconds("waitSeconds", waited * 1000);
        }
    }

    /** The result. */
    private record ShadowComparison(RunFigures measured, SimulatedRun simulated, List<String> unknown) {}

    /**
     * A shadow run, new or continued.
     *
     * @param work the folder of the tasks
     * @param folder for observations
     * @param shadowed the prefix of the names of jobs, or the folder of a run
     */
    public ShadowRun(Workflow workflow, RunSpec spec, Path work, Path folder, WhatIf cluster, String shadowed)
            throws IOException {
        this.workflow = workflow;
        this.spec = spec;
        this.work = work;
        this.folder = Files.createDirectories(folder);
        this.cluster = cluster;
        Path run = Path.of(shadowed);
        watchedRun = RunFiles.isRun(run) ? run : null;
        prefix = watchedRun == null
                ? shadowed
                : BatchCommands.prefix(RunFiles.spec(run).id());
        jobs = new WatchedJobs(folder);
        orders = new ShadowOrders(folder);
        snapshots = new ArrayList<>(QueueSnapshots.read(folder));
        background = new QueueSnapshots(folder);
    }

    /** Observes and decides; returns whether the workflow has ended. New orders are printed. */
    public boolean observe(long now, PrintWriter out) throws IOException, InterruptedException {
        List<QueueSnapshot> latest = new ArrayList<>();
        WhatIf.WatchedQueue watched;
        try {
            watched = cluster.watch(now, prefix, latest::add);
            failed.reset();
        } catch (UnreachableException e) {
            failed.add(e, out);
            return false;
        }
        for (QueueSnapshot each : latest) {
            if (background.isDue(each.at())) {
                background.write(each);
                snapshots.add(each);
            }
        }
        int queued = jobs.observe(now, watched.jobs());
        watched.jobs().forEach(job -> predicted.add(job.id()));
        checked = watched.checks().started();
        if (now >= decideAt && !jobs.all().isEmpty()) {
            decide(now, latest, out);
            decideAt = now + SELDOM * (System.currentTimeMillis() - now);
        }
        if (queued > 0) {
            idleSince = System.nanoTime();
            return false;
        }
        return (!jobs.all().isEmpty() && hasEnded()) || System.nanoTime() - idleSince > GIVE_UP * 1_000_000;
    }

    private void decide(long now, List<QueueSnapshot> latest, PrintWriter out) throws IOException {
        List<QueueSnapshot> known = new ArrayList<>(snapshots);
        latest.stream().filter(each -> !known.contains(each)).forEach(known::add);
        SimulatedRun run = simulated(PastQueue.of(known));
        for (ShadowOrders.ShadowJob each : orders.add(now, run)) {
            out.println("sheaf: " + spec.strategy() + " would submit a job of " + each.nodes()
                    + (each.nodes() == 1 ? " node for " : " nodes for ")
                    + Rounded.time(each.walltime())
                    + (each.start() == JobRecord.NEVER
                            ? ""
                            : ", expected to start after " + Rounded.time(each.start() - each.submitted())));
        }
        out.flush();
    }

    private boolean hasEnded() throws IOException {
        if (watchedRun != null) {
            return RecordedRun.open(watchedRun).status(0).state().isFinished();
        }
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.outputs(task); i++) {
                if (!Files.exists(work.resolve(workflow.fileName(workflow.output(task, i))))) {
                    return false;
                }
            }
        }
        return true;
    }

    private long begin() {
        return jobs.all().stream()
                .mapToLong(WatchedJobs.ObservedJob::firstSeen)
                .min()
                .orElseThrow(() -> new InputException(
                                "not enough data: no job of the watched workflow was seen in the queue")
                        .in(folder.toString()));
    }

    private SimulatedRun simulated(PastQueue past) throws IOException {
        SimulatedQueue queue = past.queue().fork();
        long start = Math.max(queue.now(), begin());
        queue.advanceTo(start);
        return Regret.simulated(spec, workflow, null, queue, start, times(), spec.strategy());
    }

    private ShadowComparison result() throws IOException {
        long begin = begin();
        long end = 0;
        long nodeMillis = 0;
        long waited = 0;
        for (WatchedJobs.ObservedJob job : jobs.all()) {
            end = Math.max(end, job.end());
            nodeMillis += job.ran() * job.nodes();
            waited += Math.max(0, job.start() - job.firstSeen());
        }
        PastQueue past = PastQueue.of(snapshots);
        if (watchedRun != null) {
            RecordedRun run = RecordedRun.open(watchedRun);
            RunRecord record = run.record(run.now());
            RunFigures measured = new RunFigures(
                    record.makespanMillis(), record.jobs().size(), record.allocatedNodeMillis(), record.waitMillis());
            return new ShadowComparison(measured, simulated(past), past.unknown());
        }
        RunFigures measured = new RunFigures(end - begin, jobs.all().size(), nodeMillis, waited);
        return new ShadowComparison(measured, simulated(past), past.unknown());
    }

    /** By task: its measured run time, or that of a job of the same rule or process, or its expected time, or the mean of all jobs. */
    private TaskTimes times() throws IOException {
        Map<String, List<Long>> byKind = new HashMap<>();
        long sum = 0;
        int count = 0;
        long limit = 1;
        for (WatchedJobs.ObservedJob job : jobs.all()) {
            limit = Math.max(limit, job.limit());
            if (job.ran() > 0) {
                byKind.computeIfAbsent(JobName.of(job.name()).stem(), kind -> new ArrayList<>())
                        .add(job.ran());
                sum += job.ran();
                count++;
            }
        }
        long mean = count == 0 ? limit : Math.max(1, sum / count);
        Map<String, Long> measured = measured();
        Map<String, Integer> next = new HashMap<>();
        long[] took = new long[workflow.size()];
        for (int i = 0; i < took.length; i++) {
            int task = workflow.inOrder(i);
            String kind = workflow.category(task).name();
            long expected = workflow.timeMicros(task) == Workflow.UNKNOWN ? mean : workflow.timeMicros(task) / 1000;
            List<Long> alike = byKind.getOrDefault(kind, List.of(expected));
            int number = next.merge(kind, 1, Integer::sum) - 1;
            took[task] = Math.max(1, measured.getOrDefault(workflow.id(task), alike.get(number % alike.size())));
        }
        return (of, task, attempt) -> took[task];
    }

    /** By id: the run times of the watched run's completed tasks. */
    private Map<String, Long> measured() throws IOException {
        Map<String, Long> measured = new HashMap<>();
        if (watchedRun != null) {
            RecordedRun run = RecordedRun.open(watchedRun);
            for (AttemptRecord each : run.record(run.now()).attempts()) {
                if (each.done()) {
                    measured.put(run.workflow().id(each.task()), each.ended() - each.started());
                }
            }
        }
        return measured;
    }

    /** By how many milliseconds jobs started later than predicted at their first observation. */
    private long[] errors() {
        return checked.stream()
                .filter(each -> predicted.contains(each.job()))
                .mapToLong(each -> each.waited() - each.engine())
                .toArray();
    }

    private static long median(long[] errors) {
        long[] sizes = Arrays.stream(errors).map(Math::abs).sorted().toArray();
        return sizes[sizes.length / 2];
    }

    public void report(Session session, boolean json) throws IOException {
        ShadowComparison result = result();
        if (json) {
            JsonOut.print(session.out(), out -> fields(out, result));
        } else {
            print(session.out(), result);
        }
    }

    private static String jobs(int count) {
        return count + (count == 1 ? " job" : " jobs");
    }

    private void print(PrintWriter out, ShadowComparison result) {
        SimulatedRun run = result.simulated();
        String other = spec.strategy() + " would have ";
        out.println("shadow run of '" + workflow.name() + "': " + workflow.size() + " tasks; nothing was submitted");
        out.println(Fields.line("measured", result.measured().text()));
        out.println(Fields.line(
                spec.strategy(),
                run.completed()
                        ? RunFigures.by(run).text() + " (simulated)"
                        : "did not complete in the simulation: " + run.reason()));
        long[] errors = errors();
        out.println(Fields.line(
                "forecast",
                errors.length == 0
                        ? "not enough data: no job was seen to wait and start"
                        : "starts of " + jobs(errors.length) + " predicted, median error "
                                + Rounded.time(median(errors))));
        Long makespan = orders.predicted();
        out.println(Fields.line(
                "predicted",
                makespan == null ? "nothing" : "makespan " + Rounded.time(makespan) + " with the first decision"));
        out.println(Fields.line(
                "decisions",
                jobs(orders.size()) + " decided while the workflow ran, " + orders.matching(run.pilotJobs())
                        + " of them with the nodes and walltimes below"));
        out.println();
        out.println(other + "submitted");
        pilotJobs(run.start()).table(out, run.pilotJobs());
        out.println();
        result.unknown().forEach(each -> out.println("not known: " + each));
    }

    private static Fields<JobRecord> pilotJobs(long start) {
        return new Fields<JobRecord>()
                .time("after", "submittedSeconds", job -> job.submitted() - start)
                .count("nodes", "nodes", JobRecord::nodes)
                .time("walltime", "walltimeSeconds", JobRecord::walltime)
                .right(
                        "started after",
                        job -> job.started() == JobRecord.NEVER ? "-" : Rounded.time(job.started() - start))
                .right("ended after", job -> job.ended() == JobRecord.NEVER ? "-" : Rounded.time(job.ended() - start))
                .decimal(
                        "startedSeconds",
                        3,
                        job -> job.started() == JobRecord.NEVER ? Double.NaN : (job.started() - start) / 1000.0)
                .decimal(
                        "endedSeconds",
                        3,
                        job -> job.ended() == JobRecord.NEVER ? Double.NaN : (job.ended() - start) / 1000.0)
                .text("end", "end", job -> job.end().word());
    }

    private void fields(JsonOut out, ShadowComparison result) {
        SimulatedRun run = result.simulated();
        long[] errors = errors();
        out.field("workflow", workflow.name())
                .field("strategy", spec.strategy())
                .field("tasks", workflow.size())
                .object("measured");
        result.measured().fields(out).end().object("simulated").field("completed", run.completed());
        RunFigures.by(run)
                .fields(out)
                .end()
                .object("forecast")
                .field("jobs", errors.length)
                .decimal("medianErrorSeconds", errors.length == 0 ? Double.NaN : median(errors) / 1000.0, 3)
                .end()
                .object("decided")
                .field("jobs", orders.size())
                .field("same", orders.matching(run.pilotJobs()))
                .end();
        Long makespan = orders.predicted();
        out.decimal("predictedMakespanSeconds", makespan == null ? Double.NaN : makespan / 1000.0, 3);
        pilotJobs(run.start()).array(out, "pilotJobs", run.pilotJobs());
        out.texts("unknown", result.unknown());
    }
}
